"""Bits of whole numbers; of truth values, their logic."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..expr import OPERATIONS, UNTYPED, Constant, DTypeError, Expr, at, located, operands, register
from ..ops.comparison import PLACE, logical_and, logical_not, logical_or
from ..ops.declare import op
from .rounding import logical_xor

__all__ = ["bitwise_and", "bitwise_or", "bitwise_xor", "invert"]


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


def by_dtype(args: tuple, name: str, bits: Any, logic: Any, sign: str, instead: str) -> Expr:
    """Logic for truth values and in patterns, else bit by bit."""
    given = operands(args, name)
    if any(x.type is UNTYPED for x in given) or all(x.dtype.kind == "b" for x in given):
        return logic(*given)
    for x in sorted(given, key=lambda x: isinstance(x, Constant)):
        if x.dtype.kind == "f":
            raise DTypeError(f"{sign} works on the bits of whole numbers and on truth values, "
                             f"and {x} is {x.dtype}{at(x)}: {instead}")  # fmt: skip
    return bits(*given)


TRUTHS = "write ad.logical_{} of numbers, or compare them first, as in (x > 0) {} (x < 1)"


@register("bitwise_and")
@located
def bitwise_and(x: Any, y: Any) -> Expr:
    """x & y: the bits that are set in both; of truth values, whether both are true.

    Parameters
    ----------
    x : Expr or array_like
        Whole numbers or truth values.
    y : Expr or array_like
        Likewise; its shape broadcasts with that of x.

    Returns
    -------
    Expr
        Of the dtype of the operands. No derivative passes.

    Raises
    ------
    DTypeError
        If an operand is a real number.

    Examples
    --------
    >>> ad.evaluate(ad.bitwise_and(np.array([6, 5]), 3))
    array([2, 1])
    """
    instead = TRUTHS.format("and", "&")
    return by_dtype((x, y), "bitwise_and", both_bits, logical_and, "&", instead)


@register("bitwise_or")
@located
def bitwise_or(x: Any, y: Any) -> Expr:
    """x | y: the bits that are set in one or both; of truth values, whether one is true.

    Parameters
    ----------
    x : Expr or array_like
        Whole numbers or truth values.
    y : Expr or array_like
        Likewise; its shape broadcasts with that of x.

    Returns
    -------
    Expr
        Of the dtype of the operands. No derivative passes.

    Raises
    ------
    DTypeError
        If an operand is a real number.

    Examples
    --------
    >>> ad.evaluate(ad.bitwise_or(np.array([6, 5]), 3))
    array([7, 7])
    """
    instead = TRUTHS.format("or", "|")
    return by_dtype((x, y), "bitwise_or", either_bits, logical_or, "|", instead)


@register("bitwise_xor")
@located
def bitwise_xor(x: Any, y: Any) -> Expr:
    """x ^ y: the bits that are set in just one; of truth values, whether they differ.

    Parameters
    ----------
    x : Expr or array_like
        Whole numbers or truth values.
    y : Expr or array_like
        Likewise; its shape broadcasts with that of x.

    Returns
    -------
    Expr
        Of the dtype of the operands. No derivative passes.

    Raises
    ------
    DTypeError
        If an operand is a real number.

    Examples
    --------
    >>> ad.evaluate(ad.bitwise_xor(np.array([6, 5]), 3))
    array([5, 6])
    """
    instead = "write x**2 for a power"
    return by_dtype((x, y), "bitwise_xor", other_bits, logical_xor, "^", instead)


@register("invert")
@located
def invert(x: Any) -> Expr:
    """~x: the bits that are not set; of a truth value, its opposite.

    Parameters
    ----------
    x : Expr or array_like
        Whole numbers or truth values.

    Returns
    -------
    Expr
        Of the dtype of x. No derivative passes.

    Raises
    ------
    DTypeError
        If x is a real number.

    Examples
    --------
    >>> ad.evaluate(ad.invert(np.array([True, False])))
    array([False,  True])
    """
    instead = "write -x, or ad.logical_not(x)"
    return by_dtype((x,), "invert", inverted_bits, logical_not, "~", instead)


def no_shift(sign: str, instead: str) -> Callable[..., Expr]:
    def refuse(x: Any, k: Any) -> Expr:
        raise TypeError(f"expressions know no {sign}: write {instead}")

    return located(refuse)


OPERATIONS["left_shift"] = no_shift("<<", "x * 2**k")
OPERATIONS["right_shift"] = no_shift(">>", "x // 2**k")
