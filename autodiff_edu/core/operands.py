"""From Python's numbers and NumPy's arrays to expressions.

Python's numbers are weak: they adopt the dtype of what they meet.
"""

from typing import Any

import numpy as np

from .node import Constant, Expr, Literal
from .seams import HOOKS
from .types import UNTYPED, NullType, TensorType

WEAK = (bool, int, float)  # Python's numbers


def constant(value: Any, dtype: object = None) -> Constant:
    """A known value as an expression.

    Parameters
    ----------
    value : array_like
        Numbers or truth values.
    dtype : dtype, optional
        By default that of the value.

    Returns
    -------
    Constant
        A leaf that holds a copy of the value.

    Raises
    ------
    DTypeError
        If the value is not an array of real numbers.

    Examples
    --------
    >>> ad.constant([1.0, 2.0]) * 2
    array(2,) * 2
    """
    if isinstance(value, Constant) and dtype is None:
        return value
    return Constant(value, None if dtype is None else HOOKS["dtype"](dtype))


def operands(
    args: tuple[Any, ...], name: str, any_integer: bool = False, first: int = 0
) -> tuple[Expr, ...]:
    """Arguments as expressions; Python's numbers adopt the dtype of what they meet among the
    arguments from number `first` on. An integer which that cannot hold keeps its own, where the
    operation takes any."""
    types = [a.type for a in args if isinstance(a, Expr)]
    if UNTYPED in types:  # a pattern of a rewrite rule
        return tuple([a if isinstance(a, Expr) else Literal(a) for a in args])
    strong = [a if isinstance(a, Expr) or type(a) in WEAK else HOOKS["leaf"](a, name) for a in args]
    beside = tuple([a.type for a in strong[first:] if isinstance(a, Expr)])
    try:
        nodes = [a if isinstance(a, Expr) else Constant(a, weak(beside, type(a))) for a in strong]
        return tuple(nodes)
    except OverflowError as error:
        if not any_integer:
            raise HOOKS["beyond"](error, name) from None
        return tuple([a if isinstance(a, Expr) else Constant(a) for a in strong])


_dtypes: dict[tuple, np.dtype] = {}


def weak(beside: tuple[TensorType, ...], kind: type) -> np.dtype | None:
    """The dtype that a Python number of this kind adopts beside operands of these types."""
    dtype = _dtypes.get((beside, kind))
    if dtype is None and beside:
        if any(isinstance(t, NullType) for t in beside):
            raise TypeError("a derivative that does not exist takes part in no arithmetic: take "
                            "ad.zeros_like(x) in its place")  # fmt: skip
        dtype = _dtypes[beside, kind] = np.result_type(*[t.dtype for t in beside], kind(1))
    return dtype
