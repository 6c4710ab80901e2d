"""Products with Hessians, their diagonals, Newton's step and Gauss-Newton products."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

pytestmark = pytest.mark.numeric


def rosenbrock(x):
    return ad.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


x = ad.vector("x", shape=6)
AT = {x: np.random.default_rng(0).normal(size=6)}
COSTS = {
    "tridiagonal": rosenbrock(x),
    "separable": ad.sum(ad.exp(x) * x),
    "dense": ad.logsumexp(x * x[::-1]) + ad.sum(x) ** 3,
    "loop": ad.scan(lambda r, s: ad.tanh(s + r**2), sequences=x, outputs_info=0.1)[-1],
}
P = np.linspace(-1, 2, 6)


@pytest.mark.each("name", some(COSTS, 2))
@pytest.mark.each("mode", some(["forward", "reverse", None], 2))
def test_a_product_is_the_matrix_times_the_vector(name, mode):
    cost = COSTS[name]
    product = ad.evaluate(ad.hessian_vector_product(cost, x, P, mode=mode), AT)
    np.testing.assert_allclose(product, ad.evaluate(ad.hessian(cost, x), AT) @ P, rtol=1e-9)


@pytest.mark.each("name", ["tridiagonal", "separable", "dense"])
def test_the_cheaper_way_is_taken(name):
    ways = [ad.hessian_vector_product(COSTS[name], x, P, mode=m) for m in ("forward", "reverse")]
    chosen = ad.hessian_vector_product(COSTS[name], x, P)
    assert ad.cost(chosen).flops <= min(ad.cost(way).flops for way in ways)


def test_a_gate_is_passed_backwards():
    cost = ad.sum(ad.grad_scale(x, 3.0) ** 2)
    product = ad.evaluate(ad.hessian_vector_product(cost, x, P), AT)
    np.testing.assert_allclose(product, ad.evaluate(ad.hessian(cost, x), AT).T @ P)


def test_a_mode_that_there_is_not_is_told():
    with pytest.raises(ValueError, match="forward or reverse mode"):
        ad.hessian_vector_product(rosenbrock(x), x, P, mode="both")


# ---- the diagonal


@pytest.mark.each("name", COSTS)
def test_the_diagonal_is_that_of_the_matrix(name):
    found = ad.evaluate(ad.hessian_diagonal(COSTS[name], x), AT)
    expected = np.diag(ad.evaluate(ad.hessian(COSTS[name], x), AT))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.each(("name", "price"), [("separable", 1), ("tridiagonal", 2), ("dense", 6)])
def test_the_price_of_a_diagonal_is_its_number_of_colours(name, price):
    assert ad.sparsity(COSTS[name], x, order=2).coloring("diagonal").count == price


def test_the_diagonal_of_a_vector_of_unknown_length_and_of_a_matrix():
    v, M = ad.vector("v"), ad.matrix("M", shape=(2, 3))
    value = np.arange(1.0, 4)
    np.testing.assert_allclose(
        ad.evaluate(ad.hessian_diagonal(ad.sum(v**3), v), {v: value}), 6 * value
    )
    value = np.arange(6.0).reshape(2, 3)
    found = ad.evaluate(ad.hessian_diagonal(ad.sum(M**3), M), {M: value})
    np.testing.assert_allclose(found, 6 * value)


# ---- Newton, Gauss and Newton


def test_newton_solves_a_quadratic_in_one_step():
    A = np.array([[3.0, 1], [1, 2]])
    v = ad.vector("v", shape=2)
    after = ad.evaluate(ad.newton(v @ A @ v / 2 - ad.sum(v), v), {v: [5.0, -7.0]})
    np.testing.assert_allclose(after, np.linalg.solve(A, [1, 1]))


def test_newton_of_a_number_and_of_a_matrix():
    s, M = ad.scalar("s"), ad.matrix("M", shape=(2, 2))
    np.testing.assert_allclose(ad.evaluate(ad.newton(s**4, s), {s: 3.0}), 2.0)
    np.testing.assert_allclose(ad.evaluate(ad.newton(ad.sum(M**4), M), {M: 3 * np.ones((2, 2))}), 2)


def test_newton_in_a_loop_finds_the_minimum_and_damping_shortens_the_step():
    step = ad.function(x, ad.newton(rosenbrock(x), x))
    value = np.full(6, 0.9)
    for _ in range(8):
        value = step(value)
    np.testing.assert_allclose(value, 1)
    short, long = (ad.evaluate(ad.newton(ad.sum(x**2), x, d), AT) for d in (2.0, 0.0))
    np.testing.assert_allclose(short, AT[x] / 2)
    np.testing.assert_allclose(long, 0, atol=1e-12)


def test_a_gauss_newton_product_is_between_two_jacobians():
    r = ad.exp(x[1:]) - x[:-1] ** 2
    J = ad.evaluate(ad.jacobian(r, x), AT)
    np.testing.assert_allclose(ad.evaluate(ad.gauss_newton_product(r, x, P), AT), J.T @ J @ P)
    cost = ad.sum(r**4)
    C = np.diag(12 * ad.evaluate(r, AT) ** 2)
    found = ad.evaluate(ad.gauss_newton_product(r, x, P, cost), AT)
    np.testing.assert_allclose(found, J.T @ C @ J @ P)


def test_of_linear_residuals_it_is_the_product_with_the_hessian():
    A = np.random.default_rng(1).normal(size=(4, 6))
    cost = ad.sum((A @ x - 1) ** 2) / 2
    exact = ad.evaluate(ad.hessian_vector_product(cost, x, P), AT)
    np.testing.assert_allclose(ad.evaluate(ad.gauss_newton_product(A @ x, x, P), AT), exact)


def test_several_inputs_are_moved_together():
    y = ad.vector("y", shape=6)
    found = ad.gauss_newton_product(x * y, [x, y], [P, P])
    at = AT | {y: np.ones(6)}
    moved = P + AT[x] * P
    for product, expected in zip(ad.evaluate(found, at), (moved, AT[x] * moved), strict=True):
        np.testing.assert_allclose(product, expected)
