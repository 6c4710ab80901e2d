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

from functools import cache
from math import comb, inf

import numpy as np

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


# ---- the formula


def repetitions(l, s):
    """r, the most often that a step is performed: β(s, r − 1) < l ≤ β(s, r) = C(s + r, s)."""
    return next(r for r in range(l) if l <= comb(s + r, s))


def binomial(l, s):
    """t(l, s) = r·l − β(s + 1, r − 1)."""
    r = repetitions(l, s)
    return r * l - comb(s + r, s + 1)


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
