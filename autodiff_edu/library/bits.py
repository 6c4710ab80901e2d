"""Bits of whole numbers; of truth values, their logic."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..expr import OPERATIONS, UNTYPED, Constant, DTypeError, Expr, at, located, operands, register
from ..ops.choice import PLACE, logical_and, logical_not, logical_or
from ..ops.declare import op
from .rounding import logical_xor


@op(label="and", nondifferentiable=PLACE, commutative=True)
def both_bits(x, y):
    """The bits that are set in both."""
    return np.bitwise_and(x, y)


@op(label="or", nondifferentiable=PLACE, commutative=True)
def either_bits(x, y):
    """The bits that are set in one or both."""
    return np.bitwise_or(x, y)


@op(label="xor", nondifferentiable=PLACE, commutative=True)
def other_bits(x, y):
    """The bits that are set in just one."""
    return np.bitwise_xor(x, y)


@op(label="not", nondifferentiable=PLACE)
def inverted_bits(x):
    """The bits that are not set."""
    return np.invert(x)


def by_dtype(name: str, sign: str, bits: Any, logic: Any, instead: str) -> Callable[..., Expr]:
    """NumPy's function of this name: logic for truth values and in patterns, else bit by bit."""

    @located
    def function(*args: Any) -> Expr:
        given = operands(args, name)
        if any(x.type is UNTYPED for x in given) or all(x.dtype.kind == "b" for x in given):
            return logic(*given)
        for x in sorted(given, key=lambda x: isinstance(x, Constant)):
            if x.dtype.kind == "f":
                raise DTypeError(f"{sign} works on the bits of whole numbers and on truth values, "
                                 f"and {x} is {x.dtype}{at(x)}: {instead}")  # fmt: skip
        return bits(*given)

    function.__doc__ = f"NumPy's {name}."
    return register(name)(function)


TRUTHS = "write ad.logical_{} of numbers, or compare them first, as in (x > 0) {} (x < 1)"
bitwise_and = by_dtype("bitwise_and", "&", both_bits, logical_and, TRUTHS.format("and", "&"))
bitwise_or = by_dtype("bitwise_or", "|", either_bits, logical_or, TRUTHS.format("or", "|"))
bitwise_xor = by_dtype("bitwise_xor", "^", other_bits, logical_xor, "write x**2 for a power")
invert = by_dtype("invert", "~", inverted_bits, logical_not,
                  "write -x, or ad.logical_not(x)")  # fmt: skip


def no_shift(sign: str, instead: str) -> Callable[..., Expr]:
    def refuse(x: Any, k: Any) -> Expr:
        raise TypeError(f"expressions know no {sign}: write {instead}")

    return located(refuse)


OPERATIONS["left_shift"] = no_shift("<<", "x * 2**k")
OPERATIONS["right_shift"] = no_shift(">>", "x // 2**k")
