"""Zeros, ones, signs and choices: the identities that hold for every number.

Letters: x y expressions, c d constants, p a condition.
"""

from ...ops import abs, logical_not, maximum, minimum, where
from ..rule import Rule, wild

x, y, z, p = wild("x y z p")
c, d = wild("c d", constant=True)


def same_type(x, node):  # type: ignore[no-untyped-def]
    return x.type is node.type


def whole_dtype(x):  # type: ignore[no-untyped-def]
    return x.dtype.kind in "iu"


SIGN_OF_ZERO = "−0 becomes 0"
AT_INFINITY = "0·inf is nan, this says 0"

# fmt: off
RULES = [
    # name              left              right      first mode
    Rule("plus zero",        x + 0,             x,         "ieee", caveat=SIGN_OF_ZERO),
    Rule("minus zero",       x - 0,             x,         "ieee"),
    Rule("zero minus",       0 - x,            -x,         "ieee", caveat=SIGN_OF_ZERO),
    Rule("times one",        x * 1,             x,         "ieee"),
    Rule("over one",         x / 1,             x,         "ieee"),
    Rule("to the one",       x**1,              x,         "ieee"),
    Rule("to the zero",      x**0,              1,         "ieee"),
    Rule("one to the",       1**x,              1,         "ieee"),
    Rule("times minus one",  x * -1,           -x,         "ieee"),
    Rule("over minus one",   x / -1,           -x,         "ieee"),
    Rule("minus minus",      -(-x),             x,         "ieee"),
    Rule("minus times minus", -x * -y,          x * y,     "ieee"),
    Rule("minus over minus", -x / -y,           x / y,     "ieee"),
    Rule("subtract minus",   x - -y,            x + y,     "ieee"),
    Rule("add minus",        x + -y,            x - y,     "ieee"),
    Rule("minus difference", -(x - y),          y - x,     "ieee", caveat=SIGN_OF_ZERO),
    Rule("minus out of product", -x * y,        -(x * y),  "ieee"),
    Rule("minus out of quotient", -x / y,       -(x / y),  "ieee"),
    Rule("minus into constant", -(c * x),       lambda c, x: type(c)(-c.value) * x, "ieee"),
    Rule("times zero",       x * 0,             0,         "real", proved=whole_dtype, caveat=AT_INFINITY),
    Rule("minus itself",     x - x,             0,         "real", proved=whole_dtype, caveat="inf − inf is nan, this says 0"),
    Rule("over itself",      x / x,             1,         "real", caveat="0/0 is nan, this says 1"),
    Rule("abs of minus",     abs(-x),           abs(x),    "ieee"),
    Rule("abs of abs",       abs(abs(x)),       abs(x),    "ieee"),
    Rule("max of the same",  maximum(x, x),     x,         "ieee"),
    Rule("min of the same",  minimum(x, x),     x,         "ieee"),
    Rule("where of the same", where(p, x, x),   x,         "ieee"),
    Rule("where of true or false", where(c, x, y), lambda c, x, y: decided(c, x, y), "ieee"),
    Rule("where of not",     where(logical_not(p), x, y), where(p, y, x), "ieee"),
    Rule("where in where",   where(p, where(p, x, y), z), where(p, x, z), "ieee"),
    Rule("where in else",    where(p, x, where(p, y, z)), where(p, x, z), "ieee"),
]
# fmt: on


def decided(c, x, y):  # type: ignore[no-untyped-def]
    """The branch that a constant condition takes everywhere."""
    return x if c.value.all() else y if not c.value.any() else None
