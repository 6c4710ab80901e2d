"""Derivatives by way of whole numbers and truth values: nothing wraps, and rules need no sign of
what has none."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

FUNCTIONS = [
    ad.abs, ad.square, ad.sqrt, ad.erf, ad.log1p, ad.sin, ad.arcsinh, ad.sum, ad.prod,
    ad.norm, ad.arctan, ad.std, lambda x: x**2, lambda x: x**3.0, lambda x: x * x,
    lambda x: x / x, lambda x: 1 / (x + 1.5), lambda x: x @ x, lambda x: ad.hypot(x, x),
    lambda x: ad.copysign(x, -1.0), lambda x: ad.arctan2(x, 3.0), lambda x: ad.maximum(x, 2.5),
    lambda x: ad.xlogy(x, x + 1.0), lambda x: ad.cumprod(x / 100),
]  # fmt: skip
NUMBERS = {
    "bool": [1, 0, 1], "int8": [100, 3, 120], "uint8": [200, 3, 0], "uint64": [5, 3, 100],
    "int64": [10, -3, 7],
}  # fmt: skip


@pytest.mark.each("dtype", some(NUMBERS, 3))
def test_the_slope_is_that_of_floats(dtype):
    x, v = ad.vector("x", shape=3, dtype=dtype), ad.vector("v", shape=3)
    values = np.array(NUMBERS[dtype], dtype)
    for f in FUNCTIONS:
        try:
            value = f(x)
        except TypeError:  # NumPy has no such function of truth values
            continue
        found = ad.evaluate(ad.grad(ad.sum(value * 1.0), x), {x: values})
        wanted = ad.evaluate(ad.grad(ad.sum(f(v) * 1.0), v), {v: values.astype("float64")})
        rtol = 3e-3 if value.dtype == "float16" else 1e-6  # functions of a byte are half floats
        np.testing.assert_allclose(found, wanted, rtol=rtol, atol=1e-3 * rtol)


@pytest.mark.each("dtype", some(NUMBERS, 2))
@pytest.mark.each("mode", some(["reverse", "forward", "symbolic"], 2))
def test_no_way_through_them(dtype, mode):
    """What is made of x > 0 is flat, whatever stands between."""
    x = ad.vector("x", shape=3)
    at = {x: np.array([1.0, -2.0, 3.0])}
    for f in FUNCTIONS[:-1]:
        try:
            factor = ad.sum(f((x > 0).astype(dtype)) * 1.0)
        except TypeError:
            continue
        cost = ad.sum(x * x) * factor
        if mode == "reverse":
            stage = ad.reverse_mode(cost, x)
        elif mode == "forward":
            stage = ad.forward_mode(cost, x, ad.ones_like(x))
        else:
            ad.symbolic_derivative(cost, x)  # makes an input of its own, dx
            continue
        wanted = 2 * at[x] * ad.evaluate(factor, at)
        wanted = wanted if mode == "reverse" else np.sum(wanted)
        np.testing.assert_allclose(ad.evaluate(stage, at), wanted, rtol=1e-3)
