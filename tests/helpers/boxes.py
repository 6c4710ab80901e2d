"""What the tests of boxes share."""

import numpy as np
import pytest

import autodiff_edu as ad

inlined = pytest.mark.each("inline", [False, True], ids=["box", "inline"])


def run(e, **at):
    """The value by the program, by the program as written, and by the interpreter; they agree."""
    graph = ad.Graph(e)
    given = [at[i.name] for i in graph.inputs]
    found = [ad.function(graph.inputs, graph, simplify=mode)(*given) for mode in ("safe", None)]
    found.append(graph.evaluate(dict(zip(graph.inputs, given))))
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=1e-12, atol=1e-300)
    return found[0]


def box(value, *inputs, **how):
    return ad.OpFromGraph(inputs, value, **how)
