"""Bits of whole numbers; of truth values, their logic."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..expr import Expr, enters, operands
from ..ops.choice import PLACE, logical_and, logical_not, logical_or
from ..ops.declare import op
from .rounding import logical_xor


@op(label="and", severed=PLACE, commutative=True)
def both_bits(x, y):
    """The bits that are set in both."""
    return np.bitwise_and(x, y)


@op(label="or", severed=PLACE, commutative=True)
def either_bits(x, y):
    """The bits that are set in one or both."""
    return np.bitwise_or(x, y)


@op(label="xor", severed=PLACE, commutative=True)
def other_bits(x, y):
    """The bits that are set in just one."""
    return np.bitwise_xor(x, y)


@op(label="not", severed=PLACE)
def inverted_bits(x):
    """The bits that are not set."""
    return np.invert(x)


def by_dtype(name: str, bits: Any, logic: Any) -> Callable[..., Expr]:
    """NumPy's function of this name: logic for truth values, else bit by bit."""

    def function(*args: Any) -> Expr:
        given = operands(args, name)
        truths = all(x.dtype.kind == "b" for x in given)
        return logic(*given) if truths else bits(*given)

    function.__doc__ = f"NumPy's {name}."
    return enters(name)(function)


bitwise_and = by_dtype("bitwise_and", both_bits, logical_and)
bitwise_or = by_dtype("bitwise_or", either_bits, logical_or)
bitwise_xor = by_dtype("bitwise_xor", other_bits, logical_xor)
invert = by_dtype("invert", inverted_bits, logical_not)
