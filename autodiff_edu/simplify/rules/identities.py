"""Zeros, ones, signs and choices: the identities that hold for every number.

Letters: x y z expressions, c a constant, p a condition.
"""

from ...expr import Constant, Expr
from ...library import isfinite
from ...ops import abs, logical_not, maximum, minimum, where
from ..match import wild
from ..rule import table

x, y, z, p = wild("x y z p")
c = wild("c", constant=True)

SIGN = "the sign of a zero may change"
AT_INFINITY = "0·inf is nan, this says 0"


def negated(c: Constant, x: Expr) -> Expr:
    return Constant(-c.value) * x


def decided(c: Constant, x: Expr, y: Expr) -> Expr | None:
    """The branch that a constant condition takes everywhere."""
    return x if c.value.all() else y if not c.value.any() else None


# fmt: off
RULES = table(
    "ieee",
    ("plus zero",             x + 0,                       x, SIGN),
    ("minus zero",            x - 0,                       x),
    ("times one",             x * 1,                       x),
    ("over one",              x / 1,                       x),
    ("to the one",            x**1,                        x),
    ("max of the same",       maximum(x, x),               x),
    ("min of the same",       minimum(x, x),               x),
    ("where of the same",     where(p, x, x),              x),
    ("where of a constant",   where(c, x, y),              decided),
    ("where of not",          where(logical_not(p), x, y), where(p, y, x)),
    ("where in where",        where(p, where(p, x, y), z), where(p, x, z)),
    ("where in else",         where(p, x, where(p, y, z)), where(p, x, z)),
    any_dtype=True,
) + table(
    "ieee",
    ("zero minus",            0 - x,                      -x, SIGN),
    ("to the zero",           x**0,                        1),
    ("one to the",            1**x,                        1),
    ("times minus one",       x * -1,                     -x),
    ("over minus one",        x / -1,                     -x),
    ("minus minus",           -(-x),                       x),  # noqa: B002
    ("minus times minus",     -x * -y,                     x * y),
    ("minus over minus",      -x / -y,                     x / y),
    ("subtract minus",        x - -y,                      x + y),
    ("add minus",             x + -y,                      x - y),
    ("minus difference",      -(x - y),                    y - x, SIGN),
    ("minus into constant",   -(c * x),                    negated),
    ("minus out of product",  -x * y,                      -(x * y)),
    ("minus out of quotient", -x / y,                      -(x / y)),
    ("abs of minus",          abs(-x),                     abs(x)),
    ("abs of abs",            abs(abs(x)),                 abs(x)),
) + table(
    "real",
    ("times zero",            x * 0,                       0, AT_INFINITY),
    ("minus itself",          x - x,                       0, "inf − inf is nan, this says 0"),
    needs=isfinite(x), any_dtype=True,
) + table(
    "real",
    ("over itself",           x / x,                       1, "0/0 is nan, this says 1"),
    needs=x != 0,
)
# fmt: on
