"""How an operation is written in Python: its operator, and NumPy's function of its name."""

from functools import lru_cache
from typing import Any

import numpy as np

from ..core.derivative_rules import Declared
from ..core.op import item
from .declare import of_house


def operator_of(op: Any) -> str:
    """Python's operator that computes an operation of the house, or nothing.

    The sign of a user's operation is for people: `+` may stand for any sum, and Python has no ⊕.
    """
    return op.symbol if getattr(op, "is_ours", False) else ""


def numpy_function(op: Any) -> Any:
    """NumPy's function of the same name, for a record of this package, or None."""
    return function_of_record(op) if isinstance(op, Declared) else None


@lru_cache(1000)
def function_of_record(op: Declared) -> Any:
    """NumPy's function of the name of a record; each node of a graph asks for it."""
    return getattr(np, op.name, None) if op.is_ours else None


def ours(op: Any) -> bool:
    """Is the operation one of this package's? Of a user's nothing is known: its result may be a
    view of any operand, and its name somebody else's."""
    return op.is_ours if isinstance(op, Declared) else op is item or of_house(op.body)


def is_ufunc(op: Any) -> bool:
    """Is it one of NumPy's own functions of each entry, which write into any room?"""
    return isinstance(op, Declared) and stands_for_ufunc(op)


@lru_cache(1000)
def stands_for_ufunc(op: Declared) -> bool:
    """Has NumPy a function of each entry for a record?"""
    return op.elementwise and isinstance(numpy_function(op), np.ufunc)
