"""By default no formula at random, and no gradient that is asked for in another way, becomes worse
than it is as it was written.
"""

from math import factorial

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import cosh, exp, sinh, sqrt, square, tanh
from tests.helpers.depth import draws, is_short, some
from tests.helpers.natural import FORMULAS, SIZES, random_formula
from tests.helpers.worse import derivatives, is_worse

pytestmark = [pytest.mark.numeric, pytest.mark.filterwarnings("ignore")]

MANY = 5 if is_short() else 5_000
FEW = 100  # of as many formulas one may be worse at a point
AT = [s * v for v in (1e-200, 1e-80, 1e-9, 0.7, 4.0, 30.0, 180.0, 360.0, 720.0, 1e30, 1e80, 1e155)
      for s in (1, -1)]  # fmt: skip
x = ad.scalar("x")


def worse(formula, sizes, roots, program):
    """The first point and order at which a program is worse than the formula as it is written."""
    written = ad.function(x, roots, simplify=None, on_unused_input="ignore")
    for at in sizes:
        for k, (a, b) in enumerate(zip(written(at), program(at), strict=True)):
            if is_worse(roots[k], x, at, float(a), float(b)):
                return str(formula), k, at, float(a), float(b)
    return None


def test_formulas_at_random_are_no_worse_than_they_are_written():
    found = []
    for seed in range(MANY):
        formula = random_formula(seed, x)
        roots = derivatives(formula, x, 2)
        found.append(worse(formula, AT, roots, ad.function(x, roots)))
    told = [one for one in found if one is not None]
    assert len(told) <= MANY // FEW, told


def roots_beside_squares(rng):
    """A sum of products of roots and of what stands under them, which overflows at 1e155."""
    s = 1 + square(x) if rng.random() < 0.5 else square(x) + square(x + 1)
    few = (1 / s, x / s, 1 / sqrt(s), x / sqrt(s), square(x) / s, sqrt(s), s / (1 + s), x)
    y = few[rng.integers(len(few))]
    for _ in range(rng.integers(3)):
        p = few[rng.integers(len(few))]
        y = (y + p, y - p, y * p, 2 * y, 1 / (1 + y) - p)[rng.integers(5)]
    return y


def test_a_root_of_what_overflows_is_no_worse_beside_it():
    rng = np.random.default_rng(3)
    for _ in some(range(draws(1_000)), 4):
        roots = derivatives(roots_beside_squares(rng), x, 1)
        program = ad.function(x, roots, on_unused_input="ignore")
        assert worse(roots[0], (0.7, 1e80, 1e155, 1e200, -1e155), roots, program) is None


def sums_of_functions(rng):
    """A sum of products of functions that rules of phase stabilise know, some of them opposite."""
    e, c = exp(x), cosh(x) if rng.random() < 0.5 else exp(x) + exp(-x)
    few = (tanh(x), e, x, e / c, tanh(x) / c, 1 / c, sinh(x) * tanh(x) / c, c + 1, (c + 1) / c)
    terms = [few[k] for k in rng.integers(len(few), size=rng.integers(2, 5))]
    y = terms[0]
    for p in (*terms[1:], terms[0]):
        y = (y + p, y - p, y * p, p - y, y - 1, y / c)[rng.integers(6)]
    return y


def test_terms_and_factors_that_meet_are_no_worse_than_apart():
    rng = np.random.default_rng(4)
    for _ in some(range(draws(600)), 4):
        roots = derivatives(sums_of_functions(rng), x, 1)
        program = ad.function(x, roots, on_unused_input="ignore")
        assert worse(roots[0], (1e-200, 0.7, 30.0, 180.0, 360.0, -360.0), roots, program) is None


def test_a_gradient_is_no_worse_whichever_way_it_is_asked_for():
    for name in some(np.random.default_rng(1).permutation([*FORMULAS]), 80):
        formula, signs = FORMULAS[name]
        roots, sizes = derivatives(formula(x), x, 1), [s * v for s in signs for v in SIZES]
        slope, both = ad.grad(formula), ad.value_and_grad(formula)
        assert worse(name, sizes, roots, both) is None
        assert worse(name, sizes, roots[1:], lambda at, slope=slope: [slope(at)]) is None


def test_a_jet_is_no_worse_than_the_jet_as_it_is_written():
    """It is written otherwise than a derivative of a derivative, and overflows at other points."""
    for name in some(np.random.default_rng(2).permutation([*FORMULAS]), 80):
        formula, signs = FORMULAS[name]
        roots, jet = derivatives(formula(x), x, 3), ad.jet(formula(x), x, 3)
        written, program = ad.function(x, jet, simplify=None), ad.function(x, jet)
        for at in (s * v for s in signs for v in SIZES):
            for k, (a, b) in enumerate(zip(written(at), program(at), strict=True)):
                told = (str(name), k, at, float(a), float(b))
                times = factorial(k)
                assert not is_worse(roots[k], x, at, times * float(a), times * float(b)), told
