"""Simplification keeps values where arithmetic is not that of real numbers: integers that wrap,
numbers that a dtype cannot hold, truth values, empty sums."""

import numpy as np
import pytest

import autodiff_edu as ad


def simplified(e, at, mode="safe"):
    return ad.evaluate(ad.simplify(e, mode=mode), at)


@pytest.mark.parametrize("mode", ["ieee", "safe"])
def test_integers_wrap_and_no_rule_forgets_it(mode):
    u, i = ad.scalar("u", dtype="uint8"), ad.scalar("i", dtype="int8")
    v = ad.vector("v", dtype="uint8", shape=1)
    y = ad.scalar("y")
    at = {u: np.uint8(1), i: np.int8(100), y: 1.0, v: np.array([1], "uint8")}
    for e in (abs(-u), y + (-u), -u / y, (-v).sum(), 100 * i + 100 * i, i + np.int8(-128), i * i):
        np.testing.assert_array_equal(simplified(e, at, mode), ad.evaluate(e, at))


def test_coefficients_that_a_dtype_cannot_hold_are_not_collected():
    x = ad.scalar("x", dtype="float32")
    small, large = np.float32(1e-30), np.float32(3e38)
    for e, point in ((small * (small * x), 1e38), ((large * x) * large, 1e-39)):
        at = {x: np.float32(point)}
        np.testing.assert_allclose(simplified(e, at), ad.evaluate(e, at), rtol=1e-5)
    y = ad.scalar("y")
    assert simplified(y * (y * 0), {y: 1e300}) == 0


def test_truth_values_add_as_in_numpy():
    x = ad.scalar("x")
    assert ad.function(x, ((x > 0) + (x > 1)) * x)(5.0) == 5.0


def test_spreading_over_nothing():
    x = ad.scalar("x")
    assert simplified(ad.broadcast_to(x, (0,)).sum(), {x: np.inf}) == 0
