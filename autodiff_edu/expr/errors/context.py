"""Errors with an address: of their own class, with the operation, its operands and the line."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ...core.node import Constant, Expr
from ...core.types import spell
from ..origins import at
from ..places import Place
from ..text import shorten, visible
from .refusal import LAST, explanations
from .suggestion import again

P = ParamSpec("P")
R = TypeVar("R")


def word_of(op: Any) -> str:
    """The name by which users know an operation: solve, for what we call solve_columns."""
    word = op.label.isascii() and op.label.isidentifier()
    return shorten(visible(op.label if word and not hasattr(np, op.name) else op.name))


def named(e: Expr, otherwise: str = "") -> str:
    """The name of an expression for a message, or how it is written."""
    return shorten(visible(e.name or "")) or otherwise or str(e)


def misfit(name: str, inputs: Sequence[Expr], error: Exception) -> Exception:
    """The error for operands whose types, known now, do not fit an operation."""
    met = " and ".join(f"{named(i, 'an expression')}: {i.type!r}" for i in inputs)
    place = explanations.running_place()
    if place and str(place) in str(error):
        return error
    return again(error, f"{name} of {met} does not fit{f' in {place}' * bool(place)}: {error}")


def explained(error: Exception, n: Expr, shapes: Sequence[Any]) -> Exception:
    """The error for values, of these shapes, that a node's operation refuses; of a node in its
    body, if the error has the address of one."""
    if "(made at " in str(error):
        return again(error, f"in {word_of(n.op)}: {error}")
    met = " and ".join(
        f"{'a constant' if isinstance(i, Constant) else named(i)} of shape {spell(shape)}"
        for i, shape in zip(n.inputs, shapes, strict=True)
        if shape or not isinstance(i, Constant)
    )
    return again(error, f"{word_of(n.op)}{met and f' of {met}'}{at(n)}: {error}")


def called(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """What a user's function of expressions returns.

    Raises TypeError if that is None. Where NumPy puts an error of its own before ours, as at
    y[0] = e, ours is raised, in the class of NumPy's.
    """
    LAST.error = None
    try:
        found = f(*args, **kwargs)
    except Exception as error:
        ours = explanations.explained(error)
        if ours is error:
            raise
        raise ours from None
    if found is None:
        code = getattr(f, "__code__", None)
        place = f" ({Place(code, 0)})" if code else ""
        raise TypeError(f"{getattr(f, '__name__', 'the function')}{place} returned None: write "
                        "`return` before its result")  # fmt: skip
    return found


INSTEAD = {
    "out": "use the result that is returned, as in s = s + x for s += x",
    "where": "write ad.where(mask, a, b)",
    "dtype": "cast the operand or the result, as in x.astype(dtype)",
    "initial": "put it into the result by +, *, ad.maximum or ad.minimum",
    "correction": "its other name is ddof",
    "casting": "cast the operand, as in x.astype(dtype)",
}


def refuse_options(name: str, options: Mapping[str, Any]) -> None:
    """Raises TypeError for what changes an array, or has a form of its own for expressions."""
    for option, value in options.items():
        if option in INSTEAD and value is not None:
            raise TypeError(f"{name} takes no {option}= for expressions: {INSTEAD[option]}")
