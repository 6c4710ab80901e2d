"""The law of products: by default no formula becomes worse than it is as it was written.

mpmath judges natural formulas and their derivatives up to the third, from 1e-250 to 1e250.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.rewrite.algebra.hull import is_mixture
from tests.helpers.depth import some
from tests.helpers.natural import FORMULAS, SIZES
from tests.helpers.worse import derivatives, is_worse

ORDERS = 3
x, y, b = map(ad.scalar, "xyb")
p = ad.scalar("p", positive=True)


def ways(x, y, raw, orders):
    """Programs of the formula and its derivatives: simplified at the end, and in between too."""
    between = derivatives(y, x, orders, between=True)
    return ad.function(x, raw), ad.function(x, between)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.numeric
def test_natural_formulas_are_no_worse_than_they_are_written():
    rng = np.random.default_rng(0)
    for name in some(rng.permutation([*FORMULAS]), 60):
        assert_no_worse(name, ORDERS)


def assert_no_worse(name, orders):
    """Compare all derivatives up to this order, at all sizes, with those as written."""
    formula, signs = FORMULAS[name]
    x = ad.scalar("x")
    raw = derivatives(formula(x), x, orders)
    written = ad.function(x, raw, simplify=None)
    programs = ways(x, formula(x), raw, orders)
    for at in (sign * size for sign in signs for size in SIZES):
        as_written = written(at)
        for program in programs:
            for k, value in enumerate(program(at)):
                told = (str(name), k, at, as_written[k], value)
                assert not is_worse(raw[k], x, at, float(as_written[k]), float(value)), told


REPORTED = {
    "cosh": (lambda x: np.cosh(x) / (1 + np.cosh(x)), 360.0, 1, 0.0),
    "logistic density": (lambda x: np.exp(x) / (1 + np.exp(x)) ** 2, 240.0, 1, 0.0),
    "saturation": (lambda x: x**2 / (2 + x**2), 1e80, 1, 0.0),
    "e over cosh": (lambda x: np.exp(x) / np.cosh(x), 400.0, 2, 0.0),
    "Gauss": (lambda x: np.exp(-(x**2) / 2), 1e160, 2, 0.0),
    "x·Gauss": (lambda x: x * np.exp(-(x**2)), 1e160, 1, 0.0),
    "Gumbel": (lambda x: np.exp(-x - np.exp(-x)), -400.0, 2, 0.0),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.each("name", REPORTED)
def test_slopes_that_were_reported(name):
    f, at, order, wanted = REPORTED[name]
    for _ in range(order):
        f = ad.grad(f)
    np.testing.assert_allclose(f(at), wanted, atol=1e-100)


@pytest.mark.each("e, shorter", [
    (x * x, "square(x)"), (p * y / p, "y"), (2 * x * (3 * y), "6 * (x * y)"),
    (x * y * x, None), (x / p / p, None), (x * y * y / p * x, None),
    (ad.exp(x) * y * ad.exp(b), None),
])  # fmt: skip
def test_the_law_of_products(e, shorter):
    assert str(ad.simplify(e).output) == (shorter or str(e))


@pytest.mark.each("formula, most", [
    (lambda x: 1 / ad.cosh(x), 7), (lambda x: 1 / (1 + x**2), 10),
    (lambda x: x**2 / (1 + x**2), 17), (lambda x: 1 / ad.sqrt(1 + x**2), 12),
])  # fmt: skip
def test_like_terms_are_found_through_quotients_whose_denominator_is_not_0(formula, most):
    """Of second derivatives as they are written, with so many operations left."""
    d = ad.grad(ad.grad(formula(x), x), x)
    stage = ad.simplify(d, final=True)
    assert len([n for n in stage.after.operations if not n.op.free]) <= most
    at = {x: 0.7}
    np.testing.assert_allclose(ad.evaluate(stage.output, at), ad.evaluate(d, at), rtol=1e-12)
    assert "collect terms" in stage.counts


@pytest.mark.each("q, points, says", [
    ((1, 1), [(2, 2)], True), ((1, 1), [(2, 0), (0, 2)], True), ((0, 2), [(0, 1)], False),
    ((1, 1, 0), [(2, 0, 1), (0, 2, -1)], True),
    ((1, 0, 1), [(1, 1, 1), (1, 0, 0), (0, 0, 1)], False),
    ((1, 1), [(3, 0), (0, 1), (2, 2)], True),
])  # fmt: skip
def test_mixtures(q, points, says):
    assert is_mixture(q, frozenset([(0,) * len(q), *points])) is says
