"""Arguments of NumPy's functions: what stands for what, and what is refused."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.values import value


@pytest.mark.parametrize("mode", ["mean", "linear_ramp", "minimum", "maximum", "median", "empty"])
def test_padding_by_what_is_no_entry_is_refused(mode):
    with pytest.raises(ValueError, match="modes constant, edge"):
        np.pad(ad.vector("x", shape=4), 2, mode=mode)


def test_counts_of_repetitions():
    x = ad.vector("x", shape=3)
    data = np.array([3.0, 1.0, 2.0])
    np.testing.assert_array_equal(value(np.repeat(x, [2]), x=data), np.repeat(data, [2]))
    with pytest.raises(ValueError, match="broadcast"):
        np.repeat(x, [2, 1])
    with pytest.raises(ValueError, match="reshape"):
        value(np.repeat(ad.vector("x"), [2, 1]), x=data)


def test_what_cannot_be_known_or_held_is_refused():
    with pytest.raises(ValueError, match="order is C or F"):
        ad.matrix("X", shape=(2, 3)).ravel(order="K")
    with pytest.raises(TypeError, match="not order='A'"):
        np.reshape(ad.matrix("X", shape=(2, 3)), (3, 2), order="A")
    with pytest.raises(TypeError, match="the axis along which it weighs"):
        np.average(ad.matrix("X", shape=(2, 3)), weights=np.ones(3))
    with pytest.raises(ad.DTypeError, match="cannot take float64"):
        ad.vector("k", dtype="int64", shape=2).at[0].add(0.5)
    with pytest.raises(ad.ShapeError, match="give axis="):
        np.squeeze(ad.matrix("A"))
    x = ad.scalar("x")
    with pytest.raises(TypeError, match="a list of expressions"):
        ad.grad(x * x, x, consider_constant=x)
