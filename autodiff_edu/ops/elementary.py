"""Exponentials, logarithms, trigonometric and hyperbolic functions, and their kin."""

import numpy as np

from .declare import op


@op(partials=lambda x, out: (out,), scalar="exp({0})", facts={"positive": "always"})
def exp(x):
    """e^x."""
    return np.exp(x)


@op(partials=lambda x, out: (exp(x),), scalar="expm1({0})")
def expm1(x):
    """e^x − 1, accurate near 0."""
    return np.expm1(x)


@op(chain=lambda d, x, out: (d / x,), scalar="log({0})", latex=r"\log")
def log(x):
    """The natural logarithm of x."""
    return np.log(x)


@op(chain=lambda d, x, out: (d / (1 + x),), scalar="log1p({0})")
def log1p(x):
    """log(1 + x), accurate near 0."""
    return np.log1p(x)


@op(partials=lambda x, out: (cos(x),), scalar="sin({0})", facts={"finite": "always"}, latex=r"\sin")
def sin(x):
    """The sine of x."""
    return np.sin(x)


@op(
    partials=lambda x, out: (-sin(x),), scalar="cos({0})", facts={"finite": "always"}, latex=r"\cos"
)
def cos(x):
    """The cosine of x."""
    return np.cos(x)


@op(partials=lambda x, out: (1 + out * out,), scalar="tan({0})", latex=r"\tan")
def tan(x):
    """The tangent of x."""
    return np.tan(x)


@op(chain=lambda d, x, out: (d / (1 - x * x) ** 0.5,), scalar="asin({0})", latex=r"\arcsin")
def arcsin(x):
    """The angle in [−π/2, π/2] whose sine is x."""
    return np.arcsin(x)


@op(chain=lambda d, x, out: (-d / (1 - x * x) ** 0.5,), scalar="acos({0})", latex=r"\arccos")
def arccos(x):
    """The angle in [0, π] whose cosine is x."""
    return np.arccos(x)


@op(
    chain=lambda d, x, out: (d / (1 + x * x),),
    scalar="atan({0})",
    facts={"finite": "always"},
    latex=r"\arctan",
)
def arctan(x):
    """The angle in (−π/2, π/2) whose tangent is x."""
    return np.arctan(x)


@op(
    chain=lambda d, y, x, out: (d * x / (x * x + y * y), -d * y / (x * x + y * y)),
    scalar="atan2({0}, {1})",
    operand_labels=("y", "x"),
)
def arctan2(y, x):
    """The angle of the point (x, y)."""
    return np.arctan2(y, x)


@op(partials=lambda x, out: (cosh(x),), scalar="sinh({0})", latex=r"\sinh")
def sinh(x):
    """(e^x − e^−x) / 2."""
    return np.sinh(x)


@op(
    partials=lambda x, out: (sinh(x),),
    scalar="cosh({0})",
    facts={"positive": "always"},
    latex=r"\cosh",
)
def cosh(x):
    """(e^x + e^−x) / 2."""
    return np.cosh(x)


@op(
    partials=lambda x, out: (1 - out * out,),
    scalar="tanh({0})",
    facts={"finite": "always"},
    latex=r"\tanh",
)
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
