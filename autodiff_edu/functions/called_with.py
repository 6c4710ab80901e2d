"""With what a derivative of a Python function is called: checked before the function is traced."""

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..expr import Expr, nearest, parameters_of, shown
from .pytree import LEAF, NOTHING, paths, tree_flatten
from .symbols import name_of


def check_numbers(f: Callable[..., Any], word: str, argnums: Any) -> None:
    """Raises TypeError for what does not number arguments, such as a value."""
    for k in argnums if isinstance(argnums, (list, tuple)) else [argnums]:
        if not isinstance(k, (int, np.integer)) or isinstance(k, bool):
            name = name_of(f)
            raise TypeError(
                f"ad.{word}({name}, argnums=0) makes a function, and argnums are the places of "
                f"arguments, not {shown(k)}: {instead(f, word, k)}"
            )


def instead(f: Callable[..., Any], word: str, given: Any) -> str:
    """What to write where something else than a number stands for an argument."""
    name, known = name_of(f), [p.name for p in parameters_of(f)]
    if isinstance(given, str) and given in known:
        place = known.index(given)
        return f"write ad.{word}({name}, {place}); the values come later: ad.{word}({name})(3.0)"
    plain = isinstance(given, (float, complex, str, bool, np.generic, type(None)))
    value = repr(given) if plain else "x"
    return f"call that function with the values of {name}, as in ad.{word}({name})({value})"


def check_options(word: str, transform: Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Raises TypeError for a keyword that the derivative of a function does not take."""
    keywords = keywords_of(transform)
    for name in options:
        if name == "wrt":
            raise TypeError(f"of a function, argnums says which arguments: ad.{word}(f, argnums=0)")
        if name not in keywords and "options" not in keywords:
            near = nearest(name, keywords)
            hint = f": write {near}=" if near else f": it takes {', '.join(keywords)}"
            raise TypeError(f"ad.{word}(f) takes no {name}={hint}")


@functools.cache
def keywords_of(transform: Callable[..., Any]) -> tuple[str, ...]:
    """The keywords that the derivative of a function takes."""
    return "argnums", "has_aux", *list(inspect.signature(transform).parameters)[2:]


def chosen(f: Callable[..., Any], word: str, args: tuple, argnums: int | Sequence[int]) -> Any:
    """The arguments with these numbers."""
    for k in np.atleast_1d(argnums).tolist():
        if not -len(args) <= k < len(args):
            name = name_of(f)
            given = f"{len(args)} were given by place" if args else "none was given by place"
            counted = f"count places from 0 to {len(args) - 1}, or " if args else ""
            raise TypeError(
                f"argnums={shown(argnums)} names an argument of {name} by its place, and {given}: "
                f"{counted}call the derivative with the values of {name}, as in "
                f"ad.{word}({name})(3.0), and pass it without its name"
            )
    found = tuple(args[k] for k in np.atleast_1d(argnums).tolist())
    return found[0] if np.ndim(argnums) == 0 else found


CHANGES = {"pushforward": "tangent", "pullback": "cotangent", "hessian_vector_product": "vector"}


def check_pair(f: Callable[..., Any], word: str, pair: tuple) -> tuple:
    """A point and a change there. Raises TypeError for anything else."""
    if len(pair) != 2:
        name, change = name_of(f), CHANGES[word]
        raise TypeError(
            f"ad.{word}({name}) is a function of two arguments, a point and a {change}, and was "
            f"given {len(pair)}: write ad.{word}({name})(3.0, 1.0), or ad.{word}({name})((x, y), "
            f"{change}) for a function of x and y"
        )
    return pair


def leaves_like(structure: Any, change: Any, word: str) -> list[Any]:
    """The leaves of a change. Raises TypeError for one in other containers than what changes."""
    leaves, there = tree_flatten(change)
    if there != structure:
        of = "result of the function" if word == "pullback" else "point"
        raise TypeError(f"the {CHANGES[word]} stands in the same containers as the {of}, with an "
                        f"array for each array, and is not {shown(change)}")  # fmt: skip
    return leaves


def check_differentiable(leaves: Sequence[Any], structure: Any) -> None:
    """Raises TypeError for what has no derivative, and says where it stands."""
    if structure == NOTHING:
        leaves, structure = [None], LEAF
    for x, label in zip(leaves, paths(structure), strict=True):
        if not isinstance(x, Expr):
            where = f" at {label}" if structure != LEAF else ""
            raise TypeError(
                "derivatives are taken with respect to arrays and floats, not "
                f"{shown(x)}{where}: {as_float(x, leaves, structure)}"
            )


def as_float(x: Any, leaves: Sequence[Any], structure: Any) -> str:
    """What to write for an argument that is neither an array nor a float."""
    if isinstance(x, (int, np.integer)) and not isinstance(x, bool) and structure == LEAF:
        return f"write {x}.0"
    if all(isinstance(leaf, (int, Expr)) and not isinstance(leaf, bool) for leaf in leaves):
        return "write np.array([1.0, 2.0]) for a list of numbers"
    if isinstance(x, (int, str, type(None))):
        return "hand it over in another argument"
    if isinstance(x, complex):
        return "write the real and the imaginary part as two arguments"
    return "write its numbers as an array, a dictionary or a dataclass"


@contextmanager
def told_of_lists(args: tuple) -> Iterator[None]:
    """An error of the user's function gets a note if a list was meant to be an array."""
    try:
        yield
    except (TypeError, AttributeError) as error:
        listed = [a for a in args if isinstance(a, list) and a and is_numeric(a)]
        if listed and ("list" in str(error) or "sequence" in str(error)):
            error.add_note(
                "An argument is a list. Lists hold several arguments, each of which gets a "
                "derivative; for one array, give np.array([1.0, 2.0])."
            )
        raise


def is_numeric(found: list) -> bool:
    return all(isinstance(v, (Expr, int, float)) for v in found)
