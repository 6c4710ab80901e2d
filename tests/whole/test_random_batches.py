"""Random NumPy programs over many examples: each has its own value and slope, also where there are
none or one of them.

Protects batching rules in combinations, and batches without examples.

    python -m pytest tests/whole/test_random_batches.py --hypothesis-profile=nightly
"""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

import autodiff_edu as ad
from tests.helpers.numpy_programs import MASKED, OURS, programs

ROWS = MASKED.removeprefix("{x}").split("{x}")[0]  # how many are taken differs between examples


def with_slopes(program):
    """The inputs of a program, and the graph of its outputs and of the slopes of their sum."""
    inputs = [ad.tensor(f"x{k}", shape=shape) for k, shape in enumerate(program.declared)]
    try:
        outputs = program.within(OURS)(*inputs)
        slopes = ad.reverse_mode(outputs, inputs).outputs
        graph = ad.Graph([*outputs, *slopes], inputs)
        return inputs, graph, ad.evaluate(graph, dict(zip(inputs, program.values)))
    except (ad.ShapeError, ad.DTypeError):  # see test_random_programs
        assume(False)


@given(programs(), st.sampled_from([0, 0, 1, 3]), st.lists(st.booleans(), min_size=4, max_size=4))
def test_each_example_has_its_own_value(program, n, chosen):
    assume(ROWS not in program.source)
    inputs, graph, wanted = with_slopes(program)
    names = {x.name for x, yes in zip(inputs, chosen) if yes} or {x.name for x in inputs}
    over = [x for x in inputs if x.name in names]
    many = ad.vectorize(graph, over=over, size=n if chosen[-1] else None)
    values = {
        x.name: np.resize(value, (n, *np.shape(value))) if x.name in names else value
        for x, value in zip(inputs, program.values)
    }
    found = ad.evaluate(many.graph, {x: values[x.name] for x in many.graph.inputs})
    for value, one in zip(found, wanted, strict=True):
        each = np.broadcast_to(one, (n, *np.shape(one)))
        assert np.shape(value) == np.shape(each)
        np.testing.assert_allclose(value, each, rtol=1e-9, atol=1e-9)
