"""Gradients and Hessians of published functions, against arithmetic that knows no derivatives.

Protects the accuracy of first and second derivatives: the reference has sixty digits.
"""

from decimal import Decimal, localcontext
from functools import cache

import numpy as np
import pytest
from scipy.optimize import minimize

import autodiff_edu as ad
from tests.helpers import published
from tests.helpers.depth import some
from tests.helpers.published import PUBLISHED

pytestmark = pytest.mark.numeric

# ---- numbers of sixty digits ----


class Long(Decimal):
    """A decimal number that NumPy takes: np.exp of an object calls its method exp."""

    def sin(x):
        return series(x, lambda k: -x * x / (2 * k * (2 * k + 1)))

    def cos(x):
        return series(Long(1), lambda k: -x * x / (2 * k * (2 * k - 1)))

    def arctan(x):
        """Euler's series, which converges everywhere."""
        return series(x / (1 + x * x), lambda k: x * x / (1 + x * x) * 2 * k / (2 * k + 1))


def series(first, ratio):
    """first (1 + r₁ + r₁r₂ + ...), until a term no longer shows."""
    total, term, k = Long(0), first, 1
    while total + term != total:
        total, term, k = total + term, term * ratio(k), k + 1
    return total


def lifted(operation):
    """A method of Decimal that takes floats for what they are exactly, and returns a Long."""

    def method(*operands):
        exact = [v if isinstance(v, Decimal) else Decimal(float(v)) for v in operands]
        return Long(operation(*exact))

    return method


for name in ("add", "sub", "mul", "truediv", "pow"):
    setattr(Long, f"__{name}__", lifted(getattr(Decimal, f"__{name}__")))
    setattr(Long, f"__r{name}__", lifted(getattr(Decimal, f"__r{name}__")))
for name in ("__neg__", "exp", "sqrt"):
    setattr(Long, name, lifted(getattr(Decimal, name)))


# ---- references ----


def complex_step(f, x, h=1e-30):
    return np.array([f(x + 1j * h * e).imag / h for e in np.eye(len(x))])


def second_differences(f, x, h=Decimal("1e-15")):
    """Central ones: their error is of the order h², and sixty digits keep it."""
    with localcontext(prec=60):
        x = np.array([Long(v) for v in x], dtype=object)
        E = np.eye(len(x), dtype=int) * Long(h)

        def entry(a, b):
            return (f(x + a + b) - f(x + a - b) - f(x - a + b) + f(x - a - b)) / (4 * h * h)

        half = [[float(entry(a, b)) for b in E[: k + 1]] for k, a in enumerate(E)]
    return np.array([[half[max(i, j)][min(i, j)] for j in range(len(x))] for i in range(len(x))])


# ---- what is tested ----


@cache
def derivatives(f, n):
    """A function of x that returns f, its gradient and its Hessian."""
    x = ad.vector("x", shape=n)
    cost = f(x)
    return ad.function(x, [cost, ad.grad(cost, x), ad.hessian(cost, x)])


def points(p):
    """The standard starting point, and one nearby where nothing is zero or equal by chance."""
    start, i = np.array(p.start, float), np.arange(len(p.start))
    return start, start * (1 + 0.03 * np.sin(i + 1)) + 0.01 * np.cos(i)


def close(ours, reference):
    """To ten digits, entry by entry; an entry that cancels has the rounding of the largest."""
    atol = 1e-13 * np.abs(reference).max()
    np.testing.assert_allclose(ours, reference, rtol=1e-10, atol=atol)


FIRST = list({p.f: p for p in PUBLISHED}.values())


functions = pytest.mark.parametrize("p", some(FIRST, 12, 2), ids=lambda p: p.f.__name__)


def minima(turn):
    cases = some(PUBLISHED, 15, turn)
    return pytest.mark.each("p", cases, ids=lambda p: f"{p.f.__name__}-{p.minimum}")


@functions
def test_one_source_for_four_kinds_of_numbers(p):
    for x in points(p):
        value = p.f(x)
        long = p.f(np.array([Long(v) for v in x], dtype=object))
        kinds = [p.f(x + 0j).real, float(long), derivatives(p.f, len(x))(x)[0]]
        np.testing.assert_allclose(kinds, value, rtol=1e-11)


@functions
def test_gradient(p):
    for x in points(p):
        close(derivatives(p.f, len(x))(x)[1], complex_step(p.f, x))


