"""Slopes of logsumexp as they are stated, and its kin, where numbers are huge."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

pytestmark = pytest.mark.numeric

v, A = ad.vector("v"), ad.matrix("A", shape=(2, 3))
x, y = ad.scalar("x"), ad.scalar("y")
MODES = (None, "ieee", "safe", "real")
SHARES = np.array([[0.5, 0.25, 0.25], [0.125, 0.5, 0.375]])


@pytest.mark.parametrize("mode", some(MODES, 2))
@pytest.mark.parametrize("far", some([0.0, 1e10, -1e12, 2.0**60, 1e300], 2))
def test_slopes_far_from_0_are_those_near_it(far, mode):
    """The spacing of numbers is a power of two there, and so are the differences."""
    steps = np.array([0.0, 1.0, 2.0]) * max(1.0, np.spacing(abs(far)))
    at = far + np.array([steps, steps[::-1]])
    e = np.exp(at - at.max(axis=1, keepdims=True))
    wanted = e / e.sum(axis=1, keepdims=True)
    for sums in (ad.logsumexp(A, axis=1), ad.logsumexp(A.T, axis=0, keepdims=True)):
        slope = ad.grad(ad.sum(sums), A)
        found = ad.function(A, slope, simplify=mode)(at)
        np.testing.assert_allclose(found, wanted, rtol=1e-14)
    moved = ad.pushforward(ad.logsumexp(A, axis=1), A, ad.constant(SHARES))
    found = ad.function(A, moved, simplify=mode)(at)
    np.testing.assert_allclose(found, (wanted * SHARES).sum(axis=1), rtol=1e-14)


@pytest.mark.parametrize("mode", MODES)
def test_the_log_of_a_difference_of_exps_at_infinities(mode):
    f = ad.function([x, y], ad.log(ad.exp(x) - ad.exp(y)), simplify=mode)
    points = [
        (-np.inf, -np.inf),
        (1.0, -np.inf),
        (-np.inf, 1.0),
        (np.inf, 1.0),
        (0.5, 0.25),
        (1, 1),
    ]
    for p in (*points, (np.inf, np.inf), (np.nan, 0.0), (0.0, np.nan)):
        with np.errstate(all="ignore"):
            wanted = np.log(np.exp(p[0]) - np.exp(p[1]))
        np.testing.assert_allclose(f(*map(float, p)), wanted, rtol=1e-14)


def test_the_log_of_a_difference_of_exps_in_other_dtypes():
    for dtype in ("float16", "float32"):
        a, b = (ad.scalar(name, dtype=dtype) for name in "ab")
        f = ad.function([a, b], ad.log(ad.exp(a) - ad.exp(b)))
        low = np.dtype(dtype).type(-np.inf)
        assert f(low, low) == -np.inf and f(low, low).dtype == dtype
        assert f(np.dtype(dtype).type(2), low) == 2
