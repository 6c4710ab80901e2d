"""Functions made of operations: NumPy's values, and gradients that finite differences confirm."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

pytestmark = pytest.mark.numeric

V = np.arange(12.0).reshape(3, 4) ** 1.1 - 5
K = np.arange(12).reshape(3, 4)
GAPS = np.where(V > 3, np.nan, V)
FLOATS = [
    lambda x: np.rot90(x), lambda x: np.rot90(x, 2), lambda x: np.rot90(x, -1),
    lambda x: np.block([[x, x * 2], [x, x]]), lambda x: np.block([x[0], 1.0]),
    lambda x: np.dstack([x, x]), lambda x: np.dstack([x[0], x[1]]), lambda x: np.hsplit(x, 2),
    lambda x: np.vsplit(x, 3), lambda x: np.dsplit(x[None], 2), lambda x: np.unstack(x, axis=1),
    lambda x: np.delete(x, 1, axis=0), lambda x: np.delete(x, [0, -1]),
    lambda x: np.insert(x, 1, 7.0, axis=1), lambda x: np.insert(x[0], -1, x[1, 1]),
    lambda x: np.compress([True, False, True], x, axis=0), lambda x: np.diagflat(x, 1),
    lambda x: np.cov(x), lambda x: np.cov(x[0], x[1], bias=True), lambda x: np.cov(x.T, ddof=0),
    lambda x: np.corrcoef(x), lambda x: np.percentile(x, 30), lambda x: np.var(x, axis=0, ddof=1),
    lambda x: np.std(x, axis=-1, keepdims=True), lambda x: np.ptp(x, axis=1),
    lambda x: np.average(x, axis=0, weights=np.array([1.0, 2, 3])), lambda x: np.average(x),
    lambda x: np.average(x, weights=np.arange(12.0).reshape(3, 4)),
    lambda x: np.gradient(x), lambda x: np.gradient(x, 0.5, axis=0),
    lambda x: np.meshgrid(x[0], x[:, 1]), lambda x: np.meshgrid(x[0], x[:, 1], indexing="ij"),
    lambda x: np.linspace(x[0, 0], x[0, 1], 5), lambda x: np.linspace(x[0], x[1], 3),
    lambda x: np.linspace(0, x[0, 0], 4, endpoint=False), lambda x: np.logspace(x[0, 0], 0, 3),
    lambda x: np.polyval(x[0], 2.0), lambda x: np.vander(x[0], 3),
    lambda x: np.vander(x[0], increasing=True), lambda x: x[np.ix_([0, 2], [1, 3])],
    lambda x: np.fmax(x, 1), lambda x: np.fmin(x, 1),
    lambda x: np.vecdot(x, x), lambda x: np.matvec(x, x[0]), lambda x: np.vecmat(x[:, 0], x),
    lambda x: np.linalg.cond(x), lambda x: np.linalg.lstsq(x.T, x[0], rcond=None)[0],
    lambda x: np.piecewise(x, [x < 0, x >= 3], [lambda t: -t, lambda t: t * 2, 5.0]),
    lambda x: np.interp(0.3, x[0], x[1]), lambda x: np.interp(x[1], [-6.0, 0, 9], [1.0, 0, 2]),
    lambda x: np.trapezoid(x, axis=0), lambda x: np.diff(x, 2), lambda x: np.median(x, axis=0),
    lambda x: np.kron(x, x), lambda x: np.tensordot(x, x, ((0, 1), (0, 1))),
    lambda x: np.roll(x, 1), lambda x: np.roll(x, (1, -2), (0, 1)), lambda x: np.tile(x, (2, 1, 2)),
    lambda x: np.repeat(x, 2), lambda x: np.repeat(x, [1, 0, 2], axis=0),
    lambda x: np.pad(x, ((1, 2), (0, 1)), mode="reflect"), lambda x: np.pad(x, 1, mode="wrap"),
    lambda x: np.pad(x, 1, constant_values=3.0), lambda x: np.convolve(x[0], x[1]),
    lambda x: np.convolve(x[0], x[1, :3], "same"), lambda x: np.correlate(x[0], x[1], "full"),
    lambda x: np.select([x < 0, x > 3], [x**2, -x], 1.0), lambda x: np.sinc(x),
]  # fmt: skip
TRUTHS = [
    lambda x: np.isclose(x, x + 1e-9), lambda x: np.allclose(x, x), lambda x: np.count_nonzero(x),
    lambda x: np.array_equal(x, x), lambda x: np.floor_divide(x, 2), lambda x: np.round(x, 1),
    lambda x: np.argmin(x, axis=0), lambda x: np.argsort(x, axis=0), lambda x: np.any(x > 1),
]  # fmt: skip
WHOLE = [
    lambda k: k & 3, lambda k: 3 & k, lambda k: ~k, lambda k: k | 8, lambda k: k ^ 5,
    lambda k: k % 3, lambda k: k // 2, lambda k: (k > 2) & (k < 7), lambda k: ~(k > 2),
    lambda k: divmod(k, 5), lambda k: k**2,
]  # fmt: skip
HOLES = [
    lambda x: np.nansum(x), lambda x: np.nanmean(x, axis=0), lambda x: np.nanvar(x, ddof=1),
    lambda x: np.nanstd(x, axis=1), lambda x: np.nanmax(x), lambda x: np.nanmin(x, axis=0),
    lambda x: np.nan_to_num(x), lambda x: np.isnan(x),
]  # fmt: skip


def several(results):
    return list(results) if isinstance(results, (list, tuple)) else [results]


def agrees(f, value):
    x = ad.tensor("x", dtype=value.dtype, shape=value.shape)
    with np.errstate(all="ignore"):
        wanted = several(f(value))
    found = several(f(x))
    for node, want in zip(found, wanted, strict=True):
        got = ad.evaluate(node, {x: value})
        assert np.shape(got) == np.shape(want) == node.type.shape
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)


@pytest.mark.each("f", some(FLOATS, 10))
def test_values_and_gradients(f):
    agrees(f, V)
    total = lambda x: sum((y * y).sum() for y in several(f(x)))
    ad.verify_grad(total, [V], n_tests=1)


@pytest.mark.each("f", [*TRUTHS, *HOLES, *some(FLOATS, 2, turn=1)])
def test_values(f):
    agrees(f, V)


@pytest.mark.filterwarnings("ignore:Degrees of freedom")  # NumPy's own, of a row with one number
@pytest.mark.each("f", HOLES)
def test_what_is_not_a_number_is_passed_over(f):
    agrees(f, GAPS)


@pytest.mark.each("f", WHOLE)
def test_whole_numbers(f):
    agrees(f, K)


def test_an_array_is_indexed_by_an_expression():
    k = ad.vector("k", dtype="int64", shape=3)
    with pytest.raises(TypeError, match=r"ad.array\(a\)\[k\]"):
        V[k]
    found = ad.evaluate(ad.array(V[0])[k], {k: [1, 0, 1]})
    np.testing.assert_array_equal(found, V[0][[1, 0, 1]])


def test_a_gradient_passes_over_what_is_not_a_number():
    slope = ad.grad(lambda x: np.nanmean(x**2))(np.array([1.0, np.nan, 3.0]))
    np.testing.assert_array_equal(slope[[0, 2]], [1, 3])
