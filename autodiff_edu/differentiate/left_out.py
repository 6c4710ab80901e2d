"""A derivative whose variable was left out: what the user writes instead."""

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from ..expr import Expr, Graph, Stage, argument_call, argument_text, as_graph, is_function, shown

P = ParamSpec("P")
R = TypeVar("R")


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
