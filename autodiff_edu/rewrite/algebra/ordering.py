"""Writing a product in an order in which each intermediate result obeys the law of products.

    x·(x·e^−x²) → (x·e^−x²)·x       x² is refused
    −4·x·b⁻³    → −4·x / b² / b     b³ is refused, b² was there

From the factors that remain the first is taken that is allowed, those above the line before those
below it, and small arrays before large ones.

Letters: n what is replaced, c a number, x d what is above the line and below it, e an exponent.
"""

from collections.abc import Iterable, Iterator
from math import inf
from typing import Any, NamedTuple

import numpy as np

from ...core.pattern import Bindings
from ...expr import Constant, Expr
from ...ops import add, divide, multiply
from ...ops.cost import entries
from ..engine.match_context import MatchContext
from ..engine.memo import remembered
from .law import MODERATE, MOST, Between, obeys
from .monomial import Monomial, Powers, combined, in_dtype, scaled, scales
from .named_quotients import arranged
from .sizes import Size, size
from .writing import product, raised

LARGE = 8  # an exponent that is not taken apart


class Piece(NamedTuple):
    """A factor, its size, whether it is divided by, and how many factors are read in it."""

    m: Expr
    size: Size
    below: bool
    parts: int = 1


def ordered(
    n: Expr,
    c: Any,
    powers: Powers,
    functions: Iterable[tuple[Expr, Powers]] = (),
    law: type[Between] = Between,
    beside: Size | None = None,
    most: float = inf,
) -> tuple[Expr | None, int]:
    """c · Π x^e in place of n, and of how many parts; None where no order of fewer than the most
    parts is found. A function has
    the size of the powers for which it stands. What stood `beside` the product may do so still."""
    if not 2.0**-MODERATE <= abs(c) <= 2.0**MODERATE:
        return None, 0
    between, dtype = remembered(n, law), n.type.dtype
    if len(between.places) >= MOST:
        return None, 0
    extra = [Piece(f, size_of_powers(equal), below=False) for f, equal in functions]
    left = sorted([*extra, *pieces_of(powers, between, dtype)], key=extent)
    number = sum([piece.parts for piece in left]) + (c != 1)
    total, so_far = None, Size()
    if number >= most:
        return None, number
    while left:
        k, after = next(allowed(left, so_far, between, beside), (None, so_far))
        if k is None:
            return None, number
        piece, so_far = left.pop(k), after
        if total is not None:
            total = in_dtype(divide if piece.below else multiply, total, piece.m, dtype)
        elif piece.below:
            total = in_dtype(divide, Constant(c, dtype), piece.m, dtype)
        else:
            total = scaled(c, piece.m, dtype)
    return total, number


def another_order(n: Expr, read: Monomial, powers: Powers, context: MatchContext) -> Bindings:
    """The product in an order that obeys the law. It has fewer parts, or is cheaper: the number is
    multiplied with a factor elsewhere, too, or stands for the 1 above the line."""
    c, dtype = read.coefficient, n.type.dtype
    above = [raised(x, e, dtype) for x, e in powers.items() if e > 0]
    if c != 1 and (not above or any(context.has(scaled(c, x, dtype)) for x in above)):
        return {"new": ordered(n, c, powers)[0], "cost_policy": "cheaper"}
    return {"new": ordered(n, c, powers, most=read.parts)[0]}


def with_function(
    n: Expr, c: Any, powers: Powers, f: Expr, equal: Powers, strict: bool = False
) -> Expr | None:
    """A product times a function that stands for other powers, in place of n, in an order that the
    law of products allows; if there is none, in any order, or None if the law is strict."""
    new: Expr = product(c, powers, n.dtype, "safe") * f
    if obeys(n, new):
        return new
    exchanged = exchange(n, f, equal)
    if exchanged is not None and obeys(n, exchanged):
        return exchanged
    another = ordered(n, c, powers, [(f, equal)])[0]
    below = [d for d, e in equal.items() if e < 0]
    if another is None and any(is_more(d, x) for x in equal for d in below):
        divisor = size_of_powers({d: equal[d] for d in below})  # where x + 1 is large, so is x
        rest = ordered(n, c, powers, beside=divisor)[0]
        another = None if rest is None else rest * f
    return new if another is None and not strict else another


def is_more(d: Expr, x: Expr) -> bool:
    """Is d the sum of x and a number?"""
    return d.op is add and scales(d) and any(i is x for i in d.inputs)


def exchange(n: Expr, f: Expr, equal: Powers) -> Expr | None:
    """The product as it stands, with the function in place of the first factor that it stands for,
    and without the others; None if they are not among the factors of n."""
    (x, _), *others = equal.items()
    above: dict[Expr, Expr | None] = {x: f} | {y: None for y, e in others if e > 0}
    below: dict[Expr, Expr | None] = {y: None for y, e in others if e < 0}

    def walk(m: Expr, here: dict[Expr, Expr | None], there: dict[Expr, Expr | None]) -> Expr | None:
        if m in here:
            return here.pop(m)
        if m.op is not multiply and m.op is not divide:
            return m
        x, y = m.inputs
        left = walk(x, here, there)
        right = walk(y, here, there) if m.op is multiply else walk(y, there, here)
        if right is None or left is None and m.op is multiply:
            return left if right is None else right
        return in_dtype(m.op, Constant(1, n.dtype) if left is None else left, right, n.dtype)

    new = walk(n, above, below)
    return None if above or below else new


def in_order(n: Expr, powers: Powers) -> Expr:
    """The product of these powers, which n has too, in an order that the law allows in place of n.
    Raise ArithmeticError if none is found."""
    new = product(1, powers, n.dtype)
    another = new if obeys(n, new) else ordered(n, 1, powers)[0]
    if another is None:
        raise ArithmeticError("each order of this product may overflow")
    return another


def allowed(
    left: list[Piece], so_far: Size, between: Between, beside: Size | None
) -> Iterator[tuple[Any, Size]]:
    """The places of those that may come next, and what the size is then; the last may."""
    for k, piece in enumerate(left):
        after = combined(so_far, piece.size, -1 if piece.below else 1)
        last = len(left) == 1 and beside is None
        if last or between(after) or beside and between(combined(after, beside)):
            yield k, after


def size_of_powers(powers: Powers) -> Size:
    total: Size = {}
    for x, e in powers.items():
        total = combined(total, size(x), e)
    return total


def extent(piece: Piece) -> int:
    return entries(piece.m.type)


def pieces_of(powers: Powers, between: Between, dtype: np.dtype) -> Iterator[Piece]:
    """The factors above the line, quotients that have a name among them, and those below it."""
    above, below, quotients = arranged(powers)
    for x, e in above.items():
        yield from parts(x, size(x), e, False, between, dtype)
    for x, d, e in quotients:
        named = in_dtype(divide, x, d, dtype)
        yield from parts(named, combined(size(x), size(d), -1), e, False, between, dtype, read=2)
    for d, e in below.items():
        yield from parts(d, size(d), e, True, between, dtype)


def parts(
    x: Expr, s: Size, e: Any, below: bool, between: Between, dtype: np.dtype, read: int = 1
) -> Iterator[Piece]:
    """x^e as one piece, if that is allowed, or as a few."""
    while e:
        some = range(int(e), 0, -1) if e % 1 == 0 and e <= LARGE else [e]
        k = next((k for k in some if k == 1 or between(combined({}, s, k), below)), 1)
        k = e if e % 1 or e > LARGE else k
        yield Piece(raised(x, k, dtype), combined({}, s, k), below, read)
        e -= k
