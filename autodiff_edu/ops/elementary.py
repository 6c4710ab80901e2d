"""Exponentials, logarithms, trigonometric and hyperbolic functions, and their kin."""

import numpy as np

from ..expr import Expr
from .comparison import where
from .declare import op
from .radial import along


@op(partials=lambda x, out: (out,), scalar="exp({0})", facts={"positive": "always"})
def exp(x):
    """e^x.

    >>> ad.evaluate(ad.exp([0.0, 1.0]))
    array([1.        , 2.71828183])
    """
    return np.exp(x)


@op(partials=lambda x, out: (exp(x),), scalar="expm1({0})")
def expm1(x):
    """e^x − 1, accurate near 0.

    >>> ad.evaluate(ad.expm1([0.0, 1e-9]))
    array([0.e+00, 1.e-09])
    """
    return np.expm1(x)


@op(chain=lambda d, x, out: (d / x,), scalar="log({0})", latex=r"\log")
def log(x):
    """The natural logarithm of x.

    >>> ad.evaluate(ad.log([1.0, 10.0]))
    array([0.        , 2.30258509])
    """
    return np.log(x)


@op(chain=lambda d, x, out: (d / (1 + x),), scalar="log1p({0})")
def log1p(x):
    """log(1 + x), accurate near 0.

    >>> ad.evaluate(ad.log1p([0.0, 1e-9]))
    array([0.00000000e+00, 9.99999999e-10])
    """
    return np.log1p(x)


@op(partials=lambda x, out: (cos(x),), scalar="sin({0})", facts={"finite": "always"}, latex=r"\sin")
def sin(x):
    """The sine of x.

    >>> ad.evaluate(ad.sin([0.0, np.pi / 6]))
    array([0. , 0.5])
    """
    return np.sin(x)


@op(
    partials=lambda x, out: (-sin(x),), scalar="cos({0})", facts={"finite": "always"}, latex=r"\cos"
)
def cos(x):
    """The cosine of x.

    >>> ad.evaluate(ad.cos([0.0, np.pi / 3]))
    array([1. , 0.5])
    """
    return np.cos(x)


@op(partials=lambda x, out: (1 + out * out,), scalar="tan({0})", latex=r"\tan")
def tan(x):
    """The tangent of x.

    >>> ad.evaluate(ad.tan([0.0, np.pi / 4]))
    array([0., 1.])
    """
    return np.tan(x)


@op(chain=lambda d, x, out: (d / (1 - x * x) ** 0.5,), scalar="asin({0})", latex=r"\arcsin")
def arcsin(x):
    """The angle in [−π/2, π/2] whose sine is x.

    >>> ad.evaluate(ad.arcsin([0.0, 0.5]))
    array([0.        , 0.52359878])
    """
    return np.arcsin(x)


@op(chain=lambda d, x, out: (-d / (1 - x * x) ** 0.5,), scalar="acos({0})", latex=r"\arccos")
def arccos(x):
    """The angle in [0, π] whose cosine is x.

    >>> ad.evaluate(ad.arccos([1.0, 0.5]))
    array([0.        , 1.04719755])
    """
    return np.arccos(x)


@op(
    chain=lambda d, x, out: (d / (1 + x * x),),
    scalar="atan({0})",
    facts={"finite": "always"},
    latex=r"\arctan",
)
def arctan(x):
    """The angle in (−π/2, π/2) whose tangent is x.

    >>> ad.evaluate(ad.arctan([0.0, 1.0]))
    array([0.        , 0.78539816])
    """
    return np.arctan(x)


@op(
    commutative=True,
    chain=lambda d, x, y, out: (share(d, x, out), share(d, y, out)),
    scalar="hypot({0}, {1})",
    kinks={"x = y = 0": "0 for x, 0 for y"},
)
def hypot(x, y):
    """√(x² + y²), without overflow; with the slope 0 at the origin, as |x| has.

    >>> ad.evaluate(ad.hypot(3.0, [4.0, 0.0]))
    array([5., 3.])
    """
    return np.hypot(x, y)


