"""Numbers that were published or computed elsewhere with other tools.

Protects from errors that the engine makes consistently: nothing here was computed by us.
"""

from math import factorial

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits

import autodiff_edu as ad
from autodiff_edu.expr import Graph

pytestmark = pytest.mark.numeric


def test_baydins_gradient_and_second_derivatives():
    """Baydin et al. 2018, tables 2 and 3: ln x₁ + x₁x₂ − sin x₂ at (2, 5)."""
    x1, x2 = ad.scalar("x1"), ad.scalar("x2")
    f = ad.log(x1) + x1 * x2 - ad.sin(x2)
    g = ad.grad(f, [x1, x2])
    h = [ad.grad(gi, [x1, x2]) for gi in g]
    fn = ad.function([x1, x2], [f, *g, *h[0], *h[1]])
    expected = [11.652071455223084, 5.5, 1.7163378145367738, -0.25, 1, 1, -0.9589242746631385]
    np.testing.assert_allclose(fn(2.0, 5.0), expected, rtol=1e-15)
    assert ad.evaluate(ad.forward_mode(f, [x1, x2], [1, 0]), {x1: 2.0, x2: 5.0}) == 5.5


def test_griewank_and_walthers_opening_example():
    x1, x2 = ad.scalar("x1"), ad.scalar("x2")
    y = (ad.sin(x1 / x2) + x1 / x2 - ad.exp(x2)) * (x1 / x2 - ad.exp(x2))
    fn = ad.function([x1, x2], [y, *ad.grad(y, [x1, x2])])
    expected = [2.0166466694, 3.0118433277, -13.7239615093]
    np.testing.assert_allclose(fn(1.5, 0.5), expected, rtol=1e-9)


def logistic_map(n):
    x = ad.scalar("x")
    value = x
    for _ in range(n - 1):
        value = 4 * value * (1 - value)
    return x, value


def test_the_logistic_map():
    x, l4 = logistic_map(4)
    derivatives = [l4]
    for _ in range(4):
        derivatives.append(ad.grad(derivatives[-1], x))
    fn = ad.function(x, derivatives)
    expected = [112896 / 390625, 9.0660864]
    np.testing.assert_allclose(fn(0.2)[:2], expected, rtol=1e-13)
    coefficients = [1, -42, 504, -2640, 7040, -9984, 7168, -2048]
    for point in (0.1, 0.2, 0.7):
        polynomial = 64 * sum(c * point**k for k, c in enumerate(coefficients))
        np.testing.assert_allclose(fn(point)[1], polynomial, rtol=1e-10)


@pytest.mark.parametrize("n", range(1, 8))
def test_the_swell_table(n):
    """Sizes as trees and as graphs of the logistic map and of its unsimplified derivative."""
    x, value = logistic_map(n)
    derivative = ad.symbolic_derivative(value, x).after
    assert Graph(value).tree_size == 6 * 2 ** (n - 1) - 5
    assert Graph(value).size == (1 if n == 1 else 3 * n)
    assert derivative.tree_size == [1, 19, 73, 217, 577, 1441, 3457][n - 1]
    assert derivative.size == (1 if n == 1 else 10 * n - 7)


HELMHOLTZ = {
    2: (-0.2938332274703311, 2.94414692508),
    3: (-0.4360524995729193, 3.70067299163),
    8: (-1.139174901278675, 6.38728906948),
    50: (-6.92862575062975, 16.338378227),
}


@pytest.mark.parametrize("n", HELMHOLTZ)
def test_helmholtz_energy(n):
    """Griewank's example in Baydin's form with R = T = 1."""
    i = np.arange(1, n + 1)
    b, point = 0.1 * i / (n + 1), 0.1 * (n + 1 - i) / (n + 1)
    A = 0.1 * np.minimum.outer(i, i) / (n + 1)
    x = ad.vector("x", shape=n)
    bx = b @ x
    root = 8**0.5
    log_terms = ad.log((1 + (1 + 2**0.5) * bx) / (1 + (1 - 2**0.5) * bx))
    f = ad.sum(x * ad.log(x / (1 - bx))) - (x @ A @ x) / (root * bx) * log_terms
    value, gradient = ad.function(x, [f, ad.grad(f, x)])(point)
    expected, norm = HELMHOLTZ[n]
    np.testing.assert_allclose(value, expected, rtol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(gradient), norm, rtol=1e-10)


