"""The binomial schedule of checkpoints: its memory, its value, steps of several operations.

That it performs as many steps as were published is tested in `tests/whole/test_numbers.py`.
"""

import tracemalloc

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some
from tests.helpers.revolve import extra, plain, program, repetitions, revolve

PLACES = [(10, s) for s in range(1, 10)] + [(100, s) for s in (2, 3, 5, 10, 20, 50)]


@pytest.mark.parametrize("l, s", some([(10, 3), (100, 5)], 2))
def test_the_value_takes_one_step_more(l, s):
    both, step = program(l, s, value=True)
    np.testing.assert_allclose(both(np.linspace(-1, 1, 5)), plain(l), rtol=1e-12)
    assert step.performed == extra(l, s) + 1


@pytest.mark.parametrize("l, s", some(PLACES, 24))
def test_no_more_memory_is_taken_than_there_is_room_for(l, s):
    """The s states, and a cotangent for each box within a box, of which no more than r are; and
    two arrays to work with."""
    gradient, _ = program(l, s)
    x = np.linspace(-1, 1, 20_000)
    gradient(x[:2])
    tracemalloc.start()
    try:
        gradient(x)
        arrays = tracemalloc.get_traced_memory()[1] / x.nbytes
    finally:
        tracemalloc.stop()
    assert arrays < s + repetitions(l, s) + 2.5


@pytest.mark.parametrize("s", some([1, 3, 9], 3, turn=1))
def test_steps_of_several_operations_and_parameters_from_outside(s):
    """The last digits differ where the chain's own gradient reuses what here is computed again."""
    h, w, b = ad.vector("h"), ad.matrix("w"), ad.vector("b")

    def step(h):
        return ad.tanh(w @ h + b)

    y = h
    for _ in range(10):
        y = step(y)
    forms = [ad.grad((e**2).sum(), [h, w, b]) for e in (y, revolve(step, h, 10, s))]
    rng = np.random.default_rng(0)
    at = rng.normal(size=4), rng.normal(size=(4, 4)), rng.normal(size=4)
    wanted, found = (ad.function([h, w, b], slopes)(*at) for slopes in forms)
    for one, other in zip(found, wanted):
        np.testing.assert_allclose(one, other, rtol=1e-12)
