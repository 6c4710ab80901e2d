"""NumPy's own functions, operators and methods build expressions."""

from pathlib import Path

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import autodiff_edu as ad
from tests.helpers.depth import some

V = np.array([0.3, -1.2, 2.0])
M = np.arange(12.0).reshape(3, 4) / 7
RNG = np.random.default_rng(3)
VALUES = {
    "s": np.float64(0.7),
    "v": RNG.uniform(0.1, 0.9, 3),
    "w": RNG.uniform(-2, 2, 3),
    "u": RNG.normal(size=5),
    "M": RNG.uniform(-2, 2, (3, 4)),
    "N": RNG.uniform(0.2, 2, (4, 2)),
    "T": RNG.normal(size=(2, 3, 4)),
    "S": np.array([[4, 1, 0.5], [1, 3, 0.2], [0.5, 0.2, 2]]),
    "f": RNG.normal(size=3).astype("float32"),
    "k": np.array([2, -3, 5]),
    "K": np.array([[1, 2, 3], [-4, 5, 6]]),
    "h": np.array([1, 2, 3], "int32"),
    "i": np.int64(1),
    "r": np.int32(3),
    "p": np.uint8(3),
    "y": np.array([0, 1, 0]),
    "b": np.array([True, False, True]),
    "B": RNG.normal(size=(3, 4)) > 0,
}
NAMES = {
    "np": np,
    "arr": np.arange(3.0),
    "ARR": np.arange(12.0).reshape(3, 4),
    "sliding_window_view": sliding_window_view,
}
LINES = (Path(__file__).parent / "same_text.txt").read_text("utf-8").splitlines()
TEXTS = [line for line in LINES if line and not line.startswith("# ")]
KNOWN = "  # known"


def run(text, values):
    """The values of a text, always as a list."""
    with np.errstate(all="ignore"):
        found = eval(text, NAMES | values)
    return list(found) if isinstance(found, (tuple, list)) else [found]


def symbols(known):
    return {
        name: ad.tensor(name, np.asarray(v).dtype, np.shape(v) if known else (None,) * np.ndim(v))
        for name, v in VALUES.items()
    }


def close(found, expected):
    tolerance = 1e-5 if np.asarray(expected).dtype.itemsize < 8 else 1e-12
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=1e-13)


@pytest.mark.each("known, text", [
    (known, text)
    for k, text in some(enumerate(TEXTS), 8) for known in some(["known", "unknown"], 2, turn=k // 8)
])  # fmt: skip
def test_the_same_text_gives_the_same_value(known, text):
    inputs = symbols(known == "known")
    at = {inputs[name]: v for name, v in VALUES.items()}
    if known == "unknown" and text.endswith(KNOWN):
        with pytest.raises((ad.ShapeError, TypeError), match="known|declare"):
            run(text, inputs)
        return
    nodes, expected = run(text, inputs), run(text, VALUES)
    assert len(nodes) == len(expected)
    for node, value in zip(nodes, expected):
        if not isinstance(node, ad.Expr):  # a length, a dtype
            assert node == value
            continue
        found = ad.evaluate(node, at)
        close(found, value)
        assert node.dtype == np.asarray(found).dtype == np.asarray(value).dtype
        assert node.type.fits(np.shape(value)) and np.shape(found) == np.shape(value)
        close(ad.function([*at], node, on_unused_input="ignore")(*VALUES.values()), value)


@pytest.mark.each("text", some(TEXTS, 28, turn=1))
def test_its_gradient_is_that_of_numpys_text(text):
    inputs = symbols(known=True)
    at = {inputs[name]: v for name, v in VALUES.items()}
    nodes = [n for n in run(text, inputs) if isinstance(n, ad.Expr) and n.dtype == "float64"]
    wrt = {name: x for name, x in inputs.items() if x.dtype == "float64"}
    if not nodes:
        return
    rng = np.random.default_rng(1)
    weights = [rng.normal(size=np.shape(ad.evaluate(n, at))) for n in nodes]
    ways = {name: rng.normal(size=x.shape) for name, x in wrt.items()}
    ways["S"] += ways["S"].T  # eigenvalues and Cholesky factors are those of symmetric matrices
    total = sum(ad.sum(n * ad.constant(c)) for n, c in zip(nodes, weights))
    slopes = ad.grad(total, list(wrt.values()), disconnected_inputs="ignore")
    slope = sum(np.sum(ad.evaluate(g, at) * ways[name]) for name, g in zip(wrt, slopes))

    def value(step):
        moved = {name: VALUES[name] + step * way for name, way in ways.items()}
        found = [e for e in run(text, VALUES | moved) if np.asarray(e).dtype == "float64"]
        return sum(np.sum(e * c) for e, c in zip(found, weights, strict=True))

    h = 1e-6
    difference = (8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h)
    np.testing.assert_allclose(slope, difference, rtol=1e-6, atol=1e-7)


@pytest.mark.each("left", [np.arange(3.0), np.float64(2), np.float32(2), 2, 2.5, True])
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


def test_names_of_rooms_are_no_numpy_functions():
    M = ad.matrix("M", shape=(2, 2))
    assert ad.evaluate(np.trace(M), {M: [[1, 2], [3, 4]]}) == 5
    with pytest.raises(TypeError, match="np.unique"):
        np.unique(M)
    assert np.shape(M) == (2, 2) and np.ndim(M) == 2


def test_an_entry_cannot_be_assigned_and_the_cause_says_what_to_write():
    x, y = ad.vector("x", shape=3), np.zeros(3)
    with pytest.raises(ValueError) as caught:
        y[0] = x[0]
    assert "ad.array(y).at[0].set(e)" in str(caught.value.__cause__)
