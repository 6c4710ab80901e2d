"""NumPy's own functions, operators and methods build expressions."""

import numpy as np
import pytest

import autodiff_edu as ad

V = np.array([0.3, -1.2, 2.0])
M = np.arange(12.0).reshape(3, 4) / 7
CASES = [
    lambda x, np: np.exp(x), lambda x, np: np.sum(x, axis=0), lambda x, np: np.sum(x),
    lambda x, np: np.mean(x, axis=-1, keepdims=True), lambda x, np: np.where(x > 0, x, 0),
    lambda x, np: np.maximum(0, x), lambda x, np: np.clip(x, -1, 1), lambda x, np: np.max(x),
    lambda x, np: np.arctan2(x, 2), lambda x, np: np.square(x) + np.abs(x) - np.sign(x),
    lambda x, np: np.reshape(x, (-1, 1)), lambda x, np: np.expand_dims(x, 1),
    lambda x, np: np.prod(x, axis=0), lambda x, np: np.dot(x, x.T), lambda x, np: x.sum(),
    lambda x, np: x[1:], lambda x, np: x[::-1], lambda x, np: x[..., 0], lambda x, np: x[None, 1],
    lambda x, np: x[-1], lambda x, np: x[2:0:-2], lambda x, np: x.T, lambda x, np: +x + (-x) * 2,
    lambda x, np: 2 - x, lambda x, np: 2 / (x + 5), lambda x, np: 2**x, lambda x, np: x**2 * 1.5,
    lambda x, np: (x > 0) & ~(x > 1), lambda x, np: (2 < x) | (x <= 0), lambda x, np: x == 0.3,
    lambda x, np: abs(x), lambda x, np: x.mean(axis=0), lambda x, np: x.ravel(),
    lambda x, np: np.ones_like(x) + np.zeros_like(x), lambda x, np: np.tanh(x).max(axis=0),
    lambda x, np: np.transpose(x), lambda x, np: np.broadcast_to(x, (2, *x.shape)),
    lambda x, np: x.reshape(1, -1).squeeze(), lambda x, np: np.min(x, axis=0) * np.pi,
]  # fmt: skip


@pytest.mark.parametrize("value", [V, M], ids=["vector", "matrix"])
@pytest.mark.parametrize("case", CASES)
def test_the_same_text_gives_the_same_value(case, value):
    x = ad.tensor("x", shape=value.shape)
    with np.errstate(all="ignore"):
        expected = case(value, np)
    node = case(x, np)
    assert isinstance(node, ad.Expr)
    found = ad.evaluate(node, {x: value})
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    assert node.dtype == expected.dtype and node.type.shape == np.shape(expected)


@pytest.mark.parametrize("left", [np.arange(3.0), np.float64(2), np.float32(2), 2, 2.5, True])
def test_operands_on_the_left(left):
    x = ad.vector("x", shape=3)
    for op in (np.add, np.subtract, np.multiply, np.divide, np.power, np.less):
        with np.errstate(all="ignore"):
            expected = op(left, V)
        np.testing.assert_array_equal(ad.evaluate(op(left, x), {x: V}), expected)
    for node, expected in ((left + x, left + V), (left - x, left - V), (left < x, left < V)):
        np.testing.assert_array_equal(ad.evaluate(node, {x: V}), expected)


def test_numbers_are_weak():
    x = ad.vector("x", dtype="float32", shape=2)
    n = ad.vector("n", dtype="int64", shape=2)
    assert (x * 2.5).dtype == "float32" and (1 / x).dtype == "float32"
    assert (n * 2).dtype == "int64" and (n * 2.5).dtype == "float64" and (n / 2).dtype == "float64"
    assert (x * np.float64(2)).dtype == "float64" and (x + n).dtype == "float64"
    assert np.sqrt(n).dtype == "float64" and (n > 1).dtype == "bool"


def test_expressions_are_keys_and_never_merged_when_built():
    x = ad.scalar("x")
    a, b = x * x, x * x
    assert a is not b and {a: 1, b: 2}[b] == 2
    assert ad.same([a], [b])


def test_shapes_may_hold_expressions():
    X = ad.matrix("X")
    rows, columns = X.shape
    flat = X.reshape(rows * columns)
    back = ad.reshape(flat, (rows, columns))
    f = ad.function(X, [flat, back, ad.grad(ad.sum(back * back), X), X.size])
    flat, back, slope, size = f(M)
    np.testing.assert_array_equal(back, M)
    np.testing.assert_array_equal(slope, 2 * M)
    assert flat.shape == (12,) and size == 12
