"""What can be told of a product, or of a sum of products, at a glance: whether it is worth reading.

    mark        the sum of the factors' marks: like terms have the same
    kinds       the operations of the factors, and those that join them: only certain ones have to
                do with each other
    all_kinds   the operations of all factors of all terms, and those that join them

They follow from those of the operands, and are kept while a graph is simplified. Operations that a
rule asks for have a bit each, and so a set of them is a whole number.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ...expr import Constant, Expr
from ...ops import divide, multiply, negative, power, reciprocal, sqrt
from ..engine.memo import answered
from .reading import PRODUCTS, SUMS, exponent

BITS: dict[Any, int] = {}
JOINING = PRODUCTS.union(SUMS)
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


def bits(operations: Iterable[Any]) -> int:
    """The set of these operations. A rule asks for it when it is made, before anything is read."""
    found = 0
    for op in operations:
        found |= BITS.setdefault(op, 1 << len(BITS))
    return found


def kinds(n: Expr) -> int:
    """The operations of all factors, above the line and below it, and those that join them."""
    found: int = answered(n, operands, kinds_of)
    return found


def kinds_of(n: Expr, kinds: Mapping[Expr, int]) -> int:
    found = kind(n)
    for i in operands(n):
        found |= kinds[i]
    return found


QUOTIENTS = bits((divide, reciprocal))  # one of these, if anything stands below the line


def kind(n: Expr) -> int:
    """The operation itself; a power counts as what its exponent makes of it."""
    if n.op is not power:
        return BITS.get(n.op, 0)
    e = exponent(n, "real", n.dtype) or 1
    return BITS.get(power, 0) | bits([reciprocal] * (e < 0) + [sqrt] * (e % 1 != 0))


def all_kinds(n: Expr) -> int:
    """The operations of all factors of all terms, and those that join them."""
    found: int = answered(n, all_operands, all_kinds_of)
    return found


def all_operands(n: Expr) -> tuple[Expr, ...]:
    return n.inputs if n.op in JOINING else ()


def all_kinds_of(n: Expr, kinds: Mapping[Expr, int]) -> int:
    found = kind(n)
    for i in all_operands(n):
        found |= kinds[i]
    return found
