"""From Python's numbers and NumPy's arrays to expressions.

Python's numbers are weak: they adopt the dtype of what they meet.
"""

from numbers import Number
from typing import Any

import numpy as np

from ..core.graph import expression_of
from ..core.node import Constant, Expr
from ..core.placeholders import Literal
from ..core.sanitize import shown
from ..core.types import UNTYPED, NullType, TensorType, as_dtype
from .errors.context import again
from .errors.given import instead_of

_WEAK = (bool, int, float)


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
    return Constant(value, None if dtype is None else as_dtype(dtype))


def operands(
    args: tuple[Any, ...], name: str, any_integer: bool = False, first: int = 0
) -> tuple[Expr, ...]:
    """Arguments as expressions; Python's numbers adopt the dtype of what they meet among the
    arguments from number `first` on. An integer which that cannot hold keeps its own, where the
    operation takes any."""
    types = [a.type for a in args if isinstance(a, Expr)]
    if UNTYPED in types:  # a pattern of a rewrite rule
        return tuple([a if isinstance(a, Expr) else Literal(a) for a in args])
    strong = [a if isinstance(a, Expr) or type(a) in _WEAK else known(a, name) for a in args]
    met = tuple([a.type for a in strong[first:] if isinstance(a, Expr)])
    try:
        return tuple(
            [a if isinstance(a, Expr) else Constant(a, weak(met, type(a))) for a in strong]
        )
    except OverflowError as error:
        if not any_integer:
            hint = "write it as a float, or cast the operand by .astype"
            raise again(error, f"{name} met a number beyond its dtype: {error}: {hint}") from None
        return tuple([a if isinstance(a, Expr) else Constant(a) for a in strong])


def known(value: Any, name: str) -> Expr:
    stands_for = expression_of(value)
    if stands_for is not value:
        return stands_for
    if isinstance(value, (list, tuple)) and any(isinstance(v, Expr) for v in value):
        raise TypeError(f"{name} met a list of expressions: write ad.array([...]) around it")
    if type(value) is not np.ndarray and isinstance(value, np.matrix):
        raise TypeError(f"{name} takes no np.matrix, of which * is the matrix product: write "
                        "np.asarray(a) for it, and @ for the product")  # fmt: skip
    try:
        return Constant(value)
    except (TypeError, ValueError) as error:
        met, hint = shown(value), remedy(value) or error
        raise again(error, f"{name} takes expressions and numbers, not {met}: {hint}") from None


def remedy(value: Any) -> str:
    """What to write for what is no operand; nothing where the error says it."""
    if value is None:
        return "write `is None` to ask for identity"
    if hasattr(value, "toarray"):
        return "write .toarray() behind it, since all expressions are dense"
    if isinstance(value, Number) and not isinstance(value, (complex, np.generic)):
        return f"write float({shown(value)})"
    of_class = hasattr(value, "__dict__") and not isinstance(value, np.ndarray)
    return instead_of(value) if isinstance(value, str) or of_class else ""


_weak: dict[tuple, np.dtype] = {}


def weak(met: tuple[TensorType, ...], kind: type) -> np.dtype | None:
    """The dtype that a Python number of this kind adopts among operands of these types."""
    found = _weak.get((met, kind))
    if found is None and met:
        if any(isinstance(t, NullType) for t in met):
            raise TypeError("a derivative that does not exist takes part in no arithmetic: take "
                            "ad.zeros_like(x) in its place")  # fmt: skip
        found = _weak[met, kind] = np.result_type(*[t.dtype for t in met], kind(1))
    return found