def test_quadratic_form_has_the_gradient_of_laue():
    n = 4
    A = np.random.default_rng(0).normal(size=(n, n))
    x = ad.vector("x", shape=n)
    point = np.arange(1.0, n + 1)
    gradient = ad.function(x, ad.grad(x @ A @ x, x))(point)
    np.testing.assert_allclose(gradient, (A + A.T) @ point, rtol=1e-12)


def test_logistic_regression_on_breast_cancer():
    data = load_breast_cancer()
    features = (data.data - data.data.mean(axis=0)) / data.data.std(axis=0)
    labels = data.target.astype(float)
    X, y, w, b = ad.matrix("X"), ad.vector("y"), ad.vector("w"), ad.scalar("b")
    p = 1 / (1 + ad.exp(-(X @ w + b)))
    loss = -ad.mean(y * ad.log(p) + (1 - y) * ad.log(1 - p))
    fn = ad.function([X, y, w, b], [loss, *ad.grad(loss, [w, b])])
    weights, bias = np.zeros(30), 0.0
    value, dw, db = fn(features, labels, weights, bias)
    np.testing.assert_allclose(value, np.log(2), rtol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(dw), 1.4123677275676216, rtol=1e-12)
    np.testing.assert_allclose(db, -0.1274165202108963, rtol=1e-12)
    for _ in range(200):
        value, dw, db = fn(features, labels, weights, bias)
        weights, bias = weights - dw, bias - db
    accuracy = np.mean((features @ weights + bias > 0) == labels)
    assert value < 0.08 and accuracy > 0.97


# ---- gradients and Hessians of Python functions


def test_baydins_hessian():
    hessian = ad.hessian(lambda x: np.log(x[0]) + x[0] * x[1] - np.sin(x[1]))(np.array([2.0, 5.0]))
    np.testing.assert_allclose(hessian, [[-0.25, 1], [1, -0.9589242746631385]], rtol=1e-15)


def test_rosenbrocks_hessian_at_the_standard_start():
    rosenbrock = lambda x: 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2
    start = np.array([-1.2, 1.0])
    np.testing.assert_allclose(ad.hessian(rosenbrock)(start), [[1330, 480], [480, 200]])
    np.testing.assert_allclose(ad.jacobian(ad.grad(rosenbrock))(start), [[1330, 480], [480, 200]])


def test_griewank_and_walthers_tangent_and_gradient():
    def y(x):
        v = x[0] / x[1]
        return (np.sin(v) + v - np.exp(x[1])) * (v - np.exp(x[1]))

    gradient = ad.grad(y)(np.array([1.5, 0.5]))
    np.testing.assert_allclose(gradient, [3.0118433277, -13.7239615093], rtol=1e-10)


def test_speelpennings_gradient():
    x = np.arange(1.0, 11)
    np.testing.assert_allclose(ad.grad(np.prod)(x), factorial(10) / x)
    np.testing.assert_array_equal(ad.grad(np.prod)(np.array([1.0, 0, 3, 4])), [0, 12, 0, 0])


