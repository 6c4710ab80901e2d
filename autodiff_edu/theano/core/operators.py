"""Operators of old variables: what may stand beside them, and the tables that they look in."""

from collections.abc import Callable
from numbers import Number
from typing import Any

from ...expr import Expr

TABLES: dict[str, Any] = {}  # functions of expressions and of variables, by name
METHODS: dict[str, Callable[..., Any]] = {}  # x.dimshuffle(...)
PROPERTIES: dict[str, Callable[..., Any]] = {}  # x.shape


def binary(name: str, swapped: bool = False) -> Callable[..., Any]:
    def operator(self: Any, other: Any) -> Any:
        if not is_operand(other):
            return NotImplemented
        return METHODS[name](other, self) if swapped else METHODS[name](self, other)

    return operator


def is_operand(other: Any) -> bool:
    """Not what has operators of its own, and is neither a number nor an array."""
    if isinstance(other, (Expr, Number, list, tuple)) or hasattr(other, "__array__"):
        return True
    own = hasattr(other, "__radd__") and not hasattr(other, "__expression__")
    return other is not None and not isinstance(other, (str, dict, type)) and not own


def comparing(name: str) -> Callable[..., Any]:
    """Theano forbids 0 < x < 1: what a comparison gives has no truth value."""

    def operator(self: Any, other: Any) -> Any:
        found = METHODS[name](self, other)
        found.compared = True
        return found

    return operator


def unary(name: str) -> Callable[..., Any]:
    return lambda self: METHODS[name](self)
