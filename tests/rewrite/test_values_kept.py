"""Simplification keeps values where arithmetic is not that of real numbers: integers that wrap,
numbers that a dtype cannot hold, truth values, empty sums."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some


def simplified(e, at, mode="safe"):
    return ad.evaluate(ad.simplify(e, mode=mode), at)


@pytest.mark.each("mode", ["ieee", "safe"])
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


MEANS = {
    "mean": ad.mean,
    "length over a root": lambda x: ad.sqrt(ad.mean(ad.square(x))),
    "spread": np.std,
    "variance": np.var,
    "log of mean": lambda x: ad.log(ad.mean(ad.exp(x))),
    "share": lambda x: (ad.exp(x) / ad.mean(ad.exp(x)))[..., 0],
    "repeated": lambda x: ad.sum(0 * x + 1e-3),
}
MANY_ENTRIES = [(70_000,), (None,), (2, 40_000), (None, None), (1000,)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name, shape",
    [(name, s) for turn, name in some(enumerate(MEANS), 3) for s in some(MANY_ENTRIES, 5, turn)],
)
def test_half_precision_has_no_number_for_many_entries(name, shape):
    rng = np.random.default_rng(0)
    lengths = (70_000,) if len(shape) == 1 else (2, 40_000)
    value = rng.normal(size=[n or m for n, m in zip(shape, lengths, strict=True)])

    def outputs(dtype):
        x = ad.tensor("x", dtype, shape)
        y = MEANS[name](x)
        return x, [y, ad.grad(ad.sum(y), x)]

    x, wanted = outputs("float64")
    wanted = ad.evaluate(ad.Graph(wanted), {x: value})
    x, found = outputs("float16")
    for mode in some((None, "ieee", "safe", "real"), 2, turn=len(shape)):
        got = ad.function(x, found, simplify=mode, on_unused_input="ignore")(
            value.astype("float16")
        )
        for a, b in zip(got, wanted, strict=True):
            assert a.dtype == "float16"
            np.testing.assert_allclose(a, b, rtol=0.02, atol=1e-3 * np.max(np.abs(b)) + 2e-7)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.each("extreme", some([ad.max, ad.min], 2))
@pytest.mark.each("n", some([5, 3000, 70_000], 4))
def test_many_that_tie_in_half_precision_share_the_slope(n, extreme):
    x, zeros = ad.vector("x", dtype="float16", shape=n), np.zeros(n, "float16")
    slope = ad.grad(extreme(x), x)
    tangent = ad.forward_mode(extreme(x), x, ad.constant(zeros + 1)).output
    for mode in (None, "safe"):
        found = ad.function(x, [slope, tangent], simplify=mode)(zeros)
        np.testing.assert_allclose(found[0], np.full(n, 1 / n, "float16"))
        assert found[1] == 1
