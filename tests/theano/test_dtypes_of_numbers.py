"""The dtype of Python's numbers where they meet whole numbers: Theano's constants had one."""

import numpy as np
import pytest

import autodiff_edu.theano as theano
import autodiff_edu.theano.tensor as T
from autodiff_edu.theano.tensor.extra_ops import to_one_hot

X = np.array([0, 1, 200], dtype="uint8")


def dtype(y):
    return theano.function([], y)().dtype, y.dtype


def test_a_number_beside_short_whole_numbers_wraps_nothing():
    x = T.constant(X)
    assert theano.function([], x - 1)().tolist() == [-1, 0, 199]
    assert theano.function([], 300 + x)().tolist() == [300, 301, 500]
    assert dtype(x - 1) == ("int16", "int16") and dtype(x * 70000) == ("int32", "int32")
    assert dtype(T.constant(np.int8([3])) * -128) == ("int8", "int8")


@pytest.mark.each(("floatX", "kind", "expected"), [
    ("float32", "bool", "float32"), ("float32", "int16", "float32"),
    ("float32", "int32", "float64"), ("float64", "int8", "float64")])  # fmt: skip
def test_a_float_beside_whole_numbers_is_of_floatx(floatX, kind, expected):
    with theano.change_flags(floatX=floatX):
        x = T.vector(dtype=kind)
        assert (x * 0.5).dtype == (2.0 - x).dtype == T.switch(x, x, 0.5).dtype == expected


def test_a_slope_written_with_masks_fits_a_shared_value_of_single_precision():
    with theano.change_flags(floatX="float32"):
        w = theano.shared(np.float32([-1, 2]))
        slope = T.gt(w, 0) * 0.5 + (T.eq(w, 2) * 2 - 1) * w
        theano.function([], updates=[(w, w - 0.1 * slope)])()
    assert np.allclose(w.get_value(), np.float32([-1.1, 1.75])) and w.dtype == "float32"


def test_numbers_of_numpy_on_the_left_are_theanos_operands():
    with theano.change_flags(floatX="float32"):
        n = T.vector(dtype="float32").shape[0]
        assert (np.int64(1) / n).dtype == "float32" and (np.int64(7) // n).dtype == "int64"
        assert to_one_hot(T.ivector(), 3).dtype == "float32"
    assert T.arctan2(T.bvector(), T.bvector()).dtype == "float32"


def test_a_whole_number_is_set_in_truth_values():
    mask = T.set_subtensor(T.zeros(3, dtype="bool")[1], 1)
    assert theano.function([], mask)().tolist() == [False, True, False]
