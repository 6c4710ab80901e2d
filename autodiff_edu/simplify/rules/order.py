"""Where constants stand: last in sums, first in products, as in a textbook."""

from ...expr import Constant, Expr
from ..rule import Rule, wild
from .identities import c, x

d = wild("d", constant=True)


def varies(x: Expr) -> bool:
    return not isinstance(x, Constant)


# fmt: off
RULES = [
    Rule("constant last in a sum",      c + x,       x + c,  "ieee", when=varies, commute=False, phase="tidy"),
    Rule("constant first in a product", x * c,       c * x,  "ieee", when=varies, commute=False, phase="tidy"),
    Rule("subtract the constant",       x + c,       lambda c, x: x - -c.value, "ieee", phase="tidy",
         when=lambda c, x: varies(x) and not c.ndim and c.dtype.kind != "b" and c.value < 0),
    Rule("add the constant",            x - c,       lambda c, x: x + -c.value, "ieee", phase="tidy",
         when=lambda c, x: varies(x) and not c.ndim and c.dtype.kind == "f" and c.value < 0),
    Rule("constants over and under",    (c * x) / d, lambda c, d, x: x * (c.value / d.value), "safe",
         when=lambda c, d: not d.ndim and not c.ndim and exact_quotient(c, d), phase="tidy"),
]
# fmt: on


def exact_quotient(c: Constant, d: Constant) -> bool:
    """Is c / d a whole number, or its inverse one?"""
    if not (c.value and d.value) or c.dtype.kind != "f":
        return False
    return float(c.value / d.value).is_integer() or float(d.value / c.value).is_integer()