@functions
def test_hessian(p):
    for x in some(points(p), 2, turn=1):
        close(derivatives(p.f, len(x))(x)[2], second_differences(p.f, x))


@functions
def test_a_python_function_is_differentiated_as_its_expression_is(p):
    for x in points(p):
        _, gradient, hessian = derivatives(p.f, len(x))(x)
        close(ad.grad(p.f)(x), gradient)
        close(ad.hessian(p.f)(x), hessian)


@minima(0)
def test_the_gradient_vanishes_where_the_minimum_was_published(p):
    """Up to what the Hessian makes of the digits that were not printed."""
    x = np.array(p.minimiser, float)
    value, gradient, hessian = derivatives(p.f, len(x))(x)
    unprinted = 10.0 ** (1 - p.digits) * np.abs(x) + 1e-15
    possible = np.abs(hessian) @ unprinted
    assert np.all(np.abs(gradient) <= possible)
    assert abs(value - p.minimum) <= 1e-5 * p.minimum + unprinted @ possible


@minima(2)
def test_the_hessian_tells_a_minimum_from_a_saddle(p):
    x = np.array(p.minimiser, float)
    curvatures = np.linalg.eigvalsh(derivatives(p.f, len(x))(x)[2])
    assert (curvatures.min() < -1e-12 * curvatures.max()) == p.saddle


@functions
def test_newtons_method_reaches_a_published_minimum(p):
    fn = derivatives(p.f, len(p.start))
    value, gradient, hessian = (lambda x, k=k: fn(x)[k] for k in range(3))
    options = {"jac": gradient, "hess": hessian, "method": "trust-exact", "tol": 1e-9}
    with np.errstate(over="ignore"):  # a step too long
        end = minimize(value, np.array(p.start, float), **options, options={"maxiter": 2000})
    minima = [q.minimum for q in PUBLISHED if q.f is p.f and not q.saddle]
    assert np.any(np.isclose(end.fun, minima, rtol=1e-5, atol=1e-12))


# f and the length of its gradient at the start, as TOMS Algorithm 566 prints them (the README of
# github.com/mpf/Toms566.jl): the formulas and the data here are the paper's.
TOMS_566 = [
    ("helical_valley", [-1, 0, 0], 2.50e3, 1.88e3),
    ("biggs_exp6", [1, 2, 1, 1, 1, 1], 7.79e-1, 2.55),
    ("gaussian", [0.4, 1, 0], 3.89e-6, 7.45e-3),
    ("powell_badly_scaled", [0, 1], 1.14, 2.00e4),
    ("box", [0, 10, 20], 1.03e3, 1.49e2),
    ("variably_dimensioned", 1 - np.arange(1, 41) / 40, 9.39e10, 1.01e11),
    ("watson", [0] * 9, 30.0, 178),
    ("penalty_1", range(1, 61), 5.45e9, 8.02e7),
    ("brown_badly_scaled", [1, 1], 1.00e12, 2.00e6),
    ("brown_dennis", [25, 5, -5, -1], 7.93e6, 2.14e6),
    ("trigonometric", [1 / 40] * 40, 2.01e-3, 5.30e-2),
    ("extended_rosenbrock", [-1.2, 1] * 20, 4.84e2, 1.04e3),
    ("beale", [1, 1], 14.2, 27.8),
    ("wood", [-3, -1, -3, -1], 1.92e4, 1.64e4),
]


@pytest.mark.each("name, start, value, slope", TOMS_566)
def test_the_start_has_the_value_and_the_slope_of_algorithm_566(name, start, value, slope):
    f, x = getattr(published, name), np.array(start, float)
    here = [f(x), np.linalg.norm(complex_step(f, x))]
    np.testing.assert_allclose(here, [value, slope], rtol=5e-3)


def test_three_ways_to_write_the_helix():
    """In each quadrant, and on the half line x1 = 0 < x2 that the paper's formula leaves out."""
    half_angle = derivatives(published.helical_valley_by_half_angle, 3)
    with_arctan2 = derivatives(published.helical_valley_by_arctan2, 3)
    papers = derivatives(published.helical_valley, 3)
    for x in ([2, 1, 0.3], [-2, 1, 0.3], [-2, -1, 0.3], [2, -1, 0.3], [0, 1.5, 0.3]):
        x = np.array(x, float)
        for other in (with_arctan2, papers) if x[0] else (with_arctan2,):
            for ours, reference in zip(other(x), half_angle(x)):
                close(ours, reference)
