"""What can be told of a product, or of a sum of products, at a glance: whether it is worth reading.

    mark        the sum of the factors' marks: like terms have the same
    kinds       the operations of the factors above the line and below it, and those that join
                them: only certain ones have to do with each other
    all_kinds   the operations of all factors of all terms, and those that join them

They follow from those of the operands, and are kept while a graph is simplified. An operation has a
bit on either side of the line, and so a set of them is a whole number. A factor has a bit, too, and
both may share theirs with others: a glance may promise too much, and never too little.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from ...expr import Constant, Expr
from ...library import sigmoid, sigmoid_slope
from ...ops import add, divide, exp, multiply, power, reciprocal, softmax, sqrt
from ..algebra.identities import PARTNER
from ..algebra.monomial import EXPONENTS, JOINING, SUMS, number_of
from ..algebra.product import CANCELLING
from ..algebra.reading import exponent, whole
from ..engine.memo import KEPT, answered

BITS: dict[Any, int] = {}
FIRST, SIDE = 128, 256  # bits of operations, and of these and factors: one side of the line
ABOVE = (1 << SIDE) - 1
HALVES = 64  # so often a mark can be halved: by roots, or by the fraction of an exponent


def bit(op: Any) -> int:
    """The bit of an operation, by its name, which others that are seen later may have, too."""
    return 0 if op is None else BITS.setdefault(getattr(op, "name", op), 1 << len(BITS) % FIRST)


@cache
def bits(operations: Iterable[Any]) -> int:
    """The set of these operations, on whichever side."""
    members = 0
    for op in operations:
        members |= bit(op)
    return members | members << SIDE


def turned(kinds: int) -> int:
    """The same under a line."""
    return (kinds & ABOVE) << SIDE | kinds >> SIDE


CANCELS = bits(CANCELLING - {power})  # what is seen of them
EXPS, ROOTS = bits(frozenset((exp,))), bits(frozenset((sqrt,)))
SIGMOIDS = bits(frozenset((sigmoid, softmax)))
PARTNERS = bits(frozenset((exp, add, sigmoid, sigmoid_slope)))  # σ(−x), or 1 + e^x, beside σ(x)
ANGLES = bits(frozenset(PARTNER))

# ---- the three of a node

Glance = tuple[int, int, int]


def glance(n: Expr) -> Glance:
    """All three, which are made in one walk."""
    three: Glance = answered(n, operands, glance_of)
    return three


def operands(n: Expr) -> tuple[Expr, ...]:
    return n.inputs if n.op in JOINING else ()


def glance_of(n: Expr, done: Mapping[Expr, Glance]) -> Glance:
    """x·y has the sum of both marks, x/y their difference, x³ three times that of x."""
    op = n.op
    if op not in JOINING:
        return glance_of_factor(n)
    own = kind(n)
    if op is multiply or op is divide:
        (one, kinds, every), (other, below, others) = done[n.inputs[0]], done[n.inputs[1]]
        if op is multiply:
            return one + other, own | kinds | below, own | every | others
        return one - other, own | kinds | turned(below), own | every | others
    e = None if op in SUMS else exponent(n, "real", n.dtype)
    if e is None and op in EXPONENTS and len(n.inputs) == 1:
        (e,) = EXPONENTS[op]
    if e is not None:
        one, kinds, every = done[n.inputs[0]]
        times, parts = e.as_integer_ratio()
        return one * times // parts, own | (kinds if e > 0 else turned(kinds)), own | every
    every = own
    for i in n.inputs:
        every |= done[i][2]
    mark, own_bit = of_its_own(n)
    return mark, own | own_bit, every


def glance_of_factor(n: Expr) -> Glance:
    """What is no product and no sum."""
    mark, own_bit = of_its_own(n)
    if isinstance(n, Constant):
        number = not n.ndim and number_of(n) is not None
        return 0, 0 if number else own_bit, 0
    own = bit(n.op)
    return mark, own | own_bit, own


def of_its_own(n: Expr) -> tuple[int, int]:
    """The mark and the bit of a factor."""
    k = ordinal(n)
    return hash((k,)) << HALVES, 1 << FIRST + k % (SIDE - FIRST)


def ordinal(n: Expr) -> int:
    """The number of a node in the order in which nodes are asked about, which each run has."""
    kept = KEPT.get()
    if kept is None:
        return id(n)
    numbers = kept[ordinal]
    place: int = numbers.setdefault(n, len(numbers))
    return place


def kind(n: Expr) -> int:
    """The operation itself; a power counts as what its exponent makes of it."""
    if n.op is not power:
        return bit(n.op)
    e = exponent(n, "real", n.dtype) or 1
    return bit(power) | (bit(reciprocal) if e < 0 else 0) | (bit(sqrt) if e % 1 else 0)


# ---- what they tell


def above(n: Expr, operations: frozenset) -> bool:
    """May one of these operations stand above the line, or join what stands there?"""
    return glance(n)[1] & bits(operations) & ABOVE != 0


def below(n: Expr, operations: frozenset) -> bool:
    """May one of these operations stand below the line? Of none: may anything?"""
    kinds = glance(n)[1]
    return (kinds & bits(operations) if operations else kinds) >> SIDE != 0


def anywhere(n: Expr, operations: frozenset) -> bool:
    """May one of these operations be in a term?"""
    return glance(n)[2] & bits(operations) != 0


def bracket(n: Expr, entries: frozenset, divided: frozenset) -> bool:
    """May something in a bracket be divided by what stands before it, or by entries of that?"""
    bare = n.op is divide and n.inputs[0].op in SUMS and not below(n.inputs[1], frozenset())
    return anywhere(n, entries if bare else divided)


def cancel(n: Expr, mode: str) -> bool:
    """May a factor above the line and one below it cancel, or functions that are related?"""
    kinds = glance(n)[1]
    if not kinds & CANCELS:
        return False
    top, under = kinds & ABOVE, kinds >> SIDE
    if under & EXPS or kinds & SIGMOIDS and kinds & PARTNERS:
        return True
    if mode == "real" and kinds & ROOTS:
        return True
    every = (top | under) >> FIRST
    return bool((top & under) >> FIRST) or not every & every - 1  # there is but one factor


def collect(terms: Sequence[Expr], mode: str) -> bool:
    """May two terms be alike, or, in real mode, like the squares of a sine and a cosine?"""
    alike = len({glance(m)[0] for m in terms}) < len(terms)
    return alike or mode == "real" and any(glance(m)[1] & ANGLES for m in terms)


def meet(terms: Sequence[Expr], function: Any, mode: str) -> bool:
    """Has a term the function as a factor, and may another be the same without it?"""
    having = [m for m in terms if glance(m)[1] & bits(frozenset((function,)))]
    marks = {glance(m)[0] for m in terms} if having else set()
    for m in having:
        for b in whole(m, mode).powers:
            if b.op is function and glance(m)[0] - glance(b)[0] in marks:
                return True
    return False


def pair(n: Expr, parts: frozenset, partners: Callable[..., Any]) -> bool:
    """May two of these operations, of factors of n, be partners?"""
    kinds = glance(n)[1] & bits(parts)
    return are_partners(kinds & ABOVE, kinds >> SIDE, parts, partners)


@cache
def are_partners(top: int, under: int, parts: frozenset, partners: Callable[..., Any]) -> bool:
    return bool(partners(chosen(top, parts), chosen(under, parts)))


def chosen(these: int, parts: frozenset) -> frozenset:
    return frozenset([op for op in parts if bit(op) & these])


ANSWERS: dict[str, Callable[..., bool]] = {
    answer.__name__: answer
    for answer in (above, below, anywhere, bracket, cancel, collect, meet, pair)
}
