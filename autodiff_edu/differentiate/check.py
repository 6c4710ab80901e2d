"""Questions asked of a user's arguments before any derivative is taken."""

from collections.abc import Sequence
from typing import Any

from ..expr import Expr, TensorType, at
from ..ops import float_type


def check_wrt(wrt: Sequence[Any]) -> None:
    for x in wrt:
        if not isinstance(x, Expr):
            raise TypeError(f"differentiate with respect to an expression, not {x!r}")


def check_scalar(cost: Any) -> None:
    if not isinstance(cost, Expr):
        raise TypeError(f"the cost is an expression, not {cost!r}")
    if cost.ndim:
        raise TypeError(
            f"Cost must be a scalar. {cost} has the type {cost.type!r}{at(cost)}: "
            "sum it, or give ad.pullback its cotangent"
        )


def check_like(values: Sequence[Any], of: Sequence[Expr], what: str) -> None:
    """Is there one tangent or cotangent for each, of its shape and of a float dtype?"""
    if len(values) != len(of):
        raise ValueError(f"{len(of)} {what}s are needed, one for each, not {len(values)}")
    for v, x in zip(values, of, strict=True):
        if not isinstance(v, Expr) or v.type is not TensorType(float_type(x.dtype), x.type.shape):
            raise TypeError(f"the {what} of {x} must have the type {x.type!r}, not {v!r}")
