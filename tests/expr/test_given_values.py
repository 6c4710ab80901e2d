"""Values that users give: nothing wraps, and a large integer is a float where one is declared."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some


def ways(x, y):
    """To compute y of a value of x: the interpreter, a program, a program as it was written."""
    yield lambda value: ad.evaluate(y, {x: value})
    yield ad.function([x], y)
    yield ad.function([x], y, simplify=None)


@pytest.mark.each("dtype", some(["int8", "uint8", "int16", "uint32", "int64", "uint64"], 3))
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


# ---- masked arrays

MASKED = {
    "a masked array": np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0]),
    "what is masked": np.ma.masked,
}


def input_for(value):
    return ad.tensor("x", shape=np.shape(value))


DOORS = {
    "function": lambda v: ad.function(x := input_for(v), 2 * x)(v),
    "evaluate": lambda v: ad.evaluate(x := input_for(v), {x: v}),
    "constant": ad.constant,
    "shared": ad.shared,
    "set_value": lambda v: ad.shared(np.zeros(np.shape(v))).set_value(v),
    "an operand": lambda v: ad.scalar("x") * v,
    "NumPy's function": lambda v: np.where(ad.scalar("x") > 0, v, 0),
    "verify_grad": lambda v: ad.verify_grad(ad.sum, [v]),
    "a gradient": lambda v: ad.grad(np.sum)(v),
}


@pytest.mark.each("door", DOORS)
@pytest.mark.each("masked", MASKED)
def test_what_a_mask_hides_is_taken_for_no_number(door, masked):
    with pytest.raises(TypeError, match=r"lose its mask.*ad\.where|not masked"):
        DOORS[door](MASKED[masked])


def test_a_mask_that_hides_nothing_is_no_error():
    x = ad.vector("x")
    given = np.ma.array([1.0, 2.0])
    assert (ad.function(x, 2 * x)(given) == [2, 4]).all()
    assert (ad.constant(given).value == [1, 2]).all()


# ---- the order of bytes

TWO = np.array([0.5, 2.0])


def hessian_vector_product(x, v):
    return ad.evaluate(ad.hessian_vector_product(np.sum(x**3), x, v), {x: v})


@pytest.mark.each(
    "of",
    [
        ad.grad(lambda v: np.sum(v**3)),
        ad.jacobian(lambda v: v * np.roll(v, 1)),
        ad.hessian(lambda v: np.sum(v**3)),
        lambda v: ad.constant(v).value,
        lambda v: ad.shared(v).get_value(),
        lambda v: hessian_vector_product(ad.vector("x", shape=2), v),
        lambda v: ad.evaluate(x := ad.vector("x", dtype=v.dtype), {x: v}),
    ],
)  # fmt: skip
def test_bytes_in_another_order_are_the_same_numbers(of):
    wanted, found = of(TWO), of(TWO.astype(TWO.dtype.newbyteorder()))
    assert found.dtype == wanted.dtype and found.dtype.isnative
    np.testing.assert_array_equal(found, wanted)
    assert ad.scalar("x", dtype=">f8").type is ad.scalar("x", dtype="<f8").type
