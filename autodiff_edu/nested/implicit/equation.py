"""An equation read from a Python function: called once with symbols, it becomes a graph.

What it takes from outside is found, and becomes an operand, as in a loop.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...expr import (
    Constant,
    DTypeError,
    Expr,
    Graph,
    Input,
    ShapeError,
    TensorType,
    at,
    called,
    constant,
    is_function,
    operands,
    parameters_of,
    postorder,
    shown,
)
from ..loops.shared_updates import moved_on
from ..subgraph.body import closure_convert, free_variables

NUMBERS = int, float


class Read(NamedTuple):
    """A body, whose first inputs are the symbols, and what its other inputs stand for."""

    body: Graph
    outer: Sequence[Expr]


def read(outputs: Sequence[Expr], symbols: Sequence[Input], who: str) -> Read:
    """What a function of these symbols returned, as a body. Raises NotImplementedError."""
    if moved_on(postorder(outputs)):
        raise NotImplementedError(
            f"the function of {who} moves shared values on, and nobody knows how often it is "
            "called: give such updates to ad.function"
        )
    outer = free_variables(outputs, symbols)
    inside, inner = closure_convert(outputs, outer)
    return Read(Graph(inside, [*symbols, *inner]), outer)


def check_function(fn: Any, who: str, example: str) -> None:
    """Raises TypeError for what cannot be called."""
    if not is_function(fn):
        raise TypeError(f"{who} takes a function first, not {shown(fn)}: write {example}")


def parameters(fn: Callable[..., Any], count: int, default: str) -> list[str]:
    """The names of the first parameters of a function, where Python knows them."""
    by_place = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    names = [p.name for p in parameters_of(fn) if p.kind in by_place]
    return [*names, *default[len(names) :]][:count]


def one_value(found: Any, who: str) -> Expr:
    """What the function returned, as one expression. Raises TypeError."""
    if isinstance(found, (list, tuple)) and any(isinstance(e, Expr) for e in found):
        raise TypeError(f"the function of {who} returns one array, not a {type(found).__name__}: "
                        "write ad.stack([...]) around it")  # fmt: skip
    return found if isinstance(found, Expr) else constant(found)


# ---- what it begins with


def as_float(x: Any, who: str) -> Expr:
    """An expression of floats; whole numbers become floats. Raises DTypeError."""
    (found,) = operands((x,), who)
    if found.dtype.kind == "f":
        return found
    if found.dtype.kind in "iu":
        known = isinstance(found, Constant)
        return constant(found.value, "float64") if known else found.astype("float64")
    raise DTypeError(f"{who} moves numbers by small steps, which {found.type!r} does not allow"
                     f"{at(found)}: write .astype(float)")  # fmt: skip


def beginning(x0: Any, gives: Callable[[Input], Expr], who: str) -> Expr:
    """Where a search begins, as an expression; a Python number is given the type that the function
    makes of it, as `gives` tells."""
    if type(x0) not in NUMBERS:
        return as_float(x0, who)
    y = gives(Input("x", TensorType("float16")))
    dtype = y.dtype if y.dtype.kind == "f" and y.dtype != "float16" else np.dtype("float64")
    return constant(np.full(y.shape if y.type.known else (), x0, dtype))


def check_type(x: Expr, y: Expr, who: str) -> None:
    """Raises DTypeError or ShapeError where a function gives another type than it takes."""
    where = f"the function of {who} is given {x.type!r} and returns {y.type!r}{at(y)}"
    if x.dtype != y.dtype:
        raise DTypeError(f"{where}: write .astype({str(x.dtype)!r}) around its result, or begin "
                         f"with an array of {y.dtype}")  # fmt: skip
    lengths = zip(x.type.shape, y.type.shape, strict=False)
    if x.ndim != y.ndim or any(None not in (a, b) and a != b for a, b in lengths):
        raise ShapeError(f"{where}: it returns one number for each unknown, so begin with an "
                         "array of that shape")  # fmt: skip


def call(fn: Callable[..., Any], who: str, *args: Any) -> Expr:
    """What a user's function of expressions gives."""
    return one_value(called(fn, *args), who)
