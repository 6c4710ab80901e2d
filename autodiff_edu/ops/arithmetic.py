"""Sums, products, quotients and powers."""

import numpy as np

from ..expr import Constant, Expr
from .broadcasting import zero
from .choice import logical_and, not_equal, where
from .cost import FUNCTION
from .declare import op
from .elementary import log


@op(
    symbol="+",
    linear=True,
    commutative=True,
    cost=1,
    facts={"integer": "each"},
    exact_facts={"positive": "sum", "nonnegative": "each"},
)
def add(x, y):
    """x + y."""
    return np.add(x, y)


@op(symbol="-", label="−", linear=True, cost=1, facts={"integer": "each"})
def subtract(x, y):
    """x − y."""
    return np.subtract(x, y)


@op(
    symbol="*",
    label="×",
    multilinear=True,
    commutative=True,
    cost=1,
    facts={"positive": "each", "nonnegative": "product", "nonzero": "each", "integer": "each"},
)
def multiply(x, y):
    """x · y."""
    return np.multiply(x, y)


@op(
    symbol="/",
    label="÷",
    chain=lambda d, x, y, out: (d / y, -(d * out) / y),
    cost=2,
    facts={"positive": "each", "nonnegative": "each", "nonzero": "first"},
    latex=r"\frac{#1}{#2}",
)
def divide(x, y):
    """x / y."""
    return np.divide(x, y)


@op(
    symbol="-",
    label="−□",
    linear=True,
    cost=1,
    exact_facts={"nonzero": "first", "finite": "first", "integer": "first"},
)
def negative(x):
    """−x."""
    return np.negative(x)


@op(
    label="□²",
    partials=lambda x, out: (2 * x,),
    scalar="{0} * {0}",
    cost=1,
    facts={"positive": "nonzero", "nonnegative": "always", "nonzero": "first", "integer": "first"},
    exact_facts={"nonnegative": "finite"},
    latex="#1^{2}",
)
def square(x):
    """x²."""
    return np.square(x)


@op(
    label="√",
    chain=lambda d, x, out: (d / (2 * out),),
    scalar="sqrt({0})",
    cost=2,
    exact_facts={"positive": "first", "nonnegative": "first"},
    latex=r"\sqrt{#1}",
)
def sqrt(x):
    """√x, with the slope inf at 0."""
    return np.sqrt(x)


@op(
    label="1/□",
    chain=lambda d, x, out: (-(d * square(out)),),
    scalar="1.0 / {0}",
    cost=2,
    facts={"positive": "first"},
    latex=r"\frac{1}{#1}",
)
def reciprocal(x):
    """1 / x."""
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
    scalar="pow({0}, {1})",
    cost=multiplications,
    facts={"positive": "first", "nonnegative": "even power", "nonzero": "first"},
    latex="#1^{#2}",
)
def power(x, y):
    """x to the power y."""
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
