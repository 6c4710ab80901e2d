"""Numbers that were published or computed elsewhere with other tools, line by line: B to H.

Protects from errors that the engine makes consistently: nothing here was computed by us. The
paragraphs, and their lines, are those of the syllabus, "Outside checks"; A is in `test_numbers.py`.
"""

import sys
from functools import cache, reduce
from math import factorial
from operator import mul

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import course
from tests.helpers.depth import length, some
from tests.helpers.revolve import binomial, extra, plain, program

pytestmark = pytest.mark.numeric


def close(ours, expected, rtol=1e-9):
    np.testing.assert_allclose(ours, expected, rtol=rtol, atol=1e-15)


X1, X2 = ad.scalar("x1"), ad.scalar("x2")

# ---- B. Griewank & Walther's opening example, at (1.5, 0.5)

G1 = X1 / X2
G2, G3 = ad.sin(G1), ad.exp(X2)
G4 = G1 - G3
G5 = G2 + G4
GRIEWANK = [G1, G2, G3, G4, G5, G5 * G4]
GRIEWANK_VALUES = [3, 0.1411200081, 1.6487212707, 1.3512787293, 1.4923987374, 2.0166466694]
GRIEWANK_TANGENTS = [2, -1.9799849932, 0, 2, 0.0200150068, 3.0118433277]
GRIEWANK_GRADIENT = [3.0118433277, -13.7239615093]


def test_b_values_tangents_and_gradient():
    trace = ad.forward_mode(GRIEWANK[-1], [X1, X2], [1, 0]).trace(at={X1: 1.5, X2: 0.5})
    rows = {v.node: (v.value, t.value) for v, t in zip(trace.values, trace.tangents)}
    close([rows[v] for v in GRIEWANK], np.transpose([GRIEWANK_VALUES, GRIEWANK_TANGENTS]))
    close(ad.function([X1, X2], ad.grad(GRIEWANK[-1], [X1, X2]))(1.5, 0.5), GRIEWANK_GRADIENT)


# ---- C. Speelpenning's product


def test_c_gradient():
    x = np.arange(1.0, 11)
    close(ad.grad(np.prod)(x), factorial(10) / x)
    np.testing.assert_array_equal(ad.grad(np.prod)(np.array([1.0, 0, 3, 4])), [0, 12, 0, 0])


@pytest.mark.parametrize(
    "n, reverse, separate", some([(3, 4, 3), (40, 115, 1520), (10, 25, 80)], 2)
)
def test_c_multiplications(n, reverse, separate):
    """3n − 5 for the product and its gradient, n(n − 2) for separate products."""
    xs = [ad.scalar(f"x{k}") for k in range(n)]
    f = reduce(mul, xs)
    together = ad.simplify(ad.Graph([f, *ad.reverse_mode(f, xs).outputs], xs)).graph
    alone = [ad.simplify(ad.symbolic_derivative(f, x)).graph for x in xs]
    assert together.counts == {"multiply": reverse} and reverse == 3 * n - 5
    assert sum(g.counts["multiply"] for g in alone) == separate == n * (n - 2)


# ---- D. Revolve: t(l, s) extra forward steps

REVOLVE = {
    10: {1: 45, 2: 20, 3: 15, 4: 14, 5: 13, 6: 12, 7: 11, 8: 10, 9: 9},
    100: {1: 4950, 2: 845, 3: 490, 5: 316, 10: 222, 20: 178, 50: 148},
}


def test_d_the_formula_is_the_least_of_all_schedules():
    places = [(l, s) for l in range(1, length(80)) for s in range(1, 8)]
    assert [binomial(*place) for place in places] == [extra(*place) for place in places]
    course.check_fewest(extra, places, seed=0)  # against the formula as exercises check it


PLACES = [(l, s, t) for l in REVOLVE for s, t in REVOLVE[l].items()]


@pytest.mark.parametrize("l, s, t", some(PLACES, 24))
def test_d_as_many_steps_are_performed(l, s, t):
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10_000)  # with room for one, each box is in another
    try:
        gradient, step = program(l, s)
    finally:
        sys.setrecursionlimit(limit)
    close(gradient(np.linspace(-1, 1, 5)), plain(l)[1])
    assert step.performed == t == binomial(l, s)


# ---- E. Laue 2018: the Hessian of xᵀAx is A + Aᵀ

SQUARE = np.random.default_rng(1).normal(size=(5, 5))


def test_e_gradient_and_hessian_of_a_quadratic_form():
    x, at = ad.vector("x", shape=5), np.arange(1.0, 6)
    form = x @ SQUARE @ x
    close(ad.function(x, ad.grad(form, x))(at), (SQUARE + SQUARE.T) @ at)
    close(ad.evaluate(ad.hessian(form, x)), SQUARE + SQUARE.T)
    close(ad.hessian(lambda x: x @ SQUARE @ x)(at), SQUARE + SQUARE.T)
    differential = ad.symbolic_derivative(ad.grad(form, x), x)
    (dx,) = [i for i in differential.graph.inputs if i.name == "dx"]
    columns = [differential.evaluate({x: at, dx: unit}) for unit in np.eye(5)]
    close(np.transpose(columns), SQUARE + SQUARE.T)


