"""Exponentials, logarithms, trigonometric and hyperbolic functions, and their kin."""

from math import log as ln
from math import pi

import numpy as np

from ..expr import Expr
from .choice import abs, where
from .declare import op

LOG_2, LOG_10 = ln(2), ln(10)


@op(partials=lambda x, out: (out,), scalar="exp({0})")
def exp(x):
    """e^x."""
    return np.exp(x)


@op(partials=lambda x, out: (exp(x),), scalar="expm1({0})")
def expm1(x):
    """e^x − 1, accurate near 0."""
    return np.expm1(x)


@op(chain=lambda d, x, out: (d / x,), scalar="log({0})")
def log(x):
    """The natural logarithm of x."""
    return np.log(x)


@op(chain=lambda d, x, out: (d / (1 + x),), scalar="log1p({0})")
def log1p(x):
    """log(1 + x), accurate near 0."""
    return np.log1p(x)


@op(partials=lambda x, out: (cos(x),), scalar="sin({0})")
def sin(x):
    """The sine of x."""
    return np.sin(x)


@op(partials=lambda x, out: (-sin(x),), scalar="cos({0})")
def cos(x):
    """The cosine of x."""
    return np.cos(x)


@op(partials=lambda x, out: (1 + out * out,), scalar="tan({0})")
def tan(x):
    """The tangent of x."""
    return np.tan(x)


@op(chain=lambda d, x, out: (d / (1 - x * x) ** 0.5,), scalar="asin({0})")
def arcsin(x):
    """The angle in [−π/2, π/2] whose sine is x."""
    return np.arcsin(x)


@op(chain=lambda d, x, out: (-d / (1 - x * x) ** 0.5,), scalar="acos({0})")
def arccos(x):
    """The angle in [0, π] whose cosine is x."""
    return np.arccos(x)


@op(chain=lambda d, x, out: (d / (1 + x * x),), scalar="atan({0})")
def arctan(x):
    """The angle in (−π/2, π/2) whose tangent is x."""
    return np.arctan(x)


@op(
    chain=lambda d, y, x, out: (d * x / (x * x + y * y), -d * y / (x * x + y * y)),
    scalar="atan2({0}, {1})",
)
def arctan2(y, x):
    """The angle of the point (x, y)."""
    return np.arctan2(y, x)


@op(partials=lambda x, out: (cosh(x),), scalar="sinh({0})")
def sinh(x):
    """(e^x − e^−x) / 2."""
    return np.sinh(x)


@op(partials=lambda x, out: (sinh(x),), scalar="cosh({0})")
def cosh(x):
    """(e^x + e^−x) / 2."""
    return np.cosh(x)


@op(partials=lambda x, out: (1 - out * out,), scalar="tanh({0})")
def tanh(x):
    """sinh x / cosh x."""
    return np.tanh(x)


@op(chain=lambda d, x, out: (d / (x * x + 1) ** 0.5,), scalar="asinh({0})")
def arcsinh(x):
    """The number whose sinh is x."""
    return np.arcsinh(x)


@op(chain=lambda d, x, out: (d / ((x - 1) ** 0.5 * (x + 1) ** 0.5),), scalar="acosh({0})")
def arccosh(x):
    """The number ≥ 0 whose cosh is x."""
    return np.arccosh(x)


@op(chain=lambda d, x, out: (d / (1 - x * x),), scalar="atanh({0})")
def arctanh(x):
    """The number whose tanh is x."""
    return np.arctanh(x)


# ---- other bases and scales


@op(partials=lambda x, out: (LOG_2 * out,))
def exp2(x):
    """2^x."""
    return np.exp2(x)


@op(label="log₂", chain=lambda d, x, out: (d / (LOG_2 * x),))
def log2(x):
    """The logarithm of x to base 2."""
    return np.log2(x)


@op(label="log₁₀", chain=lambda d, x, out: (d / (LOG_10 * x),))
def log10(x):
    """The logarithm of x to base 10."""
    return np.log10(x)


@op(partials=lambda x, out: (pi / 180,))
def deg2rad(x):
    """An angle of x degrees in radians."""
    return np.deg2rad(x)


@op(partials=lambda x, out: (180 / pi,))
def rad2deg(x):
    """An angle of x radians in degrees."""
    return np.rad2deg(x)


@op(label="∛", chain=lambda d, x, out: (d / (3 * out * out),))
def cbrt(x):
    """The cube root of x, with the slope inf at 0."""
    return np.cbrt(x)


@op(
    commutative=True,
    partials=lambda x, y, out: (x / where(out == 0, 1, out), y / where(out == 0, 1, out)),
)
def hypot(x, y):
    """√(x² + y²), without overflow; with the slope 0 at the origin, as |x| has."""
    return np.hypot(x, y)


@op(partials=lambda x, out: (sinc_slope(x),))
def sinc(x):
    """sin(πx) / πx, and 1 at 0."""
    return np.sinc(x)


def sinc_slope(x: Expr) -> Expr:
    """(cos πx − sinc x) / x, by its series near 0, where that quotient cancels."""
    far = where(abs(x) < 1e-2, 1, x)
    y = (pi * x) ** 2
    near = pi**2 * x * (-1 / 3 + y * (1 / 30 + y * (-1 / 840 + y * (1 / 45360))))
    return where(abs(x) < 1e-2, near, (cos(pi * far) - sinc(far)) / far)
