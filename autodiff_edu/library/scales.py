"""Exponentials and logarithms to other bases, degrees, roots and lengths."""

from math import factorial, pi
from math import log as ln
from typing import Any

import numpy as np

from ..ops.declare import op
from ..ops.elementary import hypot

__all__ = [
    "cbrt", "deg2rad", "exp2", "hypot", "log10", "log2", "rad2deg", "sinc", "sinc_slope",
    "sine_quotient",
]  # fmt: skip

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


@op(partials=lambda x, out: (sinc_slope(x, order=1),))
def sinc(x):
    """sin(πx) / πx, and 1 at 0.

    >>> ad.evaluate(ad.sinc([0.0, 0.5]))
    array([1.        , 0.63661977])
    """
    return np.sinc(x)


@op(
    label="sinc⁽{order}⁾",
    type=lambda t, order: t.shape,
    pullback=lambda ct, x, out, order: (ct * sinc_slope(x, order=order + 1),),
    pushforward=lambda t, x, out, order: t[0] * sinc_slope(x, order=order + 1),
    batch=lambda inputs, flags, order: sinc_slope(inputs[0], order=order),
    facts={"finite": "always"},
    latex=r"\operatorname{sinc}^{(n)}",
)
def sinc_slope(x, *, order):
    """The derivative of sinc, of this order: by its series near 0, where quotients cancel.

    Parameters
    ----------
    order : int
        How many times sinc is differentiated.

    Returns
    -------
    Expr
        An array of the shape and the dtype of x.

    Notes
    -----
    Let sₙ be the derivative of sin z / z. Then z·sₙ + n·sₙ₋₁ is the derivative of sin z; solved for
    sₙ this loses no digits where |z| > n/2.

    Examples
    --------
    >>> ad.evaluate(ad.sinc_slope([0.0, 0.5], order=2))
    array([-3.28986813, -1.19022713])
    """
    z = pi * x
    near = np.abs(z) <= (order + 1) / 2
    far = np.where(near, 1, z)
    s = np.sin(far) / far
    for j in range(1, order + 1):
        s = ((np.sin, np.cos)[j % 2](far) * (1, 1, -1, -1)[j % 4] - j * s) / far
    return pi**order * np.where(near, sinc_series(np.where(near, z, 0), order), s)


def sinc_series(z: Any, order: int) -> Any:
    """Σ ± z^m / (m! (m + order + 1)) over all m that are even or odd as the order is."""
    odd, total = order % 2, 0.0
    for m in range(odd + 2 * (order + 12), odd - 1, -2):
        sign = (-1) ** ((m + order) // 2)
        total = total * (z * z) + sign / (factorial(m) * (m + order + 1))
    return total * z if odd else total


@op(
    label="sine quotient",
    partials=lambda x, out, sign, order: (
        sign * (x * sine_quotient(x, sign=sign, order=order + 1)),
    ),
)
def sine_quotient(x, *, sign=-1, order=0):
    """sin x / x, or sinh x / x for the sign 1, which is 1 at 0; and its slopes over x.

    Parameters
    ----------
    sign : {-1, 1}, default: -1
        That of f″ / f for f = sin, which gives -1, or f = sinh.
    order : int, default: 0
        How many times a slope was taken and divided by ± x.

    Returns
    -------
    Expr
        An array of the shape and the dtype of x.

    Notes
    -----
    All of these are even and smooth, jₙ(x) / xⁿ with the spherical Bessel functions jₙ. So they
    give lengths, such as |x|, the derivatives of functions of x².

    Examples
    --------
    >>> ad.evaluate(ad.sine_quotient([0.0, 1.0]))
    array([1.        , 0.84147098])
    """
    x = 1.0 * x  # whole numbers wrap
    near = np.abs(x) <= order + 2
    far = np.where(near, 1, x)
    last = np.cos(far) if sign < 0 else np.cosh(far)
    s = (np.sin(far) if sign < 0 else np.sinh(far)) / far
    for n in range(order):
        after = sign * (last - (2 * n + 1) * s) / (far * far)
        last, s = s, np.where(np.isinf(s), s, after)
    return np.where(near, quotient_series(np.where(near, x, 0), sign, order), s)


def quotient_series(x: Any, sign: int, order: int) -> Any:
    """Σ (± x²/2)^k / (k! (2·order + 2k + 1)!!)"""
    total = 0.0 * x + 1
    for k in range(order + 20, 0, -1):
        total = 1 + total * (sign * x * x / (2 * k * (2 * order + 2 * k + 1)))
    return total / np.prod(np.arange(1.0, 2 * order + 2, 2)).astype(total.dtype)
