"""Exponentials and logarithms to other bases, degrees, roots and lengths."""

from math import log as ln
from math import pi

import numpy as np

from ..expr import Expr
from ..ops.comparison import abs, where
from ..ops.declare import op
from ..ops.elementary import cos, hypot

__all__ = ["cbrt", "deg2rad", "exp2", "hypot", "log10", "log2", "rad2deg", "sinc"]

LOG_2, LOG_10 = ln(2), ln(10)


@op(partials=lambda x, out: (LOG_2 * out,), facts={"positive": "always"}, latex="2^{#1}")
def exp2(x):
    """2^x.

    >>> ad.evaluate(ad.exp2([0.0, 3.0]))
    array([1., 8.])
    """
    return np.exp2(x)


@op(label="log₂", chain=lambda d, x, out: (d / (LOG_2 * x),), latex=r"\log_{2}")
def log2(x):
    """The logarithm of x to base 2.

    >>> ad.evaluate(ad.log2([1.0, 8.0]))
    array([0., 3.])
    """
    return np.log2(x)


@op(label="log₁₀", chain=lambda d, x, out: (d / (LOG_10 * x),), latex=r"\log_{10}")
def log10(x):
    """The logarithm of x to base 10.

    >>> ad.evaluate(ad.log10([1.0, 100.0]))
    array([0., 2.])
    """
    return np.log10(x)


@op(partials=lambda x, out: (pi / 180,))
def deg2rad(x):
    """An angle of x degrees in radians.

    >>> ad.evaluate(ad.deg2rad([0.0, 180.0]))
    array([0.        , 3.14159265])
    """
    return np.deg2rad(x)


@op(partials=lambda x, out: (180 / pi,))
def rad2deg(x):
    """An angle of x radians in degrees.

    >>> ad.evaluate(ad.rad2deg([0.0, np.pi]))
    array([  0., 180.])
    """
    return np.rad2deg(x)


@op(
    label="∛",
    chain=lambda d, x, out: (d / (3 * out * out),),
    kinks={"x = 0": "inf"},
    latex=r"\sqrt[3]{#1}",
)
def cbrt(x):
    """The cube root of x, with the slope inf at 0.

    >>> ad.evaluate(ad.cbrt([8.0, -27.0]))
    array([ 2., -3.])
    """
    return np.cbrt(x)


@op(partials=lambda x, out: (sinc_slope(x),))
def sinc(x):
    """sin(πx) / πx, and 1 at 0.

    >>> ad.evaluate(ad.sinc([0.0, 0.5]))
    array([1.        , 0.63661977])
    """
    return np.sinc(x)


def sinc_slope(x: Expr) -> Expr:
    """(cos πx − sinc x) / x, by its series near 0, where that quotient cancels."""
    far = where(abs(x) < 1e-2, 1, x)
    y = (pi * x) ** 2
    near = pi**2 * x * (-1 / 3 + y * (1 / 30 + y * (-1 / 840 + y * (1 / 45360))))
    return where(abs(x) < 1e-2, near, (cos(pi * far) - sinc(far)) / far)
