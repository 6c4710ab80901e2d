"""x[key] and x.at[key] mean what NumPy means, for random keys; their derivatives are adjoint."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_edu as ad
from tests.helpers.depth import draws

LENGTHS = (3, 4, 2)
X = np.random.default_rng(5).normal(size=LENGTHS)


def bound(n):
    return st.none() | st.integers(-n - 1, n + 1)


@st.composite
def slices(draw, n):
    return slice(draw(bound(n)), draw(bound(n)), draw(st.sampled_from([None, 1, 2, -1, -2])))


@st.composite
def items(draw, n, shape):
    """A number, a slice or an array that broadcasts to a shape, for an axis of length n."""
    kind = draw(st.sampled_from(["number", "slice", "slice", "array", "array"]))
    if kind == "slice":
        return draw(slices(n))
    size = () if kind == "number" else draw(st.sampled_from([shape, shape[-1:], ()]))
    count = int(np.prod(size))
    numbers = draw(st.lists(st.integers(-n, n - 1), min_size=count, max_size=count))
    return numbers[0] if kind == "number" else np.array(numbers, int).reshape(size)


@st.composite
def keys(draw):
    """A key for X: numbers, slices, new axes, one ..., arrays that broadcast; or a mask."""
    if draw(st.integers(0, 9)) == 0:
        ndim = draw(st.integers(1, 3))
        return draw(st.sampled_from([9.0, 0.5, 0.0])) < X[(..., *[0] * (3 - ndim))]
    shape = draw(st.sampled_from([(), (2,), (1,), (2, 1), (3, 2)]))
    first = draw(st.integers(0, 3))
    last = draw(st.integers(first, 3))
    front = [draw(items(n, shape)) for n in LENGTHS[:first]]
    back = [draw(items(n, shape)) for n in LENGTHS[last:]]
    dots = [Ellipsis] if back or draw(st.booleans()) else []
    key = [*front, *dots, *back]
    for _ in range(draw(st.integers(0, 2))):
        key.insert(draw(st.integers(0, len(key))), None)
    return tuple(key)


def symbolic(key, given):
    """The key with its arrays as inputs, whose values are put into `given`."""
    if isinstance(key, tuple):
        return tuple(symbolic(item, given) for item in key)
    if not isinstance(key, np.ndarray):
        return key
    given[ad.tensor(f"k{len(given)}", dtype=key.dtype, shape=key.shape)] = key
    return list(given)[-1]


@settings(max_examples=draws(300))
@given(keys(), st.booleans(), st.booleans())
def test_any_key_takes_what_numpy_takes(key, known, named):
    x = ad.tensor("x", shape=LENGTHS if known else (None,) * 3)
    at = {x: X}
    node = x[symbolic(key, at) if named else key]
    expected = X[key]
    value = ad.evaluate(node, at)
    np.testing.assert_array_equal(value, expected)
    assert node.type.fits(np.shape(expected)) and node.dtype == expected.dtype

    u = np.random.default_rng(1).normal(size=np.shape(expected))
    total = ad.sum(node * ad.constant(u)) if known else ad.sum(node * node)
    adjoint = np.zeros(LENGTHS)
    np.add.at(adjoint, key, u if known else 2 * expected)
    np.testing.assert_allclose(ad.evaluate(ad.grad(total, x), at), adjoint, atol=1e-14)
    program = ad.function([*at], ad.grad(total, x), on_unused_input="ignore")
    np.testing.assert_allclose(program(*at.values()), adjoint)


@settings(max_examples=draws(200))
@given(keys(), st.booleans(), st.booleans(), st.booleans())
def test_any_key_is_set_and_added_to_as_numpy_does(key, known, named, number):
    x = ad.tensor("x", shape=LENGTHS if known else (None,) * 3)
    at = {x: X}
    place = x.at[symbolic(key, at) if named else key]
    value = np.random.default_rng(2).normal(size=() if number else np.shape(X[key]))
    v = ad.tensor("v", shape=value.shape)
    at[v] = value
    replaced, added = X.copy(), X.copy()
    replaced[key] = value
    np.add.at(added, key, value)
    for node, expected in ((place.set(v), replaced), (place.add(v), added)):
        np.testing.assert_allclose(ad.evaluate(node, at), expected, rtol=1e-14)
        assert node.type.fits(LENGTHS)

    u = np.random.default_rng(3).normal(size=LENGTHS)
    slope = ad.grad(ad.sum(place.add(v) * ad.constant(u)), v) if known else None
    if slope is not None:
        expected = u[key].sum() if number else u[key]
        np.testing.assert_allclose(ad.evaluate(slope, at), expected, atol=1e-13)


@settings(max_examples=draws(100))
@given(keys())
def test_what_is_overwritten_has_no_slope(key):
    x, v = ad.tensor("x", shape=LENGTHS), ad.tensor("v", shape=np.shape(X[key]))
    u = np.random.default_rng(3).normal(size=LENGTHS)
    total = ad.sum(x.at[key].set(v) * ad.constant(u))
    at = {x: X, v: np.zeros(v.shape)}
    below, mine = (ad.evaluate(g, at) for g in ad.grad(total, [x, v], disconnected_inputs="ignore"))
    kept = np.ones(LENGTHS)
    kept[key] = 0
    np.testing.assert_allclose(below, u * kept)
    last = np.full(LENGTHS, -1)
    last[key] = np.arange(np.size(X[key])).reshape(np.shape(X[key]))
    counts = last[key] == np.arange(np.size(X[key])).reshape(np.shape(X[key]))
    np.testing.assert_allclose(mine, np.where(counts, u[key], 0))


def test_slices_between_computed_bounds():
    x, n, m = ad.vector("x"), ad.scalar("n", dtype="int64"), ad.scalar("m", dtype="int64")
    values = np.arange(7.0)
    parts = [x[n:m], x[:n], x[m:], x[-n:], x[:-n], x[n:m:2], x[: x.shape[0] // 2]]
    f = ad.function([x, n, m], [ad.grad(ad.sum(p**2), x) for p in parts] + parts)
    for a, b in ((2, 5), (0, 3), (5, 2), (3, 20)):
        want = [values[p] for p in (slice(a, b), slice(a), slice(b, None), slice(-a, None),
                                    slice(-a), slice(a, b, 2), slice(3))]  # fmt: skip
        (*found,) = f(values, a, b)
        for slope, part, expected in zip(found, found[len(parts) :], want):
            np.testing.assert_array_equal(part, expected)
            np.testing.assert_array_equal(slope, np.where(np.isin(values, expected), 2 * values, 0))


@pytest.mark.each("seed", range(draws(60)))
def test_computed_bounds_beside_anything_else(seed):
    """Random keys, in which some bounds and places are inputs."""
    draw = np.random.default_rng(seed)
    x, value, at = ad.tensor("x", shape=(None,) * 3), draw.normal(size=(4, 5, 6)), {}

    def told(number):
        if draw.integers(2):
            return int(number)
        leaf = ad.scalar("n", dtype="int64")
        at[leaf] = int(number)
        return leaf

    places = ad.vector("i", dtype="int64")
    at[places] = draw.integers(4, size=3)
    kinds = draw.permutation(["slice", "slice", "slice", "number", "array", "whole"])[:3]
    items = {"whole": lambda: slice(None), "array": lambda: places,
             "number": lambda: told(draw.integers(4)),
             "slice": lambda: slice(told(draw.integers(3)), told(draw.integers(2, 5)))}  # fmt: skip
    key = tuple(items[kind]() for kind in kinds)

    def known(item):
        if isinstance(item, slice):
            return slice(known(item.start), known(item.stop))
        return at[item] if isinstance(item, ad.Expr) else item

    want = value[tuple(map(known, key))]
    u = draw.normal(size=want.shape)
    y = x[key]
    slope = ad.grad(ad.sum(y * u), x)
    found, back = ad.evaluate([y, slope], {x: value, **at})
    expected = np.zeros_like(value)
    np.add.at(expected, tuple(map(known, key)), u)
    np.testing.assert_array_equal(found, want)
    np.testing.assert_allclose(back, expected)


def test_computed_bounds_are_batched():
    X = ad.matrix("X")
    rows = ad.vectorize(lambda x: ad.sum(x[: x.shape[0] // 2] ** 2))(X)
    values = np.arange(8.0).reshape(2, 4)
    np.testing.assert_array_equal(ad.evaluate(rows, {X: values}), [1, 41])
    assert ad.evaluate(ad.jacobian(rows, X), {X: values}).shape == (2, 2, 4)


@pytest.mark.each("known", [True, False])
def test_a_mask_must_have_the_length_of_its_axis(known):
    x = ad.tensor("x", shape=(3, 4) if known else (None, None))
    m = ad.tensor("m", dtype="bool", shape=(2,) if known else (None,))
    with pytest.raises(IndexError, match="mask of"):
        ad.evaluate(x[m], {x: np.ones((3, 4)), m: np.array([True, False])})
    with pytest.raises(IndexError, match="mask of"):
        ad.function([x, m], x[:, m])(np.ones((3, 4)), np.array([True, False]))


@pytest.mark.each("known", [True, False])
@pytest.mark.each("length", [1, 2, 4])
def test_a_mask_known_now_must_have_the_length_of_its_axis(known, length):
    values, mask = np.ones((3, 3)), [True] + [False] * (length - 1)
    for key in (mask, (..., mask), (0, mask)):
        with pytest.raises(IndexError, match="mask of"):
            x = ad.tensor("x", shape=(3, 3) if known else (None, None))
            ad.function([x], x[key])(values)
        with pytest.raises(IndexError, match="mask of"):
            x = ad.tensor("x", shape=(3, 3) if known else (None, None))
            ad.evaluate(x.at[key].add(1.0), {x: values})


def test_a_computed_step_says_what_to_write():
    x, k = ad.vector("x"), ad.scalar("k", dtype="int64")
    for take in (lambda: x[::k], lambda: x[k::k], lambda: x[1:3:k]):
        with pytest.raises(TypeError, match="ad.arange"):
            take()
