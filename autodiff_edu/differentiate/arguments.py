"""A user's arguments: checked before any derivative is taken, and their defaults."""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict

from ..expr import (
    HOOKS,
    Constant,
    Disconnected,
    Expr,
    Null,
    Origin,
    TensorType,
    at,
    constant,
    made_by,
)
from ..ops import agree, broadcast_like, float_type

Exprs = Sequence[Expr]
Places = int | Sequence[int]  # of arguments
Disconnections = Literal["raise", "warn", "ignore"]


class Options(TypedDict, total=False):
    """The choices of `grad`."""

    consider_constant: Iterable[Expr] | None
    disconnected_inputs: Disconnections
    add_names: bool
    known_grads: Mapping[Expr, Any] | None
    return_disconnected: Literal["zero", "none", "disconnected"]
    null_gradients: Literal["raise", "return"]


def as_wrt(wrt: Any) -> tuple[Expr, ...]:
    """One expression or several, as a tuple."""
    given = tuple(wrt) if isinstance(wrt, (list, tuple)) else (wrt,)
    for x in given:
        if not isinstance(x, Expr):
            raise TypeError(f"differentiate with respect to an expression, not {x!r}")
    return given


def check_scalar(cost: Any) -> None:
    if not isinstance(cost, Expr):
        raise TypeError(f"the cost is an expression, not {cost!r}")
    if cost.ndim:
        raise TypeError(
            f"Cost must be a scalar. {cost} has the type {cost.type!r}{at(cost)}: "
            "sum it, or give ad.pullback a cotangent, or take its ad.jacobian"
        )


def changes_like(given: Any, of: Sequence[Expr], what: str) -> list[Expr]:
    """One tangent or cotangent for each, as expressions; plain numbers take the dtype.

    Raises ValueError for a wrong number of them, TypeError for one of another type.
    """
    values = given if isinstance(given, (list, tuple)) else (given,)
    if len(values) != len(of):
        raise ValueError(f"{len(of)} {what}s are needed, one for each, not {len(values)}")
    return [change_like(v, x, what) for v, x in zip(values, of, strict=True)]


def change_like(v: Any, x: Expr, what: str) -> Expr:
    if isinstance(v, (Null, Disconnected)):
        return v
    wanted = TensorType(float_type(x.dtype), x.type.shape)
    if not isinstance(v, Expr):
        v = constant(v, wanted.dtype if isinstance(v, (int, float)) else None)
    if v.dtype != wanted.dtype or not agree(v.type.shape, wanted.shape):
        raise TypeError(f"the {what} of {x} must have the type {wanted!r}; {v} has {v.type!r}")
    return v


def seed(y: Expr) -> Expr:
    """The tangent or adjoint 1, in the dtype of derivatives, where none is given."""
    one = Constant(1.0, float_type(y.dtype))
    return made_by(Origin("derivative", "seed", y), lambda: broadcast_like(one, y))


def of_functions(transform: Callable[..., Any]) -> Callable[..., Any]:
    """Let a derivative of expressions, transform(y, [x, ...]), take a Python function too."""

    @functools.wraps(transform)
    def either(what: Any, *args: Any, **options: Any) -> Any:
        if callable(what):
            return HOOKS["derivative_of"](what, transform, *args, **options)
        if "has_aux" in options:
            raise TypeError("has_aux is for a Python function, which returns (loss, anything); "
                            "beside an expression you have its parts already")  # fmt: skip
        return transform(what, *args, **options)

    return either
