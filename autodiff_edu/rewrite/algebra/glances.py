"""What can be told of a product at a glance: whether it is worth reading.

    mark     the sum of the factors' marks: like terms have the same
    kinds    the operations of the factors: only those of certain kinds have to do with each other

Both follow from those of the operands, and are kept while a graph is simplified.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from ...expr import Constant, Expr
from ...ops import divide, multiply, negative, reciprocal
from ..engine.memo import answered
from .reading import PRODUCTS, exponent

EXPONENTS = {negative: 1, reciprocal: -1}
HALVES = 64  # so often a mark can be halved: by roots, or by the fraction of an exponent


def operands(n: Expr) -> tuple[Expr, ...]:
    return n.inputs if n.op in PRODUCTS else ()


def mark(n: Expr) -> int:
    """The same for terms that differ only by a number; other terms hardly ever share it."""
    found: int = answered(n, operands, mark_of)
    return found


def mark_of(n: Expr, marks: Mapping[Expr, int]) -> int:
    """x·y has the sum of both marks, x/y their difference, x³ three times that of x."""
    if n.op is multiply:
        return marks[n.inputs[0]] + marks[n.inputs[1]]
    if n.op is divide:
        return marks[n.inputs[0]] - marks[n.inputs[1]]
    e = EXPONENTS.get(n.op) or exponent(n, "real", n.dtype)
    if e is not None:
        times, parts = e.as_integer_ratio()
        return marks[n.inputs[0]] * times // parts
    return 0 if isinstance(n, Constant) else hash((id(n),)) << HALVES


def kinds(n: Expr) -> frozenset[Any]:
    """The operations of all factors, above the line and below it."""
    found: frozenset = answered(n, operands, kinds_of)
    return found


def kinds_of(n: Expr, kinds: Mapping[Expr, frozenset]) -> frozenset[Any]:
    if n.op in (multiply, divide):
        one, other = kinds[n.inputs[0]], kinds[n.inputs[1]]
        return one if other <= one else one | other
    if n.op is negative:
        return kinds[n.inputs[0]]
    return alone(n.op).union(*[kinds[i] for i in operands(n)])


@cache
def alone(op: Any) -> frozenset[Any]:
    return frozenset((op,))
