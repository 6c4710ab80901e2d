"""Squares of squares: exponents grow without end, and a chain is read in linear time."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import is_short, some
from tests.helpers.growth import assert_linear


def squares(n):
    x = y = ad.scalar("x")
    for _ in range(n):
        y = y * y
    return x, y


@pytest.mark.each("mode", some(["safe", "real"], 2, turn=1))
@pytest.mark.each("n", some([3, 10, 24, 25, 40], 6))
def test_the_slope_of_squares_of_squares(mode, n):
    x, y = squares(n)
    slope = ad.simplify(ad.grad(y, x), mode=mode)
    for value in (1.0, -1.0, 1 - 2.0**-n):
        at = {x: value}
        assert np.allclose(ad.evaluate(slope, at), ad.evaluate(ad.grad(y, x), at), rtol=1e-6)


@pytest.mark.parametrize("mode", some(["safe", "real"], 2))
def test_four_times_as_many_take_four_times_as_long(mode):
    def slope(n, attempt):
        x, y = squares(n)
        return ad.grad(y, x)

    assert_linear(lambda slope: ad.simplify(slope, mode=mode), slope, 500 if is_short() else 1_000)
