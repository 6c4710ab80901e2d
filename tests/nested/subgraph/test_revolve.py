"""Revolve: the binomial schedule of checkpoints, out of nested `ad.checkpoint` boxes.

(Griewank and Walther, Algorithm 799, ACM Transactions on Mathematical Software 26, 2000.) A chain
of l steps is differentiated with room for s states, the first one included: m steps are made to a
state that is kept, the rest is reversed from there with one place less, the place is free again,
and the first m steps are reversed from the beginning. So

    t(l, s) = min over m of  m + t(l − m, s − 1) + t(m, s),      t(1, s) = 0

steps are made besides those that are reversed. It is counted how often the step is performed. The
pullback of a step is an operation of its own that needs the state before the step alone; hence
reversing a step does not perform it, and the last step of all is performed for the value, if it is
asked for. The gradient alone performs exactly t(l, s) steps, value and gradient one more.
"""

import tracemalloc
from functools import cache
from math import comb, inf

import numpy as np
import pytest

import autodiff_edu as ad

# ---- the schedule


def revolve(step, x, l, s):
    """l steps from the state x; its gradient keeps s states at most, x included."""
    if l == 1:
        return step(x)
    m = split(l, s)
    middle = ad.checkpoint(lambda x: revolve(step, x, m, s))(x)
    return revolve(step, middle, l - m, s - 1)


def split(l, s):
    """After how many steps the next state is kept."""
    return min(range(1, l), key=lambda m: m + extra(l - m, s - 1) + extra(m, s))


@cache
def extra(l, s):
    """How many steps are made besides those that are reversed."""
    if l == 1:
        return 0
    return min(m + extra(l - m, s - 1) + extra(m, s) for m in range(1, l)) if s else inf


# ---- the table of SYLLABUS 5D

TEN = {1: 45, 2: 20, 3: 15, 4: 14, 5: 13, 6: 12, 7: 11, 8: 10, 9: 9}
HUNDRED = {2: 845, 3: 490, 5: 316, 10: 222, 20: 178, 50: 148}
TABLE = [(10, s, t) for s, t in TEN.items()] + [(100, s, t) for s, t in HUNDRED.items()]


def repetitions(l, s):
    """r, the most often that a step is performed: β(s, r − 1) < l ≤ β(s, r) = C(s + r, s)."""
    return next(r for r in range(l) if l <= comb(s + r, s))


def binomial(l, s):
    """t(l, s) = r·l − β(s + 1, r − 1)."""
    r = repetitions(l, s)
    return r * l - comb(s + r, s + 1)


def test_the_recursion_gives_the_binomial_formula_and_the_table():
    for l in range(2, 60):
        assert [extra(l, s) for s in range(1, 8)] == [binomial(l, s) for s in range(1, 8)]
    assert [extra(l, s) for l, s, _ in TABLE] == [t for *_, t in TABLE]
    assert binomial(100, 1) == 4950


# ---- counted


class Step(ad.Op):
    """x ↦ sin(x) + x/2, which counts how often it is performed."""

    name = label = "step"

    def __init__(self):
        super().__init__()
        self.performed = 0

    def infer_type(self, x):
        return x

    def perform(self, x):
        self.performed += 1
        return np.sin(x) + x / 2

    def pullback(self, inputs, outputs, cotangents):
        return [cotangents[0] * (ad.cos(inputs[0]) + 0.5)]


def program(l, s, value=False):
    """The gradient of l steps by revolve, and the step in it."""
    x, step = ad.vector("x"), Step()
    y = revolve(step, x, l, s)
    slope = ad.grad(y.sum(), x)
    return ad.function(x, [y, slope] if value else slope), step


def plain(l):
    """The state after l steps and its derivative, by hand."""
    x, slope = np.linspace(-1, 1, 5), np.ones(5)
    for _ in range(l):
        x, slope = np.sin(x) + x / 2, slope * (np.cos(x) + 0.5)
    return x, slope


@pytest.mark.parametrize("l, s, wanted", TABLE)
def test_as_many_steps_are_performed_as_the_table_says(l, s, wanted):
    gradient, step = program(l, s)
    np.testing.assert_allclose(gradient(np.linspace(-1, 1, 5)), plain(l)[1], rtol=1e-12)
    assert step.performed == wanted


@pytest.mark.parametrize("l, s", [(10, 3), (100, 5)])
def test_the_value_takes_one_step_more(l, s):
    both, step = program(l, s, value=True)
    np.testing.assert_allclose(both(np.linspace(-1, 1, 5)), plain(l), rtol=1e-12)
    assert step.performed == extra(l, s) + 1


@pytest.mark.parametrize("l, s, _", TABLE)
def test_no_more_memory_is_taken_than_there_is_room_for(l, s, _):
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


@pytest.mark.parametrize("s", [1, 3, 9])
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
