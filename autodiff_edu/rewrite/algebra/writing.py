"""Writing a product from its table: the shortest one, in one dtype.

    2, {x: 3, y: -1}     2 * x**3 / y

What is written is computed in the dtype of the region that was read: an operand of another dtype is
cast where the operation above it would not do that by itself.
"""

from collections.abc import Iterator
from functools import reduce
from typing import Any

import numpy as np

from ...expr import Constant, Expr
from ...ops import astype, divide, multiply, sqrt, square
from ...ops.cost import entries
from .monomial import Powers, in_dtype, scaled
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
    if under and mode == "real":  # else one after the other: their product may overflow
        under = [multiplied(1, under, dtype)]
    top = multiplied(c, over, dtype)
    return reduce(lambda x, d: in_dtype(divide, x, d, dtype), under, top)


def factors(above: Powers, quotients: Quotients, dtype: np.dtype) -> Iterator[Expr]:
    """What is multiplied above the line."""
    for x, e in above.items():
        yield raised(x, e, dtype)
    for x, d, e in quotients:
        yield raised(in_dtype(divide, x, d, dtype), e, dtype)


def multiplied(coefficient: Any, factors: list[Expr], dtype: np.dtype) -> Expr:
    if not factors:
        return Constant(coefficient, dtype)
    return scaled(coefficient, reduce(lambda x, y: in_dtype(multiply, x, y, dtype), factors), dtype)


def raised(x: Expr, e: Any, dtype: np.dtype) -> Expr:
    if e == 1:
        return x
    x = astype(x, dtype)
    if e % 1 == 0.5:
        return sqrt(x) if e < 1 else raised(x, int(e), dtype) * sqrt(x)
    return square(x) if e == 2 else x ** Constant(e, dtype)
