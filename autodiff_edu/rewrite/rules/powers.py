"""Powers and roots.

Letters: x y z expressions, c d constants.
"""

from ...expr import Constant, Expr
from ...library import cbrt, isfinite
from ...library.norms import norm2
from ...ops import abs, log, sqrt, square, sum
from ..algebra.monomial import number_of
from ..engine.rule_table import table
from ..engine.validate import wild
from ..facts.prover import is_provable
from .shapes import node_of

x, y, z = wild("x y z")
a, k = wild("a k")
c, d = wild("c d", constant=True)

DOMAIN = "nan where x < 0"
BOTH = "nan where both are negative; x·y may overflow"
OVER = "a power may overflow"


def whole(c: Constant) -> bool:
    """Is this constant a whole number other than 0?"""
    return not c.ndim and bool(c.value) and float(c.value).is_integer()


def both_whole(c: Constant, d: Constant) -> bool:
    return whole(c) and whole(d)


def even(c: Constant) -> bool:
    return whole(c) and bool(c.value % 2 == 0)


def even_but_two(c: Constant) -> bool:
    return even(c) and bool(c.value != 2)


def odd(c: Constant) -> bool:
    return whole(c) and bool(c.value % 2 == 1)


def by_four(c: Constant) -> bool:
    return whole(c) and bool(c.value % 4 == 0)


def not_even(c: Constant) -> bool:
    return not c.ndim and bool(c.value % 2 != 0)


def broken(c: Constant) -> bool:
    """Is this constant no whole number?"""
    return not c.ndim and not float(c.value).is_integer()


def folds(c: Constant, d: Constant) -> bool:
    """Is x^d the same for x and −x, and is a root taken of it?"""
    return broken(c) and even(d)


def never_folds(x: Expr, y: Expr, c: Constant) -> bool:
    """Is x^y defined for positive x alone, or are those the only ones?"""
    exponent = number_of(y)
    defined = exponent is not None and exponent % 2 != 0
    return not_even(c) and (defined or is_provable("positive", x))


def varies(y: Expr) -> bool:
    """Is the exponent one that no table of powers collects?"""
    return not isinstance(y, Constant)


def in_range(x: Expr) -> tuple[Expr, Expr]:
    """Conditions: x is neither too large to be held nor too small."""
    return isfinite(x), isfinite(1 / x)


def differ(x: Expr, y: Expr) -> bool:
    return x is not y


length_of_x = node_of(norm2, x, axis=a, keepdims=k)

# fmt: off
RULES = table(
    "ieee",
    ("minus squared",     square(-x),          square(x)),
    ("abs squared",       square(abs(x)),      square(x)),
    ("square in abs",     abs(square(x)),      square(x)),
) + table(
    "safe",
    ("even power of minus", (-x)**c,           x**c),
    ("even power of abs", abs(x)**c,           x**c),
    ("abs of even power", abs(x**c),           x**c),
    when=even,
) + table(
    "safe",
    ("odd power of minus", (-x)**c,            -(x**c)),
    when=odd, decreases="order",
) + table(
    "safe",
    ("power two",         x**2,                square(x)),
    decreases="order",
) + table(
    "safe",
    ("power minus one",   x**-1,               1 / x),
    ("root of square",    sqrt(square(x)),     abs(x),           "x² may overflow"),
    ("log of root",       log(sqrt(x)),        0.5 * log(x)),
    ("cube root of cube", cbrt(x**3),          x,                "x³ may overflow"),
    ("cube of cube root", cbrt(x)**3,          x),
    ("square of norm",    square(length_of_x), node_of(sum, square(x), axis=a, keepdims=k),
     "a square may overflow"),
    cost_policy="cheaper", decreases="cost",
) + table(
    "safe",
    ("power of power",    (x**c)**d,           x**(c * d),       OVER),
    when=both_whole, cost_policy="cheaper",
) + table(
    "safe",
    ("square of power",   square(x**c),        x**(2 * c),       OVER),
    ("power of square",   square(x)**c,        x**(2 * c),       OVER),
    when=whole, cost_policy="cheaper",
) + table(
    "safe",
    ("root of power",     sqrt(x**c),          x**(0.5 * c),     OVER),
    when=by_four, cost_policy="cheaper", decreases="cost",
) + table(
    "real",
    ("power one half",    x**0.5,              sqrt(x),          "(−inf)^½ is inf, √ is nan"),
    ("square of root",    square(sqrt(x)),     x,                DOMAIN),
    needs=x >= 0, decreases="cost",
) + table(
    "real",
    ("even power of root", sqrt(x)**c,         x**(0.5 * c),     DOMAIN, x >= 0),
    when=even_but_two, cost_policy="cheaper", decreases="cost",
) + table(
    "real",
    ("any power of power", (x**y)**c,          x**(y * c),       "nan where x < 0; " + OVER, x > 0,
     isfinite(x**y)),
    when=never_folds, cost_policy="cheaper", decreases="nodes",
) + table(
    "safe",
    ("any power of even power", (x**d)**c,     abs(x)**(d * c),  OVER),
    when=folds, cost_policy="cheaper", decreases="cost",
) + table(
    "safe",
    ("any power of square", square(x)**c,      abs(x)**(2 * c),  OVER),
    when=broken, cost_policy="cheaper", decreases="cost",
) + table(
    "real",
    ("product of roots",  sqrt(x) * sqrt(y),   sqrt(x * y),      BOTH, x > 0, *in_range(x * y)),
    ("quotient of roots", sqrt(x) / sqrt(y),   sqrt(x / y),      BOTH, x > 0, *in_range(x / y)),
    when=differ, cost_policy="cheaper", decreases="cost",
) + table(
    "real",
    ("over its root",     x / sqrt(x),         sqrt(x),          "0/0 is nan", x > 0, isfinite(x)),
    ("one over root of one over", 1 / sqrt(1 / x), sqrt(x),      "1/x may overflow", x > 0,
     *in_range(x)),
    cost_policy="cheaper", decreases="cost",
) + table(
    "real",
    ("product of powers", x**y * x**z,         x**(y + z),       OVER, x > 0, isfinite(x**(y + z))),
    ("quotient of powers", x**y / x**z,        x**(y - z),       OVER, x > 0, isfinite(x**z)),
    when=varies, cost_policy="cheaper", decreases="cost",
) + table(
    "real",
    ("power times its base", x**y * x,         x**(y + 1),       OVER, x > 0, isfinite(x**(y + 1))),
    ("power over its base", x**y / x,          x**(y - 1),       OVER, x > 0, isfinite(x**(y - 1))),
    when=varies, decreases="order",
)
# fmt: on
