"""What is quicker in a program, and no better to read. These rules are not in `RULES`: `function`
uses them when all others are done, so that they hide nothing from those.

Powers of two are moved past divisions, since that rounds nothing, and numbers into the smaller
factor of a product. What terms share is taken out of sums. The slope of tanh is written out, since
NumPy computes each of its parts in place; rows of a product that is there are not computed anew.
Letters: x y z expressions, c d constants.
"""

import math

from ...expr import Constant, Expr
from ...library import sigmoid, sigmoid_slope
from ...ops import add, cosh, index, square, sum, tanh_slope
from ...ops.index import ALL, part
from ..algebra.horner import Horner
from ..algebra.identities import opposite
from ..engine.rule_table import Rules, table
from ..engine.validate import wild

x, y, z = wild("x y z")
c, d = wild("c d", constant=True)
NORMAL = (1e-300, 1e300)  # numbers that are far from overflow and underflow
LONG = 16  # shorter sums are no quicker as dot products
OVERFLOW = "the sum may overflow before it is made smaller"
ORDER = "in another order a sum may overflow"


def entries(x: Expr) -> int:
    """How many entries it has; 0 where that is not known."""
    return math.prod([length or 0 for length in x.type.shape])


def are_long(x: Expr, y: Expr, node: Expr) -> bool:
    """Are x and y long, as large as the sum of their squares, and is one number made of it?"""
    (total,) = node.inputs
    long = entries(total) >= LONG
    return x.type is y.type is total.type and total.dtype == "float64" and not node.ndim and long


def long_scaled(c: Constant, x: Expr, y: Expr, node: Expr) -> bool:
    return bool(are_long(x, y, node) and not c.ndim and c.value >= 1)


def long_both_scaled(c: Constant, d: Constant, x: Expr, y: Expr, node: Expr) -> bool:
    return long_scaled(c, x, y, node) and long_scaled(d, x, y, node)


def power_of_two(c: Constant, d: Constant, x: Expr, node: Expr) -> bool:
    """Is c / d exact? And is d · x as large as the result?"""
    fits = x.type is node.type and not c.ndim and c.dtype == x.dtype == "float64"
    if not (fits and is_power_of_two(d)):
        return False
    return bool(NORMAL[0] <= abs(c.value / d.value) <= NORMAL[1])


def divided(c: Constant, d: Constant, x: Expr) -> Expr:
    return Constant(c.value / d.value) / x


def same_size(c: Constant, d: Constant, x: Expr, z: Expr, node: Expr) -> bool:
    """Are c and d equal but for their signs, and the terms as large as the sum?"""
    numbers = not c.ndim and not d.ndim and c.dtype == d.dtype == node.dtype
    alike = numbers and node.dtype.kind == "f" and abs(c.value) == abs(d.value)
    return bool(alike and entries(x) == entries(z) == entries(node) > 0)


def taken_out(c: Constant, d: Constant, x: Expr, z: Expr, node: Expr) -> Expr:
    """c · (x ± z)"""
    plus = bool(c.value == d.value) is (node.op is add)
    return c * (x + z if plus else x - z)


def product_same_size(c: Constant, d: Constant, x: Expr, y: Expr, z: Expr, node: Expr) -> bool:
    return same_size(c, d, x, z, node) and entries(y) in (0, entries(node))


def taken_out_of_second(c: Constant, d: Constant, x: Expr, y: Expr, z: Expr, node: Expr) -> Expr:
    return taken_out(c, d, x, y * z, node)


def taken_out_of_first(c: Constant, d: Constant, x: Expr, y: Expr, z: Expr, node: Expr) -> Expr:
    return taken_out(c, d, y * x, z, node)


def is_power_of_two(c: Constant) -> bool:
    return bool(not c.ndim and c.dtype == "float64" and abs(math.frexp(c.value)[0]) == 0.5)


def is_normal(c: Constant) -> bool:
    """Is it one number, far from overflow and underflow?"""
    return bool(not c.ndim and c.dtype == "float64" and NORMAL[0] <= abs(c.value) <= NORMAL[1])


def into_smaller(c: Constant, x: Expr, y: Expr, node: Expr) -> Expr | None:
    """(c · x) @ y, or x @ (c · y), if that factor has fewer entries than the product."""
    if not x.dtype == y.dtype == node.dtype or 0 in map(entries, (x, y)):
        return None
    if min(entries(x), entries(y)) >= entries(node):
        return None
    return (c * x) @ y if entries(x) <= entries(y) else x @ (c * y)


def rows_of_another(x: Expr, y: Expr) -> Expr | None:
    """Where x is some rows of a larger z: the same rows of z @ y."""
    key = dict(x.static)["key"] if x.op is index else ()
    whole = y.ndim == 2 and key and key[-1] == ALL and None not in key
    return part(x.inputs[0] @ y, key) if whole else None


# fmt: off
OUT = {"decreases": "cost", "final": True, "reorders": True}
DOTS = {"cost_policy": "", "decreases": "cost", "final": True}
RULES = Rules(table(
    "safe",
    ("slope of sigmoid at once",  sigmoid(x) * sigmoid(y),          sigmoid_slope(x)),
    ("part of a slope",           (z * sigmoid(x)) * sigmoid(y),    z * sigmoid_slope(x)),
    when=opposite, decreases="cost", final=True,
) + table(
    "safe",
    ("number over scaled",        c / (d * x),                      divided,
     "d·x may overflow"),
    when=power_of_two, decreases="cost", final=True,
) + table(
    "safe",
    ("number into product",       c * (x @ y),                      into_smaller,
     "c·x may overflow"),
    when=is_normal, decreases="cost", final=True, reorders=True,
) + table(
    "safe",
    ("two dot products",          sum(square(x) + square(y)),
     sum(square(x)) + sum(square(y)),                               ORDER),
    when=are_long, **DOTS,
) + table(
    "safe",
    ("a dot product and another", sum(c * square(x) + square(y)),
     c * sum(square(x)) + sum(square(y)),                           ORDER),
    when=long_scaled, **DOTS,
) + table(
    "safe",
    ("two scaled dot products",   sum(c * square(x) + d * square(y)),
     c * sum(square(x)) + d * sum(square(y)),                       ORDER),
    when=long_both_scaled, **DOTS,
) + table(
    "safe",
    ("number of a sum",           c * x + d * z,                    taken_out, OVERFLOW),
    ("number of a difference",    c * x - d * z,                    taken_out, OVERFLOW),
    when=same_size, **OUT,
) + table(
    "safe",
    ("number of a sum, inside",   c * x + y * (d * z),              taken_out_of_second, OVERFLOW),
    ("number of a difference, inside", c * x - y * (d * z),         taken_out_of_second, OVERFLOW),
    ("number of a difference, inside the first", y * (c * x) - d * z,
     taken_out_of_first,                                            OVERFLOW),
    when=product_same_size, **OUT,
) + table(
    "safe",
    ("rows of a product",         x @ y,                            rows_of_another),
    cost_policy="cheaper", decreases="cost", final=True,
) + table(
    "ieee",
    ("slope of tanh by cosh",     tanh_slope(x),                    square(1 / cosh(x))),
    **DOTS,
) + [Horner()])
# fmt: on
