"""Operations of one's own: what follows from what a class states."""

import inspect
from collections.abc import Callable, Collection
from typing import Any

UNSTATED = inspect.Parameter.empty


def operands_of(body: Callable[..., Any], static: Collection[str] = ()) -> tuple[int | None, dict]:
    """How many operands a function takes, None for any number; and its static parameters: those
    that are named here, those with a default, and those that are given by name alone."""
    arity: int | None = 0
    parameters = {}
    for p in inspect.signature(body).parameters.values():
        if p.kind is p.VAR_POSITIONAL:
            arity = None
        elif p.name in static or p.default is not UNSTATED or p.kind is p.KEYWORD_ONLY:
            parameters[p.name] = p.default
        elif p.kind is not p.VAR_KEYWORD and arity is not None:
            arity += 1
    return arity, parameters


def parameters_of(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters of a function; none where Python does not know them, as of some in C."""
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


# ---- equality


def props_of(op: Any) -> tuple:
    """The class and the values of the attributes that `props` names."""
    return (type(op), *[getattr(op, name) for name in op.props])


def alike(op: Any, other: Any) -> bool:
    return type(op) is type(other) and props_of(op) == props_of(other)


def hash_of_props(op: Any) -> int:
    try:
        return hash(props_of(op))
    except TypeError as error:
        hint = f"{error}; write a list as a tuple, and make an array an operand"
        raise TypeError(f"the props of {op.name} are compared by value: {hint}") from None
