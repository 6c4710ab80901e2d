"""Numbers that were published or computed elsewhere with other tools."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

import autodiff_edu as ad
from autodiff_edu.expr import Graph


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
