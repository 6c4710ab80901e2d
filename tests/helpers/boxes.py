"""What the tests of boxes share."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

inlined = pytest.mark.each("inline", [False, True], ids=["box", "inline"])


def run(e, **at):
    """The value by the program, by the program as written, and by the interpreter; they agree. By
    default one of the programs is tried: the number of inputs says which."""
    graph = ad.Graph(e)
    given = [at[i.name] for i in graph.inputs]
    modes = some(("safe", None), 2, turn=len(given))
    found = [ad.function(graph.inputs, graph, simplify=mode)(*given) for mode in modes]
    found.append(graph.evaluate(dict(zip(graph.inputs, given))))
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=1e-12, atol=1e-300)
    return found[0]


def box(value, *inputs, **how):
    return ad.OpFromGraph(inputs, value, **how)
