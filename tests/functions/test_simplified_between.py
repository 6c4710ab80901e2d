"""A derivative that is differentiated again is simplified first: the numbers are the same, the
programs shorter, and what it depended on is not forgotten."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import put_in
from tests.helpers.depth import draws, some

from ..helpers.programs import random_numbers, random_program

ROWS = np.random.default_rng(0).normal(size=(20, 5))
CLASSES = np.eye(3)[np.arange(20) % 3]
LABELS = np.arange(20) % 2


def logistic(w):
    return np.mean(np.log(1 + np.exp(-(2 * LABELS - 1) * (ROWS @ w))))


def cross_entropy(w):
    p = 1 / (1 + np.exp(-(ROWS @ w)))
    return -np.mean(LABELS * np.log(p) + (1 - LABELS) * np.log(1 - p))


def softmax_regression(w):
    z = ROWS @ w
    z = z - np.max(z, axis=1, keepdims=True)
    logarithms = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return -np.mean(np.sum(CLASSES * logarithms, axis=1))


# operations of the Hessian, of a product with it, and of the Hessian of what is not simplified
SIZES = {logistic: (8, 6, 10), cross_entropy: (11, 8, 28), softmax_regression: (12, 7, 31)}


def operations(made):
    """Of the program of the only path."""
    (path,) = made.paths
    return len(ad.simplify(path.graph, final=True).graph.operations)


@pytest.mark.parametrize("loss", some(SIZES, 3))
def test_second_derivatives_of_losses_are_short(loss):
    w, v = np.random.default_rng(1).normal(size=(2, 5, 3) if loss is softmax_regression else (2, 5))
    whole, along = ad.hessian(loss), ad.grad(lambda w: np.sum(ad.grad(loss)(w) * v))
    symbol = ad.tensor("w", shape=w.shape)
    raw = ad.hessian(loss(symbol), symbol)
    np.testing.assert_allclose(whole(w), ad.evaluate(raw, {symbol: w}), rtol=1e-10, atol=1e-12)
    assert np.isfinite(along(w)).all()
    sizes = operations(whole), operations(along), len(ad.simplify(raw).graph.operations)
    assert sizes == SIZES[loss]


def agrees(f, values):
    """Is the product of the Hessian of a function with ones that of the expression? It may be a
    number where that is nan, and differ by what a change of the values in the 12th digit makes."""
    inputs = [ad.tensor(f"x{k}", shape=np.shape(v)) for k, v in enumerate(values)]
    places = tuple(range(len(values)))
    slopes = ad.grad(f(*inputs), inputs, disconnected_inputs="ignore")
    along = sum(map(ad.sum, slopes))
    raw = ad.grad(along, inputs, disconnected_inputs="ignore")
    first = ad.grad(f, places, disconnected_inputs="ignore")
    made = ad.grad(lambda *xs: sum(map(np.sum, first(*xs))), places, disconnected_inputs="ignore")
    moved = [np.multiply(v, 1 + 1e-12) for v in values]
    for found, r in zip(made(*values), raw):
        wanted, near = (ad.evaluate(r, dict(zip(inputs, vs))) for vs in (values, moved))
        close = np.isclose(found, wanted, 1e-9, 1e-9 + np.nan_to_num(np.abs(near - wanted)))
        assert np.all(close | np.isnan(wanted)), (found, wanted, near)


def as_function(inputs, values, y):
    """The sum of an expression as a function of its inputs, and their values."""
    return lambda *xs: put_in([ad.sum(y)], dict(zip(inputs, xs)))[0], values


@pytest.mark.parametrize("program", some([random_program, random_numbers], 2, turn=1))
def test_numbers_are_those_of_the_derivative_as_it_was(program):
    for seed in range(draws(20)):
        agrees(*as_function(*program(seed)))


@ad.custom_gradient
def halved(x):
    return np.exp(x), lambda ct: ct * x / 2


GATED = {
    "grad_scale": lambda x: np.sum(np.exp(ad.grad_scale(np.sin(x), 2.0))),
    "grad_clip": lambda x: np.sum(np.exp(ad.grad_clip(x * x, -1.5, 1.5))),
    "zero_grad": lambda x: np.sum(ad.zero_grad(x) * x * x),
    "disconnected_grad": lambda x: np.sum(ad.disconnected_grad(x) * x * x),
    "custom_gradient": lambda x: np.sum(halved(x) * x),
    "loop": lambda x: np.sum(ad.scan(lambda v: np.sin(v) * x, x, n_steps=3)),
    "cond": lambda x: np.sum(ad.cond(np.sum(x) > 0, lambda: np.exp(x) * x, lambda: x * x)),
    "checkpoint": lambda x: np.sum(ad.checkpoint(lambda v: np.tanh(v) * v)(x)),
}


@pytest.mark.each("name", some(GATED, 3))
def test_gates_loops_and_boxes_stay_what_they_are(name):
    agrees(GATED[name], [np.array([0.5, -1.5, 2.0])])


def test_sparse_hessians_too():
    x = np.linspace(0.5, 1.5, 6)
    f = lambda x: np.sum(1 / (1 + np.exp(-np.sin(x[1:] * x[:-1]))))
    sparse, symbol = ad.hessian(f, sparse=True), ad.vector("x", shape=6)
    np.testing.assert_allclose(sparse(x).toarray(), ad.hessian(f)(x), rtol=1e-10)
    raw = ad.simplify(ad.hessian(f(symbol), symbol, sparse=True).data, final=True)
    assert operations(sparse) < len(raw.graph.operations)


def test_a_derivative_in_what_is_gone_is_zero():
    f = lambda x, y: 3 * x * y
    by_y = ad.grad(f, 1)  # 3·x, in which nothing of y is left
    assert ad.grad(ad.grad(by_y, 0), 1)(1.5, 2.0) == 0.0
    assert ad.grad(by_y, 1)(1.5, 2.0) == 0.0
