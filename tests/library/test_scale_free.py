"""Slopes of lengths, angles and unit vectors at every scale: f(s·x) = sᵏ·f(x), so that the slopes
at s·x are those at x, times s to the k − 1. Where s is a power of two, no digit differs."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

pytestmark = pytest.mark.numeric

LIMITS = {"float64": 500, "float32": 60, "float16": 6}  # of powers of two


def both(u, v):
    return ad.concatenate([u, v])


HOMOGENEOUS = {  # a function of vectors, its degree
    "arctan2": (lambda u, v: ad.arctan2(u, v), 0),
    "hypot": (lambda u, v: ad.hypot(u, v), 1),
    "length": (lambda u, v: ad.norm(both(u, v)), 1),
    "length of rows": (lambda u, v: ad.norm(ad.stack([u, v]), axis=1), 1),
    "distance": (lambda u, v: ad.norm(u - v), 1),
    "unit vector": (lambda u, v: both(u, v) / ad.norm(both(u, v)), 0),
    "unit vectors": (lambda u, v: u / ad.hypot(u, v), 0),
    "cosine of the angle": (lambda u, v: (u / ad.norm(u)) @ (v / ad.norm(v)), 0),
    "arc": (lambda u, v: ad.hypot(u, v) * ad.arctan2(v, u), 1),
}
WRITTEN_OUT = {  # which mode safe makes of what overflows; mode real multiplies denominators
    "angle": (lambda u, v: ad.arctan2(ad.norm(u - v), ad.norm(u + v)), 0),
    "root of squares": (lambda u, v: ad.sqrt(u * u + v * v), 1),
    "root of a sum": (lambda u, v: ad.sqrt(ad.sum(both(u, v) ** 2)), 1),
    "over a root of squares": (lambda u, v: u / ad.sqrt(u * u + v * v), 0),
}
AT = [3.0, -1.0, 0.5], [2.0, 1.0, 0.75]


def slopes(f, dtype):
    """By reverse mode and by forward mode, at every scale."""
    u, v = (ad.vector(name, dtype=dtype, shape=3) for name in "uv")
    y = f(u, v)
    ones = [ad.constant(np.ones(3, dtype))] * 2
    return [u, v], [*ad.grad(ad.sum(y), [u, v]), ad.pushforward(y, [u, v], ones)]


NAMES = [*HOMOGENEOUS, *WRITTEN_OUT]


@pytest.mark.parametrize(
    "name, dtype",
    [(name, dtype) for k, name in enumerate(NAMES) for dtype in some(LIMITS, len(LIMITS), k)],
)
def test_slopes_scale_as_the_function_says(name, dtype):
    f, degree = (HOMOGENEOUS | WRITTEN_OUT)[name]
    inputs, outputs = slopes(f, dtype)
    modes = some((None, "ieee", "safe", "real"), 2, turn=len(name))
    for mode in modes if name in HOMOGENEOUS else ("safe",):
        g = ad.function(inputs, outputs, simplify=mode, on_unused_input="ignore")
        points = [np.array(p, dtype) for p in AT]
        wanted = g(*points)
        for k in (-LIMITS[dtype], LIMITS[dtype]):
            found = g(*[np.ldexp(p, k) for p in points])
            for a, b in zip(found, wanted, strict=True):
                exact, eps = np.ldexp(b.astype("float64"), k * (degree - 1)), np.finfo(dtype).eps
                assert a.dtype == dtype
                most = 8 * eps * np.abs(exact).max()  # entries are sums, in which terms may cancel
                np.testing.assert_allclose(a, exact, rtol=8 * eps, atol=most, err_msg=mode)


@pytest.mark.parametrize(
    "name, mode",
    [(name, mode) for k, name in enumerate(HOMOGENEOUS) for mode in some(["ieee", "safe"], 2, k)],
)
def test_second_slopes_scale_too(name, mode):
    f, degree = HOMOGENEOUS[name]
    u, v = (ad.vector(name, shape=3) for name in "uv")
    y = f(u, v)
    y = ad.sum(
        y * ad.constant(np.linspace(1, -2, int(np.prod(y.type.shape))).reshape(y.type.shape))
    )
    moved = ad.sum(ad.grad(y, u)) + ad.sum(ad.grad(y, v))
    g = ad.function([u, v], ad.grad(moved, u), simplify=mode, on_unused_input="ignore")
    wanted = g(*AT)
    for k in (-400, 400):
        found = g(*[np.ldexp(p, k) for p in AT])
        np.testing.assert_allclose(found, np.ldexp(wanted, k * (degree - 2)), rtol=1e-13)
