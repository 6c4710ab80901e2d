"""Where constants stand: last in sums, first in products, as in a textbook.

Letters: x y z expressions, c d constants.
"""

from ...expr import Constant, Expr, constant
from ...ops import max
from ..algebra.monomial import a_number_and_an_array, held, negative_number, varies
from ..engine.rule_table import table
from ..engine.validate import wild

x, y, z = wild("x y z")
c, d = wild("c d", constant=True)


def less_of(c: Constant, x: Expr) -> Expr:
    return x - Constant(-c.value)


def more_of(c: Constant, x: Expr) -> Expr:
    return x + Constant(-c.value)


def exact_quotient(c: Constant, d: Constant) -> bool:
    """Is c / d a whole number, or d / c, and can it be held?"""
    if c.ndim or d.ndim or c.dtype.kind != "f" or not (c.value and d.value):
        return False
    quotient, inverse = float(c.value / d.value), float(d.value / c.value)
    whole = quotient.is_integer() or inverse.is_integer()
    return bool(whole and quotient and held(quotient, c.dtype))


def divided(c: Constant, d: Constant, x: Expr) -> Expr:
    k = c.value / d.value
    return x if k == 1 else -x if k == -1 else Constant(k) * x


def exact_multiple(c: Constant, d: Constant) -> bool:
    """With a smaller number, x may underflow."""
    return exact_quotient(c, d) and bool(abs(c.value) >= abs(d.value) >= 1)


def over_rest(c: Constant, d: Constant, x: Expr, y: Expr) -> Expr:
    return divided(c, d, x) / y


def times_quotient(c: Constant, d: Constant, x: Expr, y: Expr) -> Expr:
    return divided(c, d, x / y)


def times_product(c: Constant, d: Constant, x: Expr, y: Expr, z: Expr) -> Expr:
    return divided(c, d, x / y * z)


OVER = "d·y may overflow, or underflow"

# fmt: off
k = max(c)  # of a constant that is one number everywhere
RULES = table(
    "ieee",
    ("number for array, added",      c + x,  k + x),
    ("number for array, subtracted", x - c,  x - k),
    ("number for array less",        c - x,  k - x),
    ("number for array, multiplied", c * x,  k * x),
    ("number for array over",        c / x,  k / x),
    ("number for array below",       x / c,  x / k),
    when=a_number_and_an_array, decreases="order",
) + table(
    "ieee",
    ("constant last",          c + x,       x + c),
    ("constant first",         x * c,       c * x),
    when=varies, commute=False, any_dtype=True, decreases="order",
) + table(
    "ieee",
    ("subtract the constant",  x + c,       less_of),
    ("add the constant",       x - c,       more_of),
    when=negative_number, decreases="order",
) + table(
    "safe",
    ("constants in quotient",  (c * x) / d, divided, "c·x may overflow"),
    when=exact_quotient,
) + table(
    "safe",
    ("constants over and below", (c * x) / (d * y),                 over_rest, OVER),
    ("constant times constant below", c * (x / (d * y)),            times_quotient, OVER),
    ("constant times constant below, inside", c * (x / (d * y) * z), times_product, OVER),
    when=exact_multiple, reorders=True,
)
# fmt: on


def examples() -> dict[str, Expr]:
    from .letters import v, x, y, z

    c = constant([2.0] * 4)
    arrays = [c + v, v - c, c - v, c * v, c / v, v / c]
    across = [(6 * x) / (2 * y), 6 * (x / (2 * y)), 6 * (x / (2 * y) * z)]
    found = zip((*RULES[:6], *RULES[-3:]), arrays + across, strict=True)
    return {rule.name: e for rule, e in found}
