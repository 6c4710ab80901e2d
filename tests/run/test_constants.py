"""Operations on constants alone, which simplification leaves where their value is a nan, and what
they give: a program computes them as NumPy does, not as Python."""

import itertools

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

NUMBERS = [0.0, 1.0, -8.0, 0.5, -1.0, 1e200, -1e200, 1e-200]
ONE = [ad.negative, ad.sqrt, ad.log, ad.exp, ad.reciprocal, ad.square, ad.arccos, ad.abs, ad.tanh]
TWO = [
    ad.add,
    ad.subtract,
    ad.multiply,
    ad.divide,
    ad.power,
    ad.maximum,
    ad.floor_divide,
    ad.remainder,
]


def same(one, other):
    one, other = np.asarray(one), np.asarray(other)
    rtol = 1e-6 if one.dtype == "float32" else 1e-13  # math and NumPy differ in the last digit
    return one.dtype == other.dtype and np.allclose(one, other, rtol, atol=0, equal_nan=True)


def programs(y):
    """The value of y beside a number and in an array: in plain Python, by NumPy, simplified."""
    x, v = ad.scalar("x"), ad.vector("v", shape=2)
    yield ad.generate(y).after()
    yield ad.generate([y, x + 1], [x]).after(1.0)[0]
    yield ad.generate([y, v + 1], [v]).after(np.ones(2))[0]
    yield ad.function([v], [y, v + 1])(np.ones(2))[0]


@pytest.mark.parametrize("op", some(ONE, 6), ids=lambda op: op.name)
@pytest.mark.parametrize("dtype", some(["float64", "float32"], 2))
def test_one_constant(op, dtype):
    values = NUMBERS[: 4 if dtype == "float32" else None]
    for value in some(values, 4, turn=ONE.index(op) + len(values) // 8):
        y = op(ad.constant(value, dtype))
        for outer in (y, 1 / y, y - y):
            expected = ad.evaluate(outer)
            assert all(same(np.asarray(z, outer.dtype), expected) for z in programs(outer)), outer


@pytest.mark.parametrize("op", some(TWO, 6), ids=lambda op: op.name)
def test_two_constants(op):
    for one, other in some(itertools.product(NUMBERS, NUMBERS), 14, turn=TWO.index(op)):
        y = op(ad.constant(one), ad.constant(other))
        for outer in (y, 1 / y):
            expected = ad.evaluate(outer)
            assert all(same(np.asarray(z, outer.dtype), expected) for z in programs(outer)), outer


@pytest.mark.each("dtype", ["int8", "uint8", "int32", "int64"])
def test_whole_numbers_wrap(dtype):
    most = ad.constant(np.iinfo(dtype).max, dtype)
    for y in (most + most, most * most, most - (-most), most // ad.constant(0, dtype)):
        expected = ad.evaluate(y)
        assert all(same(z, expected) for z in programs(y)), y