@pytest.mark.parametrize("n", HELMHOLTZ)
def test_helmholtz_energy_as_a_python_function(n):
    i = np.arange(1, n + 1)
    b, point = 0.1 * i / (n + 1), 0.1 * (n + 1 - i) / (n + 1)
    A = 0.1 * np.minimum.outer(i, i) / (n + 1)

    def energy(x):
        bx = b @ x
        ratio = (1 + (1 + np.sqrt(2)) * bx) / (1 + (1 - np.sqrt(2)) * bx)
        return np.sum(x * np.log(x / (1 - bx))) - x @ A @ x / (np.sqrt(8) * bx) * np.log(ratio)

    value, gradient = ad.value_and_grad(energy)(point)
    np.testing.assert_allclose(value, HELMHOLTZ[n][0], rtol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(gradient), HELMHOLTZ[n][1], rtol=1e-10)
    if n == 3:
        wanted = [-1.58765997476, -1.99306070127, -2.68365896429]
        np.testing.assert_allclose(gradient, wanted, rtol=1e-11)
    hessian = ad.hessian(energy)(point)
    by_rows = ad.jacobian(ad.grad(energy), mode="reverse")(point)
    np.testing.assert_allclose(hessian, by_rows, rtol=1e-10)
    np.testing.assert_allclose(hessian, hessian.T, rtol=1e-10)


def test_the_hessian_of_a_quadratic_form_is_a_plus_its_transpose():
    A = np.random.default_rng(1).normal(size=(5, 5))
    hessian = ad.hessian(lambda x: x @ A @ x)(np.ones(5))
    np.testing.assert_allclose(hessian, A + A.T, rtol=1e-14)


def test_curvature_of_logistic_regression():
    data = load_breast_cancer()
    X = (data.data - data.data.mean(axis=0)) / data.data.std(axis=0)
    y = data.target.astype(float)
    w, b = ad.vector("w", shape=30), ad.scalar("b")
    p = 1 / (1 + np.exp(-(X @ w + b)))
    loss = -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
    product = ad.hessian_vector_product(loss, w, np.ones(30))
    at_zero = ad.function([w, b], product)(np.zeros(30), 0.0)
    np.testing.assert_allclose(np.linalg.norm(at_zero), 16.872582744759843, rtol=1e-12)
    of_a_function = ad.hessian(lambda w: -np.mean(np.log(1 / (1 + np.exp((1 - 2 * y) * (X @ w))))))
    by_hessian = of_a_function(np.zeros(30)) @ np.ones(30)
    np.testing.assert_allclose(by_hessian, at_zero, rtol=1e-10)


@pytest.mark.parametrize(
    "penalty, value, slope",
    [
        (0.01, 1407.3632863731586, 85.23252583142981),
        (0.1, 1391.8609387502293, -78.8884544902128),
        (1.0, 1594.4008574141496, 258.8884446218399),
    ],
)
def test_the_hypergradient_of_ridge_regression(penalty, value, slope):
    X, y = load_diabetes(return_X_y=True)
    y = y - y.mean()

    def validation(penalty):
        A, b = X[:300], y[:300]
        w = np.linalg.solve(A.T @ A + penalty * np.eye(10), A.T @ b)
        return np.mean((X[300:] @ w - y[300:]) ** 2) / 2

    found = ad.value_and_grad(validation)(penalty)
    np.testing.assert_allclose(found, [value, slope], rtol=1e-10)


def test_the_derivative_of_newtons_square_root():
    def root(x, turns):
        t = (1 + x) / 2
        for _ in range(turns):
            t = (t + x / t) / 2
        return t

    errors = [abs(ad.grad(root)(2.0, turns) - 0.5 / np.sqrt(2)) for turns in range(6)]
    np.testing.assert_allclose(errors[:4], [0.146, 7.56e-3, 1.25e-5, 1.84e-11], rtol=0.01)
    assert max(errors[4:]) < 1e-15


def test_a_linear_softmax_on_the_digits_at_zero():
    X, y = load_digits(return_X_y=True)

    def loss(W):
        logits = (X / 16) @ W
        p = np.exp(logits) / np.sum(np.exp(logits), axis=1, keepdims=True)
        return -np.mean(np.log(p[np.arange(len(y)), y]))

    value, slope = ad.value_and_grad(loss)(np.zeros((64, 10)))
    np.testing.assert_allclose(value, np.log(10), rtol=1e-14)
    # by exact rational arithmetic
    np.testing.assert_allclose(np.linalg.norm(slope), 0.44437952490893085, rtol=1e-13)
