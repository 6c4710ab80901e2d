"""Zeros, ones and signs: what holds for every number.

Letters: w x y z expressions, c a constant.
"""

from ...expr import Constant, Expr
from ...library import isfinite
from ..engine.rule_table import table
from ..engine.validate import wild

w, x, y, z = wild("w x y z")
c = wild("c", constant=True)

SIGN = "the sign of a zero may change"
AT_INFINITY = "0·inf is nan, this says 0"


def as_large(x: Expr, node: Expr) -> bool:
    """Is x as large as the result, so that it makes no difference which of them is negated?"""
    return x.type.shape == node.type.shape


def negated(c: Constant, x: Expr) -> Expr:
    return Constant(-c.value) * x


def over_negated(c: Constant, x: Expr) -> Expr:
    return x / Constant(-c.value)


def negated_over(c: Constant, x: Expr) -> Expr:
    return Constant(-c.value) / x


# fmt: off
RULES = table(
    "ieee",
    ("plus zero",              x + 0,            x, SIGN),
    ("minus zero",             x - 0,            x),
    ("times one",              x * 1,            x),
    ("over one",               x / 1,            x),
    ("to the one",             x**1,             x),
    any_dtype=True,
) + table(
    "ieee",
    ("to the zero",            x**0,             1),
    ("one to the",             1**x,             1),
    ("over minus one",         x / -1,          -x),
    decreases="cost",
) + table(
    "ieee",
    ("zero minus",             0 - x,           -x, SIGN),
    ("times minus one",        x * -1,          -x),
    decreases="order",
) + table(
    "ieee",
    ("minus minus",            -(-x),            x),  # noqa: B002
    ("minus times minus",      -x * -y,          x * y),
    ("minus over minus",       -x / -y,          x / y),
    ("subtract minus",         x - -y,           x + y),
    ("add minus",              x + -y,           x - y),
    ("subtract minus factor",  x - -y * z,       x + y * z),
    ("add minus factor",       x + -y * z,       x - y * z),
    ("minus difference",       -(x - y),         y - x,       SIGN),
    ("minus into sum of minus", -(-x * y + z),   x * y - z,    SIGN),
    ("minus into differences", -((x - y) * z + w), (y - x) * z - w, SIGN),
    ("minus into constant",    -(c * x),         negated),
    ("minus into numerator",   -(c / x),         negated_over),
    ("minus into denominator", -(x / c),         over_negated),
    ("constant times minus",   c * -x,           negated),
    ("constant over minus",    c / -x,           negated_over),
    ("minus over constant",    -x / c,           over_negated),
) + table(
    "ieee",
    ("minus out of product",   -x * y,          -(x * y)),
    ("minus out of quotient",  -x / y,          -(x / y)),
    ("minus out of difference", -x - y,         -(x + y),     SIGN),
    ("minus out of denominator", y / -x,        -(y / x)),
    when=as_large, decreases="order",
) + table(
    "real",
    ("times zero",             x * 0,            0, AT_INFINITY),
    ("minus itself",           x - x,            0, "inf − inf is nan, this says 0"),
    needs=isfinite(x), any_dtype=True,
) + table(
    "real",
    ("over itself",            x / x,            1, "0/0 is nan, this says 1"),
    ("zero over",              0 / x,            0, "0/0 is nan, this says 0"),
    needs=x != 0, decreases="cost",
)
# fmt: on
