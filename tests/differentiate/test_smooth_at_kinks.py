"""Smooth functions of |x|, norm and hypot have all their derivatives at 0, simplified or not.

The judge is a power series: f(r) = Σ cₖ r^2k in the variables themselves, of which the derivatives
at 0 are known.
"""

from math import factorial

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws, some

pytestmark = [pytest.mark.numeric, pytest.mark.filterwarnings("ignore::RuntimeWarning")]

t = ad.scalar("t")
MODES = (None, "ieee", "safe", "real")
LENGTHS = {
    "abs": lambda u: ad.abs(u),
    "norm": lambda u: ad.norm(ad.stack([u, 0 * u])),
    "hypot": lambda u: ad.hypot(u, 0.0),
    "norm of a row": lambda u: ad.norm(ad.array([[0.6 * u, -0.8 * u]]), axis=1)[0],
    "size of a matrix": lambda u: ad.norm(ad.array([[0.6 * u], [0.8 * u]])),
}

# ---- the cases that were reported


def after(mode, y):
    return y if mode is None else ad.simplify(y, mode=mode).output


@pytest.mark.parametrize("mode", some(MODES, 3))
def test_hessians_at_a_point_of_length_0(mode):
    y = ad.vector("y", shape=(2,))
    r, h = ad.norm(y - 1.0), ad.hypot(y[0] - 1, y[1] - 1)
    one = np.eye(2)
    costs = [
        (0.5 * r**2, one), (0.5 * ad.square(r), one), (0.5 * r * r, one), (ad.cosh(h), one),
        (ad.cos(r), -one), (ad.exp(-(r**2) / 2), -one), (1 / (1 + h**2), -2 * one), (r**4, 0 * one),
        (ad.sqrt(1 + r**2), one), (0.5 * ad.norm((y - 1.0)[:, None]) ** 2, one),
        (ad.where(r < 1, 0.5 * r**2, r - 0.5), one), (ad.sum(ad.abs(y - 1) ** 2) / 2 + 0 * r, one),
        ((0.5 * ad.norm((y - 1)[:, None], axis=1)) @ ad.norm((y - 1)[:, None], axis=1), one),
    ]  # fmt: skip
    for cost, wanted in some(costs, 3, turn=MODES.index(mode)):
        slope = after(mode, ad.grad(after(mode, cost), y))
        for hessian in (ad.jacobian(slope, y), ad.hessian(cost, y)):
            found = ad.evaluate(after(mode, hessian), {y: np.ones(2)})
            np.testing.assert_allclose(found, wanted, atol=1e-15, err_msg=str(cost))


def test_python_functions_have_them_too():
    assert ad.grad(ad.grad(lambda u: np.abs(u) ** 2))(0.0) == 2
    hessian = ad.hessian(lambda y: 0.5 * np.linalg.norm(y - 1.0) ** 2)(np.ones(2))
    np.testing.assert_array_equal(hessian, np.eye(2))


def test_what_is_linear_on_both_sides_has_the_second_slope_0():
    v = ad.vector("v", shape=(3,))
    for cost in (ad.sum(ad.abs(v)), ad.sum(ad.maximum(v, 0)), 0.5 * ad.sum(ad.maximum(v, 0) * 2)):
        np.testing.assert_array_equal(ad.evaluate(ad.hessian(cost, v), {v: np.zeros(3)}), 0)


def test_the_first_slope_keeps_its_size_at_extreme_lengths():
    for size in (1e-200, 1e-150, 1e150, 1e200):
        assert ad.grad(lambda u: np.abs(u) * 3)(-size) == -3
        np.testing.assert_allclose(ad.grad(np.linalg.norm)(np.array([size, size])), np.sqrt(0.5))


def matern(r):
    return (1 + np.sqrt(3) * r) * np.exp(-np.sqrt(3) * r)


def test_the_diagonal_of_a_matrix_of_distances_spoils_no_hessian():
    """Its lengths are 0 at all points: a nan would stand in all second derivatives."""

    def cost(x, kernel):
        off = [kernel(np.linalg.norm(x[i] - x[j])) for i in range(3) for j in range(3) if i != j]
        return sum(off) + 3 * kernel(0.0)

    def whole(x, kernel):
        return np.sum(kernel(np.linalg.norm(x[:, None] - x, axis=-1)))

    at = np.array([[0.0, 0.1], [1.0, -0.5], [0.3, 2.0]])
    for kernel in (lambda r: np.exp(-r), matern, np.tanh, lambda r: r):
        found, wanted = (ad.jacobian(ad.grad(f))(at, kernel) for f in (whole, cost))
        np.testing.assert_allclose(found, wanted, 1e-9, 1e-12)


@pytest.mark.parametrize("mode", MODES)
def test_the_remedy_of_the_page_on_limits(mode):
    """A kernel whose slope over the length has a limit, which nobody sees, is written by its
    series at 0."""
    y = ad.vector("y", shape=(2,))
    s = ad.sum(y**2)
    kernel = ad.where(s == 0, 1 - 1.5 * s, matern(ad.sqrt(ad.where(s == 0, 1.0, s))))
    slope = after(mode, ad.grad(after(mode, kernel), y))
    found = ad.evaluate(after(mode, ad.jacobian(slope, y)), {y: np.zeros(2)})
    np.testing.assert_allclose(found, -3 * np.eye(2))


# ---- random even functions


def drawn(rng, some):
    return some[rng.integers(len(some))]


def even(rng, r, deep):
    """A random smooth function of r² with its series in r², the first three coefficients."""
    kind = rng.integers(6) if deep else rng.integers(3)
    a = rng.uniform(-1.5, 1.5)
    if kind == 0:
        return drawn(rng, (a * r**2, a * ad.square(r), (a * r) * r, r * r * a)), [0, a, 0]
    if kind == 1:
        return ad.cos(a * r), [(-1) ** k * a ** (2 * k) / factorial(2 * k) for k in range(3)]
    if kind == 2:
        return ad.cosh(r * a), [a ** (2 * k) / factorial(2 * k) for k in range(3)]
    f, c = even(rng, r, deep - 1)
    if kind == 3:
        return ad.exp(f), np.exp(c[0]) * np.array([1, c[1], c[2] + c[1] ** 2 / 2])
    g, d = even(rng, r, deep - 1)
    if kind == 4:
        return f + g, np.add(c, d)
    return f * g, np.convolve(c, d)[:3]


@pytest.mark.each("seed", range(draws(100)))
def test_random_even_functions_of_lengths(seed):
    rng = np.random.default_rng(seed)
    name = drawn(rng, list(LENGTHS))
    y, (_, second, fourth) = even(rng, LENGTHS[name](t), rng.integers(3))
    y = y + drawn(rng, (0.0, 1.0)) * LENGTHS[name](t) ** 2 * 0  # another use of the length
    for mode in some(MODES, 2, turn=seed):
        slope = after(mode, y)
        found = []
        for _ in range(4):
            slope = after(mode, ad.grad(slope, t, disconnected_inputs="ignore"))
            found.append(ad.evaluate(slope, {t: 0.0}))
        np.testing.assert_allclose(found, [0, 2 * second, 0, 24 * fourth], 1e-9, 1e-9,
                                   err_msg=f"{name}, mode {mode}: {y}")  # fmt: skip