def share(d: Expr, x: Expr, r: Expr) -> Expr:
    """d · x / r, and 0 where r is 0; (d / r) · x, where r is a factor of d."""
    return along(d, r, lambda k: k * x, lambda rest: rest * (x / where(r == 0, 1, r)))


def across(d: Expr, x: Expr, y: Expr) -> Expr:
    """d · x / (x² + y²), where squares may over- and underflow."""
    r = hypot(x, y)
    return d * (x / r) / r


@op(
    chain=lambda d, y, x, out: (across(d, x, y), -across(d, y, x)),
    scalar="atan2({0}, {1})",
    operand_labels=("y", "x"),
)
def arctan2(y, x):
    """The angle of the point (x, y).

    Parameters
    ----------
    y : Expr or array_like
        The second coordinate.
    x : Expr or array_like
        The first coordinate.

    Examples
    --------
    >>> ad.evaluate(ad.arctan2([1.0, 1.0], [1.0, -1.0]))
    array([0.78539816, 2.35619449])
    """
    return np.arctan2(y, x)


@op(partials=lambda x, out: (cosh(x),), scalar="sinh({0})", latex=r"\sinh")
def sinh(x):
    """(e^x − e^−x) / 2.

    >>> ad.evaluate(ad.sinh([0.0, 1.0]))
    array([0.        , 1.17520119])
    """
    return np.sinh(x)


@op(
    partials=lambda x, out: (sinh(x),),
    scalar="cosh({0})",
    facts={"positive": "always"},
    latex=r"\cosh",
)
def cosh(x):
    """(e^x + e^−x) / 2.

    >>> ad.evaluate(ad.cosh([0.0, 1.0]))
    array([1.        , 1.54308063])
    """
    return np.cosh(x)


@op(
    partials=lambda x, out: (tanh_slope(x),),  # 1 − out² has no digits where out is nearly 1
    scalar="tanh({0})",
    facts={"finite": "always"},
    latex=r"\tanh",
)
def tanh(x):
    """sinh x / cosh x.

    >>> ad.evaluate(ad.tanh([0.0, 1.0]))
    array([0.        , 0.76159416])
    """
    return np.tanh(x)


@op(
    label="tanh′",
    partials=lambda x, out: (-2 * (out * tanh(x)),),
    cost=8,  # cosh, a quotient and a square, each in an array of its own
    scalar="tanh_slope({0})",
    facts={"positive": "always", "finite": "always"},
    latex=r"\tanh'",
)
def tanh_slope(x):
    """1 − tanh² x = 1 / cosh² x, the slope of tanh, with all digits where tanh x is nearly 1.

    >>> ad.evaluate(ad.tanh_slope([0.0, 20.0]))
    array([1.00000000e+00, 1.69934170e-17])
    """
    return np.square(1 / np.cosh(x))


@op(chain=lambda d, x, out: (d / (x * x + 1) ** 0.5,), scalar="asinh({0})")
def arcsinh(x):
    """The number whose sinh is x.

    >>> ad.evaluate(ad.arcsinh([0.0, 1.0]))
    array([0.        , 0.88137359])
    """
    return np.arcsinh(x)


@op(chain=lambda d, x, out: (d / ((x - 1) ** 0.5 * (x + 1) ** 0.5),), scalar="acosh({0})")
def arccosh(x):
    """The number ≥ 0 whose cosh is x.

    >>> ad.evaluate(ad.arccosh([1.0, 2.0]))
    array([0.       , 1.3169579])
    """
    return np.arccosh(x)


@op(chain=lambda d, x, out: (d / (1 - x * x),), scalar="atanh({0})")
def arctanh(x):
    """The number whose tanh is x.

    >>> ad.evaluate(ad.arctanh([0.0, 0.5]))
    array([0.        , 0.54930614])
    """
    return np.arctanh(x)
