"""Choices: where, maximum, minimum, clip, the size of a number and its sign, truth values.

Letters: x y z expressions, c d low high constants, p q conditions.
"""

import numpy as np

from ...expr import Constant, Expr
from ...library import isfinite
from ...ops import abs, clip, logical_and, logical_not, logical_or, maximum, minimum, sign, where
from ..engine.rule_table import table
from ..engine.validate import wild
from .arithmetic import AT_INFINITY
from .shapes import node_of

x, y, z, p = wild("x y z p")
c, d, low, high = wild("c d low high", constant=True)


def decided(c: Constant, x: Expr, y: Expr) -> Expr | None:
    """The branch that a constant condition takes everywhere."""
    return x if c.value.all() else y if not c.value.any() else None


def in_order(low: Constant, high: Constant, c: Constant, d: Constant) -> bool:
    """Are lower bounds below upper ones? Without a number between all four, the slope would change
    at the one that is left."""
    least, most = np.maximum(low.value, c.value), np.minimum(high.value, d.value)
    return bool(np.all(least <= most))


def bounds(x: Expr, low: Constant, high: Constant, node: Expr) -> bool:
    """Are these the bounds of a clip, the lower one first, of one dtype with what is clipped?"""
    ordered = bool(np.all(low.value <= high.value))  # no nan is
    return ordered and node.type is x.type and of_one_dtype(x, low, node) and high.dtype == x.dtype


def of_one_dtype(x: Expr, y: Expr, node: Expr) -> bool:
    """Are both branches of the dtype of the result, and of one that does not wrap?"""
    return node.type.is_float and x.dtype == y.dtype == node.dtype


def of_one_kind(x: Expr, y: Expr, z: Expr) -> bool:
    """Are all three numbers of one dtype?"""
    return x.dtype == y.dtype == z.dtype and x.dtype.kind in "iuf"


def of_truth(p: Expr) -> bool:
    return p.dtype.kind == "b"


# fmt: off
RULES = table(
    "ieee",
    ("not not",               logical_not(logical_not(p)), p),
    ("and of the same",       logical_and(p, p),           p),
    ("or of the same",        logical_or(p, p),            p),
    when=of_truth, any_dtype=True,
) + table(
    "ieee",
    ("where of the same",     where(p, x, x),              x),
    ("where of a constant",   where(c, x, y),              decided),
    ("where of not",          where(logical_not(p), x, y), where(p, y, x)),
    ("where in where",        where(p, where(p, x, y), z), where(p, x, z)),
    ("where in else",         where(p, x, where(p, y, z)), where(p, x, z)),
    ("max of the same",       maximum(x, x),               x),
    ("min of the same",       minimum(x, x),               x),
    ("either or",             where(p, x, 0) + where(p, 0, y), where(p, x, y)),
    any_dtype=True,
) + table(
    "ieee",
    ("either or minus",       where(p, x, 0) - where(p, 0, y), where(p, x, -y)),
    ("or minus either",       where(p, 0, x) - where(p, y, 0), where(p, -y, x)),
    when=of_one_dtype, any_dtype=True,
) + table(
    "ieee",
    ("max of max",            maximum(maximum(x, c), d),   maximum(x, maximum(c, d))),
    ("min of min",            minimum(minimum(x, c), d),   minimum(x, minimum(c, d))),
    ("max with max",          maximum(c, maximum(d, x)),   maximum(maximum(c, d), x)),
    ("min with min",          minimum(c, minimum(d, x)),   minimum(minimum(c, d), x)),
    ("max of minuses",        maximum(-x, -y),             -minimum(x, y)),
    ("min of minuses",        minimum(-x, -y),             -maximum(x, y)),
    ("abs of minus",          abs(-x),                     abs(x)),
    ("abs of abs",            abs(abs(x)),                 abs(x)),
    ("product of abs",        abs(x) * abs(y),             abs(x * y)),
    ("quotient of abs",       abs(x) / abs(y),             abs(x / y)),
    ("sign of sign",          sign(sign(x)),               sign(x)),
    ("sign times itself",     sign(x) * x,                 abs(x)),
) + table(
    "ieee",
    ("sign times abs",        sign(x) * abs(x),            x, "the slope at 0 was 0"),
    final=True,
) + table(
    "ieee",
    ("clip of clip",  node_of(clip, node_of(clip, x, low, high), c, d),
     node_of(clip, x, node_of(clip, low, c, d), node_of(clip, high, c, d))),
    when=in_order,
) + table(
    "ieee",
    ("clip from below",       minimum(maximum(x, low), high), node_of(clip, x, low, high)),
    ("clip from above",       maximum(minimum(x, high), low), node_of(clip, x, low, high)),
    when=bounds, commute=False, decreases="nodes",
) + table(
    "ieee",
    ("clip between",          minimum(maximum(x, y), z), node_of(clip, x, y, z)),
    when=of_one_kind, commute=False, decreases="nodes",
) + table(
    "ieee",
    ("clip from below, in another order", minimum(maximum(x, low), high),
     node_of(clip, x, low, high), "the slope at a bound was 0"),
    ("clip from above, in another order", maximum(minimum(x, high), low),
     node_of(clip, x, low, high), "the slope at a bound was 0"),
    when=bounds, final=True, decreases="nodes",
) + table(
    "real",
    ("one or zero times",     where(p, 1, 0) * x,          where(p, x, 0), AT_INFINITY),
    ("zero or one times",     where(p, 0, 1) * x,          where(p, 0, x), AT_INFINITY),
    needs=isfinite(x), any_dtype=True,
) + table(
    "real",
    ("over its abs",          x / abs(x),                  sign(x), "0/0 and inf/inf are nan"),
    ("abs over itself",       abs(x) / x,                  sign(x), "0/0 and inf/inf are nan"),
    needs=(x != 0, isfinite(x)),
)
# fmt: on
