"""What can be told of a product, or of a sum of products, at a glance: whether it is worth reading.

    mark        the sum of the factors' marks: like terms have the same
    kinds       the operations of the factors above the line and below it, and those that join
                them: only certain ones have to do with each other
    all_kinds   the operations of all factors of all terms, and those that join them

They follow from those of the operands, and are kept while a graph is simplified. Operations that a
rule asks for have a bit each, on either side of the line, and so a set of them is a whole number.
A factor has a bit, too, which it may share with others: a glance may promise too much, and never
too little.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ...expr import Constant, Expr
from ...library import sigmoid, sigmoid_slope
from ...ops import add, divide, exp, multiply, negative, power, reciprocal, softmax, sqrt
from ..engine.match_context import MatchContext
from ..engine.memo import answered, ordinal
from .monomial import exponent, number_of
from .reading import PRODUCTS, SUMS

BITS: dict[Any, int] = {}
FIRST, SIDE = 128, 256  # bits of operations, and of these and factors: one side of the line
ABOVE = (1 << SIDE) - 1
ANYTHING = (1 << 2 * SIDE) - 1
EXPONENTS = {negative: 1, reciprocal: -1}
HALVES = 64  # so often a mark can be halved: by roots, or by the fraction of an exponent
JOINING = PRODUCTS.union(SUMS)


def bits(operations: Iterable[Any]) -> int:
    """The set of these operations, on whichever side. A rule asks for it when it is made, before
    anything is read."""
    found = 0
    for op in operations:
        found |= BITS.setdefault(op, 1 << len(BITS))
    return found | found << SIDE


def sides(kinds: int) -> tuple[int, int]:
    """What stands above the line, and below it."""
    return kinds & ABOVE, kinds >> SIDE


def turned(kinds: int) -> int:
    """The same under a line."""
    return (kinds & ABOVE) << SIDE | kinds >> SIDE


FUNCTIONS = frozenset((exp, sigmoid, sigmoid_slope, softmax))  # may meet one another in a product
CANCELLING = FUNCTIONS | {divide, reciprocal, power, sqrt}  # without one of these nothing cancels
CANCELS = bits(CANCELLING - {power})  # what is seen of them
EXPS, ROOTS = bits((exp,)), bits((sqrt,))
SIGMOIDS = bits((sigmoid, softmax))
PARTNERS = bits((exp, add, sigmoid, sigmoid_slope))  # σ(−x), or 1 + e^x, beside σ(x)

# ---- the three of a node

Glance = tuple[int, int, int]


def mark(n: Expr) -> int:
    """The same for terms that differ only by a number; other terms hardly ever share it."""
    return glance(n)[0]


def kinds(n: Expr) -> int:
    """The operations of all factors, above the line and below it, and those that join them."""
    return glance(n)[1]


def all_kinds(n: Expr) -> int:
    """The operations of all factors of all terms, and those that join them."""
    return glance(n)[2]


def glance(n: Expr) -> Glance:
    """All three, which are made in one walk."""
    found: Glance = answered(n, operands, glance_of)
    return found


def operands(n: Expr) -> tuple[Expr, ...]:
    return n.inputs if n.op in JOINING else ()


def glance_of(n: Expr, found: Mapping[Expr, Glance]) -> Glance:
    """x·y has the sum of both marks, x/y their difference, x³ three times that of x."""
    op = n.op
    if op not in JOINING:
        return glance_of_factor(n)
    own = kind(n)
    if op is multiply or op is divide:
        (one, kinds, every), (other, below, others) = found[n.inputs[0]], found[n.inputs[1]]
        if op is multiply:
            return one + other, own | kinds | below, own | every | others
        return one - other, own | kinds | turned(below), own | every | others
    e = EXPONENTS.get(op) or (None if op in SUMS else exponent(n, "real", n.dtype))
    if e is not None:
        one, kinds, every = found[n.inputs[0]]
        times, parts = e.as_integer_ratio()
        return one * times // parts, own | (kinds if e > 0 else turned(kinds)), own | every
    every = own
    for i in n.inputs:
        every |= found[i][2]
    mark, bit = of_its_own(n)
    return mark, own | bit, every


def glance_of_factor(n: Expr) -> Glance:
    """What is no product and no sum."""
    mark, bit = of_its_own(n)
    if isinstance(n, Constant):
        number = not n.ndim and number_of(n) is not None
        return 0, 0 if number else bit, 0
    own = BITS.get(n.op, 0)
    return mark, own | bit, own


def of_its_own(n: Expr) -> tuple[int, int]:
    """The mark and the bit of a factor."""
    k = ordinal(n)
    return hash((k,)) << HALVES, 1 << FIRST + k % (SIDE - FIRST)


def kind(n: Expr) -> int:
    """The operation itself; a power counts as what its exponent makes of it."""
    if n.op is not power:
        return BITS.get(n.op, 0)
    e = exponent(n, "real", n.dtype) or 1
    return BITS.get(power, 0) | (BITS[reciprocal] if e < 0 else 0) | (BITS[sqrt] if e % 1 else 0)


# ---- what they tell


def could_cancel(n: Expr, context: MatchContext) -> bool:
    """Can a factor above the line and one below it cancel, or functions that are related?"""
    found = kinds(n)
    if not found & CANCELS:
        return False
    above, below = sides(found)
    if below & EXPS or found & SIGMOIDS and found & PARTNERS:
        return True
    if context.mode == "real" and found & ROOTS:
        return True
    every = (above | below) >> FIRST
    return bool((above & below) >> FIRST) or not every & every - 1  # there is but one factor


def is_divided(n: Expr, by: int = ANYTHING) -> bool:
    """Does one of these operations stand below the line?"""
    return (kinds(n) & by) >> SIDE != 0
