"""`theano.tensor.extra_ops`, compared with NumPy's functions on random arrays."""

import itertools

import numpy as np
import pytest

import autodiff_edu.theano as theano
from autodiff_edu.theano import tensor as T
from autodiff_edu.theano.tensor import extra_ops
from tests.helpers.depth import some

OPTIONS = list(itertools.product([False, True], repeat=3))


@pytest.mark.each("axis", [None, 0, 1, -1])
@pytest.mark.each("options", OPTIONS)
def test_unique_along_an_axis_is_numpys(axis, options):
    x, value = T.matrix(), np.random.RandomState(1).randint(0, 2, (6, 3)).astype("float64")
    found = theano.function([x], extra_ops.Unique(*options, axis=axis)(x, return_list=True))(value)
    expected = np.unique(value, *options, axis=axis)
    for a, b in zip(found, expected if isinstance(expected, tuple) else (expected,), strict=True):
        assert np.array_equal(a.ravel(), b.ravel()) and a.dtype == b.dtype


def test_an_axis_that_is_not_there_is_refused():
    with pytest.raises(RuntimeError, match="axis 1"):
        extra_ops.Unique(axis=1)(T.vector())


@pytest.mark.each("mode", some(["raise", "wrap", "clip"], 2))
@pytest.mark.each("order", some(["C", "F"], 2))
def test_places_and_their_number(mode, order):
    rng = np.random.RandomState(2)
    for shape in [(3,), (3, 4), (2, 3, 4)]:
        places = [rng.randint(0, n, (5, 1)) + (mode != "raise") * rng.randint(-2, 3) for n in shape]
        lengths = theano.shared(np.array(shape))
        number = extra_ops.ravel_multi_index(places, lengths, mode, order)
        numbers = np.ravel_multi_index(tuple(places), shape, mode, order)
        assert np.array_equal(number.eval(), numbers)
        back = extra_ops.unravel_index(numbers, lengths, ndim=len(shape))
        for a, b in zip(back, np.unravel_index(numbers, shape), strict=True):
            assert np.array_equal(a.eval(), b)


def test_places_refuse_what_is_no_whole_number():
    with pytest.raises(ValueError, match="ndim="):
        extra_ops.unravel_index(T.ivector(), T.ivector())
    with pytest.raises(TypeError, match="whole numbers"):
        extra_ops.unravel_index(T.fvector(), (3, 4))
    with pytest.raises(TypeError, match="whole numbers"):
        extra_ops.ravel_multi_index((T.fvector(), T.ivector()), (3, 4))
    with pytest.raises(TypeError, match="1D"):
        extra_ops.unravel_index(T.ivector(), ((3, 4),))
    with pytest.raises(ValueError, match="whole number"):
        extra_ops.unravel_index((3, 4), (3, 3), ndim=5.4)


def test_searchsorted_says_what_it_takes():
    x, v = T.vector(), T.tensor3()
    with pytest.raises(ValueError, match="'left' or 'right'"):
        extra_ops.searchsorted(x, v, side="middle")
    with pytest.raises(ValueError, match="vector"):
        extra_ops.searchsorted(T.matrix(), v)
    with pytest.raises(TypeError, match="whole numbers"):
        extra_ops.searchsorted(x, v, sorter=T.fvector())


@pytest.mark.each("dtype", ["int8", "uint8", "int32", "uint64"])
def test_counts_of_each_dtype(dtype):
    x, value = T.vector(dtype=dtype), np.random.RandomState(3).randint(0, 9, 30).astype(dtype)
    assert np.array_equal(theano.function([x], extra_ops.bincount(x))(value), np.bincount(
        value.astype("int64")))  # fmt: skip


def test_counts_refuse_negative_numbers_if_asked_to():
    x = T.ivector()
    f = theano.function([x], extra_ops.bincount(x, assert_nonneg=True))
    with pytest.raises(AssertionError, match="negative"):
        f([1, -1])
    with pytest.raises(TypeError, match="vector"):
        extra_ops.bincount(T.imatrix())


@pytest.mark.each("axis", [None, 0, 1])
def test_repeat_takes_one_count_in_every_form(axis):
    x, value = T.matrix(), np.random.RandomState(4).rand(2, 3)
    stretching = T.TensorType("int64", (True,))()
    expected = np.repeat(value, 3, axis)
    for count, given in [(3, []), ([3], []), ([np.int8(3)], []), (stretching, [[3]])]:
        inputs = [x] + [count] * len(given)
        f = theano.function(inputs, extra_ops.repeat(x, count, axis))
        assert np.array_equal(f(value, *given), expected)
    with pytest.raises(TypeError, match="63 bits"):
        extra_ops.repeat(x, T.vector(dtype="uint64"), axis)
