"""Values that users give: nothing wraps, and a large integer is a float where one is declared."""

import numpy as np
import pytest

import autodiff_edu as ad


def ways(x, y):
    """To compute y of a value of x: the interpreter, a program, a program as it was written."""
    yield lambda value: ad.evaluate(y, {x: value})
    yield ad.function([x], y)
    yield ad.function([x], y, simplify=None)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint32", "int64", "uint64"])
def test_an_integer_that_the_dtype_cannot_hold(dtype):
    x, v, bounds = ad.scalar("x", dtype=dtype), ad.vector("v", dtype=dtype), np.iinfo(dtype)
    for value in (bounds.min, -1, 1, bounds.max, bounds.min - 1, bounds.max + 1, -(2**70), 2**70):
        for e, given in ((x, value), (v, [value])):
            for way in ways(e, e + 0):
                if bounds.min <= value <= bounds.max:
                    np.testing.assert_array_equal(way(given), np.asarray(given, dtype))
                else:
                    with pytest.raises(ad.DTypeError):
                        way(given)


def test_a_large_integer_is_a_float():
    x, v = ad.scalar("x"), ad.vector("v", dtype="float32")
    for way in ways(x, x * 2):
        assert way(10**30) == 2e30
        with pytest.raises(ad.DTypeError, match="x takes real numbers"):
            way(10**400)
    for way in ways(v, v * 2):
        np.testing.assert_array_equal(way([10**30, 1]), np.float32([2e30, 2]))
        with pytest.raises(ad.DTypeError):
            way(np.array([10**30]))  # an array of objects
