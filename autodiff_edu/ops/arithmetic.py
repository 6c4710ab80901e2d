"""Sums, products, quotients and powers."""

import numpy as np

from ..core.derivative_rules import zero
from ..expr import Constant, Expr, LazyModule
from .comparison import logical_and, not_equal, where
from .cost import FUNCTION
from .declare import op
from .elementary import log
from .power_series import constant_power, quotient

jnp = LazyModule("jax.numpy")


@op(
    symbol="+",
    scalar="{0} + {1}",
    linear=True,
    commutative=True,
    cost=1,
    facts={"integer": "each"},
    exact_facts={"positive": "sum", "nonnegative": "each"},
)
def add(x, y):
    """x + y.

    >>> ad.evaluate(ad.add([1.0, 2.0], 10.0))
    array([11., 12.])
    """
    return np.add(x, y)


@op(
    symbol="-",
    label="−",
    scalar="{0} - {1}",
    linear=True,
    cost=1,
    facts={"integer": "each"},
)
def subtract(x, y):
    """x − y.

    >>> ad.evaluate(ad.subtract([1.0, 2.0], 10.0))
    array([-9., -8.])
    """
    return np.subtract(x, y)


@op(
    symbol="*",
    label="×",
    scalar="{0} * {1}",
    multilinear=True,
    commutative=True,
    cost=1,
    facts={"positive": "each", "nonnegative": "product", "nonzero": "each", "integer": "each"},
)
def multiply(x, y):
    """x · y.

    >>> ad.evaluate(ad.multiply([1.0, 2.0], 10.0))
    array([10., 20.])
    """
    return np.multiply(x, y)


@op(
    symbol="/",
    label="÷",
    scalar="{0} / {1}",
    chain=lambda d, x, y, out: (d / y, -(d * out / y)),
    series=quotient,
    any_integer=True,
    cost=2,
    facts={"positive": "each", "nonnegative": "each", "nonzero": "each"},
    latex=r"\frac{#1}{#2}",
)
def divide(x, y):
    """x / y.

    >>> ad.evaluate(ad.divide([1.0, 2.0], 4.0))
    array([0.25, 0.5 ])
    """
    return np.divide(x, y)


@op(
    symbol="-",
    label="−·",
    scalar="-{0}",
    linear=True,
    cost=1,
    exact_facts={"nonzero": "first", "finite": "first", "integer": "first"},
)
def negative(x):
    """−x.

    >>> ad.evaluate(ad.negative([1.0, -2.0]))
    array([-1.,  2.])
    """
    return np.negative(x)


@op(
    label="·²",
    partials=lambda x, out: (2 * x,),
    scalar="{0} * {0}",
    cost=1,
    facts={"positive": "nonzero", "nonnegative": "always", "nonzero": "first", "integer": "first"},
    exact_facts={"nonnegative": "finite"},
    latex="#1^{2}",
)
def square(x):
    """x².

    >>> ad.evaluate(ad.square([1.0, -3.0]))
    array([1., 9.])
    """
    return np.square(x)


@op(
    label="√",
    chain=lambda d, x, out: (d / (2 * out),),
    kinks={"x = 0": "inf"},
    scalar="sqrt({0})",
    cost=2,
    exact_facts={"positive": "first", "nonnegative": "first"},
    latex=r"\sqrt{#1}",
)
def sqrt(x):
    """√x, with the slope inf at 0.

    >>> ad.evaluate(ad.sqrt([4.0, 9.0]))
    array([2., 3.])
    """
    return np.sqrt(x)


@op(
    label="1/·",
    chain=lambda d, x, out: (-(d * square(out)),),
    scalar="1.0 / {0}",
    cost=2,
    facts={"positive": "first"},
    latex=r"\frac{1}{#1}",
    targets={"jax": lambda x: (1 / jnp.asarray(x)).astype(x.dtype)},
)
def reciprocal(x):
    """1 / x.

    >>> ad.evaluate(ad.reciprocal([2.0, 4.0]))
    array([0.5 , 0.25])
    """
    return np.reciprocal(x)


def multiplications(x: Expr, y: Expr) -> int:
    """How many make up a power with a whole exponent, by squaring; any other is a function."""
    if not isinstance(y, Constant) or y.ndim or not float(y.value).is_integer():
        return FUNCTION
    if 0 <= y.value <= 1:
        return 1
    k = int(abs(y.value))
    return k.bit_length() + k.bit_count() - 2 + 3 * int(y.value < 0)


@op(
    symbol="**",
    label="^",
    partials=lambda x, y, out: (power_slope(x, y), out * log_of_base(x)),
    series=constant_power,
    scalar="pow({0}, {1})",
    cost=multiplications,
    facts={"positive": "first", "nonnegative": "even power", "nonzero": "first"},
    latex="#1^{#2}",
)
def power(x, y):
    """x to the power y.

    Parameters
    ----------
    x : Expr or array_like
        The base; its shape broadcasts with that of y.
    y : Expr or array_like
        The exponent.

    Notes
    -----
    At y = 0 the slope by x is 0, even where x is 0; at x = 0 the slope by y is 0.

    Examples
    --------
    >>> ad.evaluate(ad.power([2.0, 3.0], 2))
    array([4., 9.])
    """
    return np.power(x, y)


def power_slope(x: Expr, y: Expr) -> Expr:
    """y·x^(y−1), and 0 for y = 0 even where x is 0."""
    if not x.type.is_float:
        x = x.astype("float64")
    if not isinstance(y, Constant):
        return y * x ** where(logical_and(x == 0, y == 0), 0, y - 1)
    if not np.any(y.value):
        return zero(x)
    lower = np.where(y.value == 0, y.value, y.value - 1)
    return y * x ** Constant(lower.astype(y.dtype)[()])


def log_of_base(x: Expr) -> Expr:
    """log x, and 0 for x = 0, where x^y no longer changes with y."""
    return log(where(not_equal(x, 0), x, 1))
