"""Lengths, counts and bounds that only the program knows, against NumPy."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.check import verify_grad
from tests.helpers.depth import draws, some

n, m = ad.scalar("n", dtype="int64"), ad.scalar("m", dtype="int64")
x, v = ad.matrix("x"), ad.vector("v")


@pytest.mark.each("width", [0, 1, 3])
def test_pad_by_an_expression(rng, width):
    a = rng.normal(size=(2, 3))
    f = ad.function([x, n], ad.pad(x, [(n, 0), (1, n)]))
    np.testing.assert_array_equal(f(a, width), np.pad(a, [(width, 0), (1, width)]))
    assert ad.function([x, n], ad.grad(ad.sum(ad.pad(x, n)), x))(a, width).tolist() == [[1] * 3] * 2


@pytest.mark.each("widths", [lambda n: (n, 1), lambda n: [(n, 1)], lambda n: [[1], [n]]])
def test_pad_broadcasts_widths_as_numpy_does(rng, widths):
    a = rng.normal(size=(2, 3))
    f = ad.function([x, n], ad.pad(x, widths(n)))
    np.testing.assert_array_equal(f(a, 2), np.pad(a, widths(2)))


def as_if_known(f, *arrays):
    """f gives for vectors of unknown lengths what NumPy gives, and the slopes of known ones."""
    xs = [ad.vector(f"x{k}", dtype=a.dtype) for k, a in enumerate(arrays)]
    y, want = f(*xs), f(*arrays)
    weights = np.cos(np.arange(want.size))
    cost = lambda *xs: ad.sum(f(*xs) * weights)
    slopes = ad.grad(cost, argnums=tuple(range(len(xs))))(*arrays)
    for simplify in some((None, "safe"), 2, turn=len(arrays[0])):
        found, *back = ad.function(xs, [y, *ad.grad(cost(*xs), xs)], simplify=simplify)(*arrays)
        np.testing.assert_allclose(found, want, rtol=1e-12, atol=1e-14)
        assert found.shape == want.shape and found.dtype == want.dtype
        for a, b in zip(back, slopes, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-14)


def test_tensordot_compares_each_length(rng):
    a, b = rng.normal(size=(2, 3)), rng.normal(size=(3, 2))
    y = ad.matrix("y")
    f = ad.function([x, y], ad.tensordot(x, y))
    np.testing.assert_allclose(f(a, b.T), np.tensordot(a, b.T))
    with pytest.raises(ValueError, match="the lengths 2 and 3 differ"):
        f(a, b)
    for axes in (2, ((0, 1), (0,)), ((0,), (0,))):
        with pytest.raises(ad.ShapeError, match="give axes of the same lengths"):
            ad.tensordot(a, b, axes)


@pytest.mark.parametrize("mode, size", [
    (mode, size)
    for k, mode in enumerate(["edge", "reflect", "symmetric", "wrap"])
    for size in some([1, 2, 5], 2, turn=k)
])  # fmt: skip
def test_pad_by_entries_of_the_array(rng, mode, size):
    for before, after in rng.integers(13, size=(draws(5, least=2), 2)):
        as_if_known(lambda x, sides=(before, after): np.pad(x, sides, mode), rng.normal(size=size))
    given, width = rng.normal(size=size), int(rng.integers(9))
    by_expression = ad.function([v, n], ad.pad(v, (n, 1), mode))(given, width)
    np.testing.assert_array_equal(by_expression, np.pad(given, (width, 1), mode))


@pytest.mark.parametrize("mode", some(["full", "same", "valid"], 2))
@pytest.mark.parametrize("function", some([np.convolve, np.correlate], 2))
def test_products_of_a_vector_with_parts_of_another(rng, function, mode):
    for sizes in [(1, 1), (4, 4), *rng.integers(1, 8, size=(draws(8, least=2), 2)).tolist()]:
        a, b = (rng.normal(size=k) for k in sizes)
        as_if_known(lambda a, b: function(a, b, mode), a, b)
    short = rng.normal(size=3).astype("float32")
    assert function(ad.vector("x", dtype="float32"), short, mode).dtype == "float32"


@pytest.mark.each("mode", some(["full", "same", "valid"], 2))
@pytest.mark.each("function", some([np.convolve, np.correlate], 2, turn=1))
def test_a_vector_without_entries_has_no_convolution(function, mode):
    w = ad.vector("w")
    y = function(v, w, mode)
    f, slope = ad.function([v, w], y), ad.function([v, w], ad.grad(y.sum(), v))
    one = ad.function([v], function(v, [1.0, 2.0], mode))
    for a, b in [([], [1.0, 2.0]), ([1.0, 2.0], []), ([], [])]:
        for run in (f, slope, lambda a, b: ad.evaluate(y, {v: a, w: b})):
            with pytest.raises(ValueError, match="takes vectors that have entries: these have"):
                run(a, b)
    with pytest.raises(ValueError, match="these have 0 and 2"):
        one([])


@pytest.mark.each("count", [0, 1, 4])
def test_repeat_by_an_expression(rng, count):
    a = rng.normal(size=(2, 3))
    f = ad.function([x, n], ad.repeat(x, n, axis=1))
    np.testing.assert_array_equal(f(a, count), np.repeat(a, count, axis=1))
    counts = np.array([2, 0, count])
    k = ad.vector("k", dtype="int64")
    each = ad.function([x, k], ad.repeat(x, k, axis=1))
    np.testing.assert_array_equal(each(a, counts), np.repeat(a, counts, axis=1))
    slope = ad.function([x, k], ad.grad(ad.sum(ad.repeat(x, k, axis=1)), x))
    np.testing.assert_array_equal(slope(a, counts), np.broadcast_to(counts, (2, 3)))


BOUNDS = [(0, 2), (1, 4), (3, 3), (-2, 5), (2, 99)]


@pytest.mark.each(("a", "b"), some(BOUNDS, 2))
@pytest.mark.each("how", some(["set", "add"], 2))
def test_a_place_between_bounds_that_are_expressions(rng, a, b, how):
    given = rng.normal(size=(5, 2))
    y = getattr(x.at[n:m, 1], how)(3.0)
    wanted = given.copy()
    wanted[a:b, 1] = 3.0 + (given[a:b, 1] if how == "add" else 0)
    np.testing.assert_array_equal(ad.function([x, n, m], y)(given, a, b), wanted)
    slope = ad.function([x, n, m], ad.grad(ad.sum(y * y) / 2, x))(given, a, b)
    kept = wanted.copy()
    kept[a:b, 1] = wanted[a:b, 1] if how == "add" else 0
    np.testing.assert_allclose(slope, kept)


def test_values_between_bounds_have_slopes():
    y = x.at[:n, 0].set(v)
    f = ad.function([x, v, n], ad.grad(ad.sum(y * y), [x, v]))
    gx, gv = f(np.ones((3, 2)), np.array([2.0, 3.0]), 2)
    assert gx.tolist() == [[0, 2], [0, 2], [2, 2]] and gv.tolist() == [4, 6]


@pytest.mark.numeric
@pytest.mark.parametrize("stride", some([1, 2], 2))
def test_filters_whose_size_is_not_known(rng, stride):
    images, filters = ad.tensor("i", shape=(None,) * 4), ad.tensor("w", shape=(None,) * 4)
    a, w = rng.normal(size=(2, 3, 6, 5)), rng.normal(size=(4, 3, 3, 2))
    y = ad.conv2d(images, filters, stride=stride, padding="same")
    known = ad.conv2d(images, ad.constant(w), stride=stride, padding="same")
    np.testing.assert_allclose(
        ad.function([images, filters], y)(a, w), ad.function([images], known)(a), rtol=1e-12
    )
    ct = rng.normal(size=np.shape(ad.evaluate(y, {images: a, filters: w})))
    slopes = ad.function([images, filters], ad.grad(ad.sum(y * ct), [images, filters]))(a, w)
    wanted = ad.function([images], ad.grad(ad.sum(known * ct), images))(a)
    np.testing.assert_allclose(slopes[0], wanted, rtol=1e-10)
    verify_grad(lambda w: ad.sum(ad.conv2d(a, w, stride=stride) ** 2), [w])


@pytest.mark.each("simplify", [None, "safe"])
def test_lengths_that_shared_numbers_tell_are_checked_without_inputs(simplify):
    a, b = ad.shared(np.int64(3), "a"), ad.shared(np.int64(3), "b")
    y = ad.arange(a) + ad.arange(b)
    f = ad.function([], y, simplify=simplify)
    assert f().tolist() == [0, 2, 4] == ad.evaluate(y).tolist()
    b.set_value(np.int64(1))
    for run in (f, lambda: ad.evaluate(y)):
        with pytest.raises(ad.ShapeError, match="length 1 and meets 3|length 3 and meets 1"):
            run()
    a.set_value(np.int64(1))
    assert f().tolist() == [0]


def test_shared_lengths_are_checked_as_those_of_inputs():
    w = ad.shared(np.ones((1, 3)), "w", shape=(None, 3))
    f = ad.function([x], x + w)
    with pytest.raises(ad.ShapeError, match="axis 0 of w has length 1"):
        f(np.ones((2, 3)))
    w.set_value(np.ones((2, 3)))
    assert f(np.ones((2, 3))).tolist() == [[2] * 3] * 2
    u = ad.shared(np.ones((2, 3)), "u", shape=(None, 3))
    g = ad.function([], u + w)
    assert g().shape == (2, 3)
    u.set_value(np.ones((1, 3)))
    with pytest.raises(ad.ShapeError, match="length 1"):
        g()
