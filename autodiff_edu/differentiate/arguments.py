"""A user's arguments: checked before any derivative is taken, and their defaults."""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, ParamSpec, Protocol, TypedDict, TypeVar

from ..core.graph import as_wrt
from ..expr import (
    HOOKS,
    Expr,
    Graph,
    Stage,
    argument_call,
    argument_text,
    as_graph,
    at,
    expression_of,
    instead_of,
    is_function,
    located,
    shown,
)  # fmt: skip

P = ParamSpec("P")
R = TypeVar("R")
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


# ---- a variable that was left out


def needs_wrt(transform: Callable[P, R]) -> Callable[P, R]:
    """Let a derivative say what to write where the user left out the variable."""

    def explain(error: Exception, args: tuple[Any, ...], options: dict[str, Any]) -> Exception:
        alone = len(args) == 1 and "wrt" not in options
        return TypeError(without_wrt(transform.__name__, args[0])) if alone else error

    return located(transform, explain)


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
