"""The arguments of a traced function: a symbol for every array and every float.

Whole numbers, truth values and strings stay what they are, so that a function may loop and branch
over them.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..expr import (
    Expr,
    Input,
    Origin,
    TensorType,
    constant,
    is_masked,
    made_by,
    parameters_of,
    refuse_mask,
    shorten,
    shown,
)
from .pytree import paths, tree_flatten

SHORT = 16  # characters of an argument that is no array


def is_array(leaf: Any) -> bool:
    if is_masked(leaf):
        refuse_mask()
    if isinstance(leaf, np.ndarray):
        return leaf.dtype.kind in "biufc"
    return isinstance(leaf, (np.floating, np.complexfloating, float))


def kind(leaf: Any) -> Any:
    """The type of an array; of anything else its class, and its value if it is a plain one."""
    if is_array(leaf):
        array = np.asarray(leaf)
        return array.dtype, array.shape
    plain = next((base for base in (int, str, np.generic) if isinstance(leaf, base)), None)
    return type(leaf), plain and plain.__repr__(leaf)


def symbols(f: Callable[..., Any], leaves: Sequence[Any], structure: Any) -> list[Any]:
    """An input for every array and every expression, named as the argument; the rest as it is."""
    return [symbol(leaf, name) for leaf, name in zip(leaves, names(f, structure), strict=True)]


def by_symbol(found: Sequence[Any], leaves: Sequence[Any]) -> dict[Any, Any]:
    """For each symbol the value or the expression for which it stands."""
    return {i: v for i, v in zip(found, leaves, strict=True) if isinstance(i, Input)}


def symbol(leaf: Any, name: str) -> Any:
    if isinstance(leaf, Expr):
        return made_by(Origin("argument", name, leaf), Input, name, leaf.type)
    if is_array(leaf):
        return Input(name, TensorType(np.asarray(leaf).dtype, np.shape(leaf)))
    return leaf


def described(f: Callable[..., Any], leaves: Sequence[Any], structure: Any) -> str:
    """The arguments with their types or, where they are no symbols, their values: `x: float64(3,),
    n = 2`."""
    return ", ".join(map(in_words, names(f, structure), leaves))


def in_words(name: str, leaf: Any) -> str:
    if is_array(leaf):
        return f"{name}: {TensorType(np.asarray(leaf).dtype, np.shape(leaf))!r}"
    return f"{name} = {shorten(repr(leaf), SHORT)}"


def names(f: Callable[..., Any], structure: Any) -> list[str]:
    """The parameters' names, for the leaves of (args, kwargs)."""
    declared = [p.name for p in parameters_of(f)]
    _, _, args, kwargs = structure
    declared += [f"x{k}" for k in range(len(declared), len(args[1]))]
    found = [n for name, part in zip(declared, args[2:]) for n in paths(part, name)]
    return found + list(paths(kwargs))


def as_expression(y: Any) -> Expr:
    """One result of a Python function. Raises TypeError for what is no number."""
    if isinstance(y, Expr):
        return y
    if isinstance(y, str) or (np.asarray(y).dtype == object and type(y) not in (int, np.ndarray)):
        raise TypeError(
            f"a Python function returns numbers, arrays and expressions, not {shown(y)}"
        )
    return constant(y)


def expressions_of(result: Any) -> tuple[list[Expr], Any]:
    """What a Python function returned: expressions, and the containers around them."""
    leaves, structure = tree_flatten(result)
    return list(map(as_expression, leaves)), structure


def name_of(f: Callable[..., Any]) -> str:
    name = getattr(f, "__name__", "f")
    return name if name.isidentifier() else "f"  # not <lambda>
