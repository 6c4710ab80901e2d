"""Python's integers beside arrays of whole numbers: dtype and value, or the error, are NumPy's."""

import operator
from itertools import product

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

DTYPES = ["bool", "int8", "uint8", "int16", "uint32", "int64", "uint64"]
NUMBERS = [-(2**63), -129, -1, 0, 1, 3, 127, 128, 255, 256, 2**31, 2**63 - 1]
COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]
ARITHMETIC = [operator.truediv, operator.add, operator.mul, operator.floordiv, operator.mod]


def numpy_of(op, x, y):
    """What NumPy gives, or None where it refuses."""
    try:
        with np.errstate(all="ignore"):
            return op(x, y)
    except (OverflowError, TypeError):
        return None


@pytest.mark.parametrize("dtype", some(DTYPES, 3))
def test_an_array_beside_an_integer(dtype):
    values = np.array([0, 1, 100], dtype)
    x = ad.vector("x", shape=3, dtype=dtype)
    cases = product(COMPARISONS + ARITHMETIC, NUMBERS)
    for op, number in some(cases, 15, turn=DTYPES.index(dtype)):
        for turned in (op, lambda a, b, op=op: op(b, a)):
            wanted = numpy_of(turned, values, number)
            if wanted is None:
                with pytest.raises((OverflowError, TypeError)):
                    turned(x, number)
                continue
            y = turned(x, number)
            for found in (ad.evaluate(y, {x: values}), ad.function([x], y)(values)):
                assert found.dtype == wanted.dtype, (op, number)
                np.testing.assert_array_equal(found, wanted)


@pytest.mark.each("reduction", [np.sum, np.prod, np.max, np.any, np.mean, np.var])
@pytest.mark.each("dtype", [*DTYPES, "float16", "float32"])
def test_a_reduction_along_no_axis(reduction, dtype):
    x, v = ad.scalar("x", dtype=dtype), ad.vector("v", dtype=dtype)
    assert reduction(x).dtype == np.asarray(reduction(np.ones((), dtype))).dtype
    assert ad.prod(v, axis=()).dtype == np.prod(np.ones(2, dtype), axis=()).dtype
