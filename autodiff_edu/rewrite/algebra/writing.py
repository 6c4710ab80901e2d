"""Writing a product, or a sum of products, from its table: the shortest one, in one dtype.

    2, {x: 3, y: -1}     2 * x**3 / y

What is written is computed in the dtype of the region that was read: an operand of another dtype is
cast where the operation above it would not do that by itself.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...expr import Constant, Expr
from ...ops import add, astype, divide, multiply, sqrt, square, subtract
from ...ops.cost import entries
from .monomial import Powers
from .named_quotients import Quotients, arranged


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
