"""Plain Python arithmetic for programs on single numbers.

`math` is ten times faster than NumPy on one float but raises where NumPy answers inf or nan;
a program that meets such a case starts again with NumPy.
"""

import math
from typing import Any

from ...expr import Constant, Expr, Graph
from ...ops import equal, greater, greater_equal, less, less_equal, not_equal

COMPARISONS = (less, less_equal, greater, greater_equal, equal, not_equal)


def sigmoid(x: float) -> float:
    """1 / (1 + e^−x), without overflow."""
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    return math.exp(x) / (1.0 + math.exp(x))


def softplus(x: float) -> float:
    """log(1 + e^x), without overflow."""
    return x + math.log1p(math.exp(-x)) if x > 0 else math.log1p(math.exp(x))


def sign(x: float) -> float:
    """−1, 0 or 1; nan for nan."""
    return x if x != x or x == 0 else math.copysign(1.0, x)


FUNCTIONS: dict[str, Any] = {
    name: getattr(math, name)
    for name in "exp expm1 log log1p sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh "
    "atanh sqrt pow fabs erf erfc inf nan".split()
} | {"sigmoid": sigmoid, "softplus": softplus, "sign": sign}


def is_scalar(graph: Graph) -> bool:
    """Is every value one float64 number or truth value, and every operation in the table?"""
    return all(is_number(n) and has_form(n) for n in graph.nodes)


def is_number(n: Expr) -> bool:
    """One float64 number, or a truth value fresh from a comparison: Python adds truth values
    like integers, NumPy does not."""
    truth = n.type.dtype == "bool" and n.op in COMPARISONS
    return not n.ndim and (n.type.dtype == "float64" or truth)


def has_form(n: Expr) -> bool:
    return n.op is None or bool(form(n))


def form(n: Expr) -> str:
    """The Python expression for an operation, with {0} and {1} for its operands."""
    stated = getattr(n.op, "scalar", "")
    symbol = getattr(n.op, "symbol", "")
    if stated or not symbol or symbol in "~&|@":
        return stated
    return f"{symbol}{{0}}" if len(n.inputs) == 1 else f"{{0}} {symbol} {{1}}"


def literal(c: Constant) -> str:
    """The number as Python writes it, bracketed where a sign would bind wrongly."""
    text = repr(float(c.value))
    return f"({text})" if text.startswith("-") else text
