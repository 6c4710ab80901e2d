"""How an operation is written in Python: its operator, and its form for single numbers."""

from typing import Any


def operator_of(op: Any) -> str:
    """Python's operator that computes an operation of the house, or nothing.

    The sign of a user's operation is for people: `+` may stand for any sum, and Python has no ⊕.
    """
    return op.symbol if getattr(op, "is_ours", False) else ""


def scalar_form(op: Any) -> str:
    """The Python expression for single numbers, with {0} and {1} for the operands."""
    stated, symbol = getattr(op, "scalar", ""), operator_of(op)
    if stated or not symbol or symbol in "~&|@":
        return stated
    return f"{symbol}{{0}}" if op.arity == 1 else f"{{0}} {symbol} {{1}}"
