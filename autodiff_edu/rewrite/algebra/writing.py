"""Writing a product, or a sum of products, from its table: the shortest one, in one dtype.

    2, {x: 3, y: -1}     2 * x**3 / y

What is written is computed in the dtype of the region that was read: an operand of another dtype is
cast where the operation above it would not do that by itself.
"""

from collections.abc import Iterator, Set
from typing import Any

import numpy as np

from ...expr import Constant, Expr
from ...library.norms import norm2
from ...ops import (
    abs,
    add,
    astype,
    broadcast_to,
    cos,
    cosh,
    divide,
    expand_dims,
    hypot,
    multiply,
    sin,
    sinh,
    sqrt,
    square,
    subtract,
    sum,
)
from ...ops.cost import entries

Powers = dict[Expr, Any]
Quotients = list[tuple[Expr, Expr, Any]]  # what is divided by what, and to which power
Arranged = tuple[Powers, Powers, Quotients]  # above the line, below it, and with a name
SPREADS = (broadcast_to, expand_dims)
NAMED = ((sin, cos), (sinh, cosh))
LOWER = (cos, cosh)
TOTALS = (sum, abs, add)


def arranged(powers: Powers) -> Arranged:
    """The powers of a product as they will stand: above the line, below it, and in quotients that
    have a name: e^x / Σe^x, sin x / cos x, x / |x|, x / ‖x‖."""
    above, below = Powers(), Powers()
    for x, e in powers.items():
        if e > 0:
            above[x] = e
        elif e:
            below[x] = -e
    quotients = Quotients()
    for d, e in below.items():
        near = above if d.op in LOWER else named_with(d)
        partners = [x for x in near if has_quotient(above.get(x), e, d) and has_name(x, d)]
        if partners:
            x = partners[0]
            times = min(above[x], e)
            quotients.append((x, d, times))
            above[x] -= times
            below[d] = e - times
    if quotients:
        above, below = present(above), present(below)
    return above, below, quotients


def present(powers: Powers) -> Powers:
    return {x: e for x, e in powers.items() if e}


def has_quotient(one: Any, other: Any, d: Expr) -> bool:
    """Do x^one and d^other have a quotient to write? What is divided by its length stands so even
    where more remains of one of both."""
    if one is None or one == other:
        return one is not None
    return bool(measured_by(d)) and bool(one) and one % 1 == other % 1 == 0


def has_name(x: Expr, d: Expr) -> bool:
    """Has x / d a name?"""
    return belongs(x, d) or any(i is x for i in measured_by(d))


def have_name(some: Set[Expr], d: Expr) -> bool:
    """May the quotient of one of these and d have a name?"""
    return d.op in LOWER or not some.isdisjoint(named_with(d))


def named_with(d: Expr) -> tuple[Expr, ...]:
    """Operands of d that have a name when they are divided by it."""
    return (*parts_of(d), *measured_by(d))


def measured_by(d: Expr) -> tuple[Expr, ...]:
    """The array, or the two numbers, whose length d is."""
    while d.op in SPREADS:
        d = d.inputs[0]
    return d.inputs if d.op is norm2 or d.op is hypot else ()


def belongs(x: Expr, d: Expr) -> bool:
    """Is x a part of d, as e^x of Σe^x, or their quotient a function?"""
    if (x.op, d.op) in NAMED:
        return x.inputs[0] is d.inputs[0]
    for i in parts_of(d):
        if i is x:
            return True
    return False


def parts_of(d: Expr) -> tuple[Expr, ...]:
    """What has a name when it is divided by d: a term of it, or what it is the size of."""
    while d.op in SPREADS:
        d = d.inputs[0]
    return d.inputs if d.op in TOTALS else ()


def product(coefficient: Any, powers: Powers, dtype: np.dtype, mode: str = "real") -> Expr:
    """The number first, then the powers; what has negative exponents is divided by. What the rest
    stretches comes before it, and the number with it: that is a product of fewer entries."""
    above, below, quotients = arranged(powers)
    over = [*factors(above, quotients, dtype)]
    under = [raised(d, e, dtype) for d, e in below.items()]
    most = max([entries(x.type) for x in over + under], default=0)
    narrow = [x for x in over if entries(x.type) < most]
    if narrow:
        together = any(entries(d.type) == most for d in under)  # what is below the line stays so
        head = quotient(coefficient, narrow, [] if together else under, dtype, mode)
        coefficient, under = 1, under if together else []
        over = [head, *[x for x in over if entries(x.type) == most]]
    return quotient(coefficient, over, under, dtype, mode)


def quotient(c: Any, over: list[Expr], under: list[Expr], dtype: np.dtype, mode: str) -> Expr:
    """c · Π over / Π under, as they stand"""
    top = multiplied(c, over, dtype)
    if under and mode == "real":
        return in_dtype(divide, top, multiplied(1, under, dtype), dtype)
    for d in under:  # one after the other: their product may overflow
        top = in_dtype(divide, top, d, dtype)
    return top


def factors(above: Powers, quotients: Quotients, dtype: np.dtype) -> Iterator[Expr]:
    """What is multiplied above the line."""
    for x, e in above.items():
        yield raised(x, e, dtype)
    for x, d, e in quotients:
        yield raised(in_dtype(divide, x, d, dtype), e, dtype)


def multiplied(coefficient: Any, factors: list[Expr], dtype: np.dtype) -> Expr:
    if not factors:
        return Constant(coefficient, dtype)
    total = factors[0]
    for x in factors[1:]:
        total = in_dtype(multiply, total, x, dtype)
    return scaled(coefficient, total, dtype)


def scaled(c: Any, x: Expr, dtype: np.dtype) -> Expr:
    """c · x. A number has the dtype, and x is cast to it by the product."""
    return x if c == 1 else -astype(x, dtype) if c == -1 else Constant(c, dtype) * x


def raised(x: Expr, e: Any, dtype: np.dtype) -> Expr:
    if e == 1:
        return x
    x = astype(x, dtype)
    if e % 1 == 0.5:
        return sqrt(x) if e < 1 else raised(x, int(e), dtype) * sqrt(x)
    return square(x) if e == 2 else x ** Constant(e, dtype)


def in_dtype(op: Any, x: Expr, y: Expr, dtype: np.dtype) -> Expr:
    """The operation on x and y, computed in this dtype: one of both has it, or is cast."""
    result: Expr = op(x if y.dtype == dtype else astype(x, dtype), y)
    return result


# ---- sums


def linear(terms: list[tuple[Any, Expr]], dtype: np.dtype) -> Expr:
    """Σ c·x, what is added before what is subtracted."""
    (c, x), *rest = sorted(terms, key=lambda term: term[0] < 0)
    total = scaled(c, x, dtype)
    for c, x in rest:
        op, size = (subtract, -c) if c < 0 else (add, c)
        total = in_dtype(op, total, scaled(size, x, dtype), dtype)
    return total


def plus_number(x: Expr, number: Any, dtype: np.dtype) -> Expr:
    """x + number, written as a difference if it is negative."""
    if not number:
        return x
    op, size = (add, number) if number > 0 else (subtract, -number)
    result: Expr = op(x, Constant(size, dtype))
    return result