# ---- G. Real data: logistic regression on breast cancer, a linear softmax on digits, ridge

CANCER = {
    "loss(0)": 0.6931471805599453,
    "norm of the gradient": 1.4123677275676216,
    "slope of the bias": -0.1274165202108963,
    "norm of the Hessian times ones": 16.872582744759843,
}
DIGITS = {"loss(0)": np.log(10), "norm of dW": 0.4443795249089309}
RIDGE = {  # penalty: the loss of validation, its derivative
    0.01: (1407.3632863731586, 85.23252583142981),
    0.1: (1391.8609387502293, -78.8884544902128),
    1.0: (1594.4008574141496, 258.8884446218399),
}


def table(name):
    """Features and targets, as scikit-learn has them."""
    from sklearn import datasets  # not when tests are collected: half a second

    return getattr(datasets, f"load_{name}")(return_X_y=True)


@cache
def cancer():
    """Features of mean 0 and deviation 1, and labels."""
    X, y = table("breast_cancer")
    return (X - X.mean(axis=0)) / X.std(axis=0), y.astype(float)


def test_g_logistic_regression_at_zero():
    X, y, w, b = ad.matrix("X"), ad.vector("y"), ad.vector("w"), ad.scalar("b")
    p = 1 / (1 + ad.exp(-(X @ w + b)))
    loss = -ad.mean(y * ad.log(p) + (1 - y) * ad.log(1 - p))
    curved = ad.hessian_vector_product(loss, w, ad.ones_like(w))
    fn = ad.function([X, y, w, b], [loss, *ad.grad(loss, [w, b]), curved])
    value, dw, db, curvature = fn(*cancer(), np.zeros(30), 0.0)
    found = [value, np.linalg.norm(dw), db, np.linalg.norm(curvature)]
    close(found, list(CANCER.values()))


def test_g_the_hessian_of_a_function_times_ones():
    X, y = cancer()
    loss = lambda w: -np.mean(np.log(1 / (1 + np.exp((1 - 2 * y) * (X @ w)))))
    product = ad.hessian(loss)(np.zeros(30)) @ np.ones(30)
    close(np.linalg.norm(product), CANCER["norm of the Hessian times ones"])


def test_g_logistic_regression_learns():
    X, y = cancer()
    w, b = ad.vector("w", shape=30), ad.scalar("b")
    p = 1 / (1 + ad.exp(-(X @ w + b)))
    loss = -ad.mean(y * ad.log(p) + (1 - y) * ad.log(1 - p))
    fn, weights, bias = ad.function([w, b], [loss, *ad.grad(loss, [w, b])]), np.zeros(30), 0.0
    for _ in range(200):
        value, dw, db = fn(weights, bias)
        weights, bias = weights - dw, bias - db
    assert value < 0.08 and np.mean((X @ weights + bias > 0) == y) > 0.97


def test_g_a_linear_softmax_on_the_digits_at_zero():
    X, y = table("digits")

    def loss(W):
        logits = (X / 16) @ W
        p = np.exp(logits) / np.sum(np.exp(logits), axis=1, keepdims=True)
        return -np.mean(np.log(p[np.arange(len(y)), y]))

    value, slope = ad.value_and_grad(loss)(np.zeros((64, 10)))
    close([value, np.linalg.norm(slope)], list(DIGITS.values()))


@pytest.mark.each("penalty", RIDGE)
def test_g_the_hypergradient_of_ridge_regression(penalty):
    X, y = table("diabetes")
    y = y - y.mean()

    def validation(penalty):
        A, b = X[:300], y[:300]
        w = np.linalg.solve(A.T @ A + penalty * np.eye(10), A.T @ b)
        return np.mean((X[300:] @ w - y[300:]) ** 2) / 2

    close(ad.value_and_grad(validation)(penalty), RIDGE[penalty])


# ---- H. Newton's square root of 2: the error of the derivative after N turns

NEWTON = [0.146, 7.56e-3, 1.25e-5, 1.84e-11]  # then nothing but rounding


def test_h_the_derivative_of_newtons_square_root():
    def root(x, turns):
        t = (1 + x) / 2
        for _ in range(turns):
            t = (t + x / t) / 2
        return t

    errors = [abs(ad.grad(root)(2.0, turns) - 0.5 / np.sqrt(2)) for turns in range(6)]
    close(errors[:4], NEWTON, rtol=0.01)
    assert max(errors[4:]) < 1e-15


# ---- lecture 18: Rosenbrock's Hessian at the standard start


def test_rosenbrocks_hessian():
    rosenbrock = lambda x: 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2
    start = np.array([-1.2, 1.0])
    close(ad.hessian(rosenbrock)(start), [[1330, 480], [480, 200]])
    close(ad.jacobian(ad.grad(rosenbrock))(start), [[1330, 480], [480, 200]])
