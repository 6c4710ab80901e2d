"""Quotients and remainders of whole numbers.

What wraps changes a remainder, unless the number divided by is a power of two: then the digits
that are lost do not count. Letters: k an expression, c d constants.
"""

import numpy as np

from ...expr import Constant, Expr
from ...library import floor_divide, remainder
from ...ops import equal, scalar
from ..engine.rule_table import table
from ..engine.validate import wild

k = wild("k")
c, d = wild("c d", constant=True)


def whole(k: Expr) -> bool:
    return k.dtype.kind in "iu"


def above_zero(node: Expr, *numbers: Constant) -> bool:
    """Are these positive whole numbers, and all of the dtype of the result?"""
    kinds = all(n.dtype.kind in "iu" and not n.ndim and n.value > 0 for n in numbers)
    return kinds and node.dtype.kind in "iu" and all(n.dtype == node.dtype for n in node.inputs)


def product_fits(node: Expr, c: Constant, d: Constant) -> bool:
    largest = np.iinfo(node.dtype).max if node.dtype.kind in "iu" else 0
    return above_zero(node, c, d) and int(c.value) * int(d.value) <= largest


def divides(node: Expr, c: Constant, d: Constant) -> bool:
    return above_zero(node, c, d) and int(c.value) % int(d.value) == 0


def binary_multiple(node: Expr, c: Constant, d: Constant) -> bool:
    """Is c a multiple of d, and d a power of two?"""
    return divides(node, c, d) and int(d.value).bit_count() == 1


def divided_twice(k: Expr, c: Constant, d: Constant, node: Expr) -> Expr:
    return floor_divide(k, np.asarray(int(c.value) * int(d.value), node.dtype))


# fmt: off
RULES = table(
    "ieee",
    ("whole over one",          floor_divide(k, 1),                   k),
    ("remainder of one",        remainder(k, 1),                      0),
    when=whole, any_dtype=True, decreases="cost",
) + table(
    "ieee",
    ("quotient of quotient",    floor_divide(floor_divide(k, c), d),  divided_twice),
    when=product_fits, any_dtype=True, decreases="cost",
) + table(
    "ieee",
    ("remainder of remainder",  remainder(remainder(k, c), d),        remainder(k, d)),
    when=divides, any_dtype=True, decreases="cost",
) + table(
    "ieee",
    ("remainder of even multiple", remainder(c * k, d),               0),
    when=binary_multiple, any_dtype=True, decreases="cost",
) + table(
    "real",
    ("remainder of multiple",   remainder(c * k, d),                  0, "c·k may wrap",
     equal(floor_divide(c * k, c), k)),
    when=divides, any_dtype=True, decreases="cost",
)
# fmt: on


def examples() -> dict[str, Expr]:
    i = scalar("i", dtype="int64")
    return {
        "whole over one": floor_divide(i, 1),
        "remainder of one": remainder(i, 1),
        "quotient of quotient": floor_divide(floor_divide(i, 3), 4),
        "remainder of remainder": remainder(remainder(i, 12), 4),
        "remainder of even multiple": remainder(24 * i, 8),
        "remainder of multiple": remainder(12 * i, 6),
    }
