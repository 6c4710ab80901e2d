"""A user's arguments: checked before any derivative is taken, and their defaults."""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, ParamSpec, Protocol, TypedDict, TypeVar

from ..core.derivative_rules import as_wrt
from ..expr import (
    HOOKS,
    Expr,
    at,
    expression_of,
    instead_of,
    is_function,
    shown,
)
from .left_out import without_wrt

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)
Exprs = Sequence[Expr]
Places = int | Sequence[int]  # of arguments
Disconnections = Literal["raise", "warn", "ignore"]


class Options(TypedDict, total=False):
    """The choices of `grad`."""

    consider_constant: Iterable[Expr] | None
    disconnected_inputs: Disconnections
    add_names: bool
    known_grads: Mapping[Any, Any] | None
    return_disconnected: Literal["zero", "none", "disconnected"]
    null_gradients: Literal["raise", "return"]


class Traced(Protocol[P, R_co]):
    """The derivative of a Python function, for editors and type checkers: it takes what the
    function takes, and shows the paths that its calls took."""

    @property
    def paths(self) -> Sequence[Any]: ...
    def draw_paths(self) -> Any: ...
    def film_path(self, *args: P.args, **kwargs: P.kwargs) -> Any: ...
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...


def as_one_wrt(wrt: Any) -> Expr:
    """The one expression to differentiate by. Raises ValueError for several, or none."""
    given = as_wrt(wrt)
    if len(given) != 1:
        named = ", ".join(map(str, given)) or "none"
        raise ValueError(f"this is done for one variable at a time, an array or a number, and "
                         f"given are {named}")  # fmt: skip
    return given[0]


def check_scalar(cost: Any) -> None:
    if not isinstance(cost, Expr):
        raise TypeError(f"the cost is an expression, not {shown(cost)}: {instead_of(cost)}")
    if cost.ndim:
        raise TypeError(
            f"Cost must be a scalar. {cost} has the type {cost.type!r}{at(cost)}: "
            "sum it, or give ad.pullback a cotangent, or take its ad.jacobian"
        )


def of_functions(transform: Callable[..., Any]) -> Callable[..., Any]:
    """Let a derivative of expressions, transform(y, [x, ...]), take a Python function too."""

    @functools.wraps(transform)
    def either(what: Any, *args: Any, **options: Any) -> Any:
        what = expression_of(what)
        if is_function(what):
            return HOOKS["derivative_of"](what, transform, *args, **options)
        if "has_aux" in options:
            raise TypeError("has_aux is for a Python function, which returns (loss, anything); "
                            "beside an expression you have its parts already")  # fmt: skip
        if "argnums" in options:
            raise TypeError("argnums numbers the arguments of a Python function; of an expression, "
                            f"{without_wrt(transform.__name__, what)}")  # fmt: skip
        if not args and "wrt" not in options:
            raise TypeError(without_wrt(transform.__name__, what))
        return transform(what, *args, **options)

    return either
