"""Dense derivatives: what is diagonal changes no value, and unit vectors are not multiplied."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.ops import diagonal_matrix
from tests.helpers.depth import draws, some

SHAPES = [(1,), (5,), (100,), (2, 3), (1, 1), (9, 8), (2, 1, 2)]
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
@pytest.mark.parametrize("shape, seed", [
    (shape, seed) for k, shape in enumerate(SHAPES) for seed in some(range(12), 12, turn=k)
], ids=str)  # fmt: skip
def test_diagonals_change_no_derivative(seed, shape):
    x = ad.tensor("x", shape=shape)
    y, elementary = elementwise(seed, x)
    value = np.random.default_rng(seed).normal(size=shape)
    for mode in ("forward", "reverse"):
        J = ad.jacobian(y, x, mode=mode)
        raw = ad.evaluate(J, {x: value})
        np.testing.assert_allclose(ad.function(x, J)(value), raw, rtol=1e-9, atol=1e-9)
        assert x.size <= 4 or not multiplied(J)  # of few entries nothing is saved
        if elementary:
            assert not raw[~np.eye(x.size, dtype=bool).reshape(raw.shape)].any()


def reduced(seed, x):
    """A random expression of an array, with sums along axes, slices and joins."""
    draw = np.random.default_rng(seed)
    steps = [
        ad.sin, lambda y: y * y, lambda y: ad.sum(y, axis=0), lambda y: ad.sum(y, axis=-1),
        lambda y: ad.sum(y, axis=0, keepdims=True), lambda y: y.T, lambda y: y[1:], lambda y: -y,
        lambda y: ad.sum(y, axis=-1, keepdims=True), lambda y: ad.where(y > 0, y, 2 * y),
        lambda y: ad.concatenate([y, 2 * y], axis=0), lambda y: ad.mean(y) * y, ad.ravel,
        lambda y: y[..., :1], lambda y: ad.expand_dims(y, 0) * 2, lambda y: y[..., ::-1],
        lambda y: y / (2 + ad.cos(y)), lambda y: ad.max(y, axis=0), lambda y: ad.cumsum(y, axis=0),
        ad.softmax, lambda y: y @ y.T if y.ndim == 2 else y,
    ]  # fmt: skip
    y = x * 1.0
    for k in draw.integers(len(steps), size=draw.integers(1, 5)):
        y = steps[k](y) if y.ndim else ad.tanh(y)
    return y


@pytest.mark.numeric
@pytest.mark.parametrize("seed, known", [
    (seed, known) for seed in range(draws(120)) for known in some([True, False], 2, turn=seed)
])  # fmt: skip
def test_diagonals_of_arrays_change_no_derivative(seed, known):
    draw = np.random.default_rng(seed)
    shape = [(3,), (2, 3), (1, 1), (2, 1, 2), (4, 2), (1, 3)][draw.integers(6)]
    x = ad.tensor("x", shape=shape if known else (None,) * len(shape))
    y, value = reduced(seed, x), draw.normal(size=shape)
    J = ad.jacobian(y, x, mode=["forward", "reverse"][draw.integers(2)])
    H = ad.hessian(ad.sum(ad.sin(y) + ad.sum(x**2)), x)
    for derivative in (J, H):
        raw = ad.evaluate(derivative, {x: value})
        np.testing.assert_allclose(computed(derivative, x)(value), raw, rtol=1e-8, atol=1e-8)


def neighbours(seed, x):
    """A random expression of entries that are near one another, with slices and sums of slices."""
    draw = np.random.default_rng(seed)
    a, b = sorted(draw.integers(x.size, size=2))
    part = x[a : b + 1]
    steps = [
        ad.sin, lambda y: y * part, lambda y: y * y.shape[0], lambda y: y[::-1], lambda y: 2 - y,
        lambda y: ad.concatenate([y[:1], y])[1:], lambda y: y[1:] if y.size > 1 else -y,
    ]  # fmt: skip
    y = part * 1.0
    for k in draw.integers(len(steps), size=3):
        part = part[: y.size]
        y = steps[k](y)
        part = part[: y.size]
    return y


def computed(y, x):
    return ad.function(x, y, on_unused_input="ignore")


@pytest.mark.numeric
@pytest.mark.parametrize("seed", range(draws(40)))
def test_diagonals_that_begin_elsewhere_change_no_derivative(seed):
    x, value = ad.vector("x", shape=7), np.random.default_rng(seed).normal(size=7)
    y = neighbours(seed, x)
    for cost in (ad.sum(ad.exp(y)), ad.sum(y**3) + ad.sum(y[:1] * ad.sin(x[3]))):
        H = ad.hessian(cost, x)
        raw = ad.evaluate(H, {x: value})
        np.testing.assert_allclose(computed(H, x)(value), raw, rtol=1e-9, atol=1e-9)
    for mode in ("forward", "reverse"):
        J = ad.jacobian(y, x, mode=mode)
        raw = ad.evaluate(J, {x: value})
        np.testing.assert_allclose(computed(J, x)(value), raw, rtol=1e-9, atol=1e-9)


def moved(draw, y):
    """A matrix whose entries are moved about, by an operation at random."""
    n, m = y.shape
    a, b = sorted(draw.integers(n + 1, size=2))
    axes = [(0, 1), (1, 0)][draw.integers(2)]
    sides = draw.integers(3, size=(2, 2)).tolist()
    steps = [
        lambda: ad.transpose(y, axes), lambda: y[a:b], lambda: y[:, : max(m - 1, 1)],
        lambda: ad.pad(y, sides), lambda: -y, lambda: ad.moveaxis(y, axes, (0, 1)),
    ]  # fmt: skip
    return steps[draw.integers(len(steps))]()


@pytest.mark.each("known", [True, False])
@pytest.mark.each("seed", range(draws(60)))
def test_a_matrix_of_a_diagonal_is_moved_about_as_any_other(seed, known):
    draw = np.random.default_rng(seed)
    v, value = ad.vector("v", shape=3 if known else None), draw.normal(size=3)
    row, column, more, wider = draw.integers(3, size=4).tolist()
    y = diagonal_matrix(v, (row, column), (3 + row + more, 3 + column + wider))
    for _ in range(3):
        y = moved(draw, y)
    raw = ad.evaluate(y, {v: value})
    np.testing.assert_array_equal(computed(y, v)(value), raw)


def diagonals(y):
    """Where each begins, and of which matrix it is a part."""
    found = filter(is_diagonal, ad.simplify(y).graph.operations)
    return [(dict(n.static)["start"], n.type.shape) for n in found]


def test_a_slice_has_its_diagonal_beside_the_middle():
    x = ad.vector("x", shape=6)
    assert diagonals(ad.jacobian(ad.sin(x[1:]), x, mode="forward")) == [((0, 1), (5, 6))]
    assert diagonals(ad.jacobian(x[1:-1] ** 2, x, mode="reverse")) == [((0, 1), (4, 6))]
    assert diagonals(ad.hessian(ad.sum(x[2:] ** 3), x)) == [((2, 2), (6, 6))]


def test_slices_that_share_nothing_give_zeros():
    x = ad.vector("x", shape=6)
    J = ad.jacobian(ad.sin(x[:3]), x)[:, 4:]
    assert not ad.evaluate(J, {x: np.ones(6)}).any()
    assert not diagonals(J)


def test_the_hessian_of_neighbours_multiplies_vectors_alone():
    x = ad.vector("x", shape=50)
    H = ad.simplify(ad.hessian(ad.sum(ad.exp(x[1:]) + x[:-1] ** 4), x))
    of_matrices = {n.op.name for n in H.graph.operations if n.ndim == 2}
    assert of_matrices == {"diagonal_matrix", "add", "transpose"}


@pytest.mark.each("shapes", [((1,), (4,)), ((1, 1), (1, 3)), ((2, 1), (2, 1))])
def test_a_matrix_of_one_entry_stretches_before_it_is_added(shapes):
    a, b = (ad.tensor(name, shape=shape) for name, shape in zip("ab", shapes))
    total = diagonal_matrix(a) + diagonal_matrix(b) * 2
    values = {x: np.arange(1.0, 1 + x.size).reshape(x.shape) for x in (a, b)}
    raw = ad.evaluate(total, values)
    np.testing.assert_array_equal(ad.evaluate(ad.simplify(total).graph, values), raw)


@pytest.mark.each("n", [5, 100])
def test_unit_vectors_are_not_multiplied_in_a_hessian(n):
    x, W = ad.vector("x", shape=n), ad.matrix("W", shape=(n, n))
    for cost in (
        ad.sum(ad.exp(x)) + ad.sum(x * x) ** 2,
        ad.sum(ad.tanh(W @ x) ** 2),
        ad.logsumexp(x) + ad.sum(x**3),
    ):
        assert not multiplied(ad.hessian(cost, x))
