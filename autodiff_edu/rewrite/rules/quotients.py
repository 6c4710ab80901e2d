"""Quotients, each written in one way: 1/x rather than a reciprocal, and no fraction in a fraction.

Letters: x y expressions.
"""

from ...expr import Expr
from ...ops import reciprocal
from ..engine.rule_table import table
from ..engine.validate import wild

x, y = wild("x y")


def as_large(y: Expr, node: Expr) -> bool:
    """Is y as large as the result? A number by which many are divided is better inverted once."""
    return y.type.shape == node.type.shape


# fmt: off
RULES = table(
    "ieee",
    ("reciprocal",         reciprocal(x),  1 / x),
    decreases="order",
) + table(
    "safe",
    ("times one over",     x * (1 / y),    x / y,  "1/y may overflow"),
    when=as_large, cost_policy="cheaper", decreases="cost",
) + table(
    "safe",
    ("one over quotient",  1 / (x / y),    y / x,  "x/y may overflow"),
    cost_policy="cheaper", decreases="cost",
)
# fmt: on
