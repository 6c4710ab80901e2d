"""Dense derivatives: what is diagonal changes no value, and unit vectors are not multiplied."""

import numpy as np
import pytest

import autodiff_edu as ad

SHAPES = [(1,), (5,), (100,)]
PRODUCTS = {"multiply", "divide", "matmul", "sum", "negative"}


def elementwise(seed, x):
    """A random expression of x, entry by entry."""
    draw = np.random.default_rng(seed)
    numbers = ad.constant(draw.normal(size=x.shape))
    steps = [
        ad.sin, lambda y: y * x, lambda y: y / (2 + ad.cos(x)), lambda y: -y, lambda y: y + x * x,
        lambda y: ad.exp(x) - y, lambda y: y * numbers, lambda y: ad.where(x > 0, y, ad.sin(y)),
        lambda y: y * ad.sum(y), lambda y: y + ad.sum(x**2) ** 2,
    ]  # fmt: skip
    y, elementary = ad.tanh(x), True
    for k in draw.integers(len(steps), size=4):
        y, elementary = steps[k](y), elementary and k < 8
    return y, elementary


def multiplied(y):
    """Operations that compute with a diagonal matrix as if it were dense."""
    return [
        n for n in ad.simplify(y).graph.operations
        if n.op.name in PRODUCTS and any(is_diagonal(x) for x in n.inputs)
    ]  # fmt: skip


def is_diagonal(x):
    return x.op is not None and x.op.name == "diagonal_matrix"


@pytest.mark.numeric
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("seed", range(12))
def test_diagonals_change_no_derivative(seed, shape):
    x = ad.tensor("x", shape=shape)
    y, elementary = elementwise(seed, x)
    value = np.random.default_rng(seed).normal(size=shape)
    for mode in ("forward", "reverse"):
        J = ad.jacobian(y, x, mode=mode)
        raw = ad.evaluate(J, {x: value})
        np.testing.assert_allclose(ad.function(x, J)(value), raw, rtol=1e-9, atol=1e-9)
        if elementary:
            assert not raw[~np.eye(x.size, dtype=bool).reshape(raw.shape)].any()


@pytest.mark.parametrize("n", [5, 100])
def test_unit_vectors_are_not_multiplied_in_a_hessian(n):
    x, W = ad.vector("x", shape=n), ad.matrix("W", shape=(n, n))
    for cost in (
        ad.sum(ad.exp(x)) + ad.sum(x * x) ** 2,
        ad.sum(ad.tanh(W @ x) ** 2),
        ad.logsumexp(x) + ad.sum(x**3),
    ):
        assert not multiplied(ad.hessian(cost, x))
