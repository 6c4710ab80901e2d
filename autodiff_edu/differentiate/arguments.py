"""A user's arguments: checked before any derivative is taken, and their defaults."""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, ParamSpec, TypedDict, TypeVar

from ..expr import (
    HOOKS,
    Disconnected,
    Expr,
    Graph,
    Null,
    Origin,
    Stage,
    TensorType,
    argument_call,
    argument_text,
    as_graph,
    at,
    constant,
    expression_of,
    instead_of,
    is_function,
    made_by,
    shown,
)
from ..ops import agree, float_type

P = ParamSpec("P")
R = TypeVar("R")
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


def as_wrt(wrt: Any) -> tuple[Expr, ...]:
    """One expression or several, as a tuple."""
    given = tuple(wrt) if isinstance(wrt, (list, tuple)) else (wrt,)
    given = tuple(map(expression_of, given))
    for x in given:
        if not isinstance(x, Expr):
            raise TypeError(f"differentiate with respect to an expression, not {shown(x)}: "
                            f"{no_variable(x)}")  # fmt: skip
    return given


def as_one_wrt(wrt: Any) -> Expr:
    """The one expression to differentiate by. Raises ValueError for several, or none."""
    given = as_wrt(wrt)
    if len(given) != 1:
        named = ", ".join(map(str, given)) or "none"
        raise ValueError(f"this is done for one variable at a time, an array or a number, and "
                         f"given are {named}")  # fmt: skip
    return given[0]


def no_variable(given: Any) -> str:
    """What to write where something else than a variable was given."""
    if isinstance(given, str) or is_function(given):
        return instead_of(given)
    return "name the variable, such as x = ad.scalar('x'); its value comes later, in ad.evaluate"


def needs_wrt(transform: Callable[P, R]) -> Callable[P, R]:
    """Let a derivative say what to write where the user left out the variable."""

    @functools.wraps(transform)
    def careful(*args: P.args, **options: P.kwargs) -> R:
        if len(args) == 1 and "wrt" not in options:
            raise TypeError(without_wrt(transform.__name__, args[0]))
        return transform(*args, **options)

    return careful


def without_wrt(word: str, what: Any) -> str:
    if isinstance(what, (Expr, Stage, Graph, list, tuple)):
        names = [i.name or "x" for i in as_graph(what).inputs] or ["x"]
        also = f", or ad.{word}({argument_text(0, 'y')}, [{', '.join(names)}])"
        return (
            f"ad.{word} needs to know with respect to what: write ad.{word}("
            f"{argument_text(0, 'y')}, {names[0]}){also * (len(names) > 1)}"
        )
    if is_function(what):
        f = argument_text(0, "f")
        return f"ad.{word} takes an expression: write ad.{word}({f}(x), x) with x = ad.scalar('x')"
    f, values = argument_call(0, "f", "3.0")
    return (
        f"ad.{word} takes an expression or a function, and {shown(what)} is a value: write "
        f"ad.{word}({f})({values}), with the function itself"
    )


def check_scalar(cost: Any) -> None:
    if not isinstance(cost, Expr):
        raise TypeError(f"the cost is an expression, not {shown(cost)}: {instead_of(cost)}")
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
    v = expression_of(v)
    if isinstance(v, (Null, Disconnected)):
        return v
    wanted = TensorType(float_type(x.dtype), x.type.shape)
    if not isinstance(v, Expr):
        dtype = wanted.dtype if isinstance(v, (int, float)) else None
        v = made_by(Origin("derivative", "seed", x), constant, v, dtype)
    if v.dtype != wanted.dtype or not agree(v.type.shape, wanted.shape):
        raise TypeError(f"the {what} of {x} must have the type {wanted!r}; {v} has {v.type!r}")
    return v


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
