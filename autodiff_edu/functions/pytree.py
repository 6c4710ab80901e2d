"""Nested containers as flat lists: {"W": W, "b": [b1, b2]} is the leaves W, b1, b2 and a structure.

Lists, tuples, named tuples, dictionaries and dataclasses nest; everything else is a leaf, but None
holds no leaf and stays where it is, as in JAX. A class may name the one leaf of its objects:
`SparseDerivative` says `__leaf__ = "data"`, and puts other numbers there by its method `assembled`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np

from ..expr import Disconnected, Null

ABSENT = {Disconnected, Null}  # derivatives that were asked for, and have no numbers
LEAF, NOTHING = "leaf", "nothing"
PLAIN = {np.ndarray, float, int, bool, str, np.float64}  # leaves seen at a glance
WRITTEN_IN_PYTHON = 1 << 9  # the flag of such a class


class Key:
    """A key of a dictionary; 1, 1.0 and True are three of them."""

    def __init__(self, value: Any):
        self.value, self.told = value, (type(value), repr(value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and (self.told, self.value) == (other.told, other.value)

    def __hash__(self) -> int:
        return hash(self.told)


class Static:
    """What is handed on as it is: part of a structure, no leaf."""

    def __init__(self, value: Any):
        self.value = value


def tree_flatten(tree: Any) -> tuple[list[Any], Any]:
    """The leaves from left to right, and the structure, which is hashable."""
    leaves: list[Any] = []
    return leaves, gathered(tree, leaves)


def gathered(tree: Any, leaves: list[Any]) -> Any:
    """The structure of a tree, whose leaves go to the end of a list."""
    kind = type(tree)
    if kind in PLAIN:
        leaves.append(tree)
        return LEAF
    if tree is None:
        return NOTHING
    if kind is Static:
        return Static, tree
    if hasattr(kind, "__leaf__"):
        leaves.append(getattr(tree, kind.__leaf__))
        return kind, tree
    keys, parts = opened(tree)
    if kind in ABSENT:
        return Static, Static(tree)
    if parts is None:
        leaves.append(tree)
        return LEAF
    return (kind, keys, *[gathered(part, leaves) for part in parts])


def opened(tree: Any) -> tuple[tuple, list[Any] | None]:
    """The keys of a container and what is in it; of a leaf nothing."""
    if isinstance(tree, dict):
        check_holds_entries_alone(tree)
        return tuple(map(Key, dict.keys(tree))), list(dict.values(tree))
    if isinstance(tree, (list, tuple)):
        return tuple(range(len(tree))), list(tree)
    if is_dataclass(tree) and not isinstance(tree, type):
        names = [f.name for f in fields(tree) if hasattr(tree, f.name)]
        return tuple(names), [getattr(tree, name) for name in names]
    return (), None


def check_holds_entries_alone(tree: dict) -> None:
    """Raises TypeError for a dictionary of a user's class with attributes, which a new one of this
    class would not have."""
    attributes = vars(tree) if of_a_user(type(tree)) and hasattr(tree, "__dict__") else {}
    if attributes:
        raise TypeError(
            f"a {type(tree).__name__} is a dictionary that holds more than its entries, the "
            f"attribute {min(attributes)!r}: write a dataclass for it, or hand over dict(p)"
        )


def of_a_user(kind: type) -> bool:
    """Is it a class that is written in Python? A dictionary of a class in C becomes a plain one."""
    return bool(kind.__flags__ & WRITTEN_IN_PYTHON)


def tree_unflatten(structure: Any, leaves: Sequence[Any]) -> Any:
    """The tree of this structure with these leaves."""
    return grown(structure, iter(leaves))


def grown(structure: Any, leaves: Iterator[Any]) -> Any:
    if structure == LEAF:
        return next(leaves)
    if structure == NOTHING:
        return None
    kind, keys, below = within(structure)
    return together(kind, keys, [grown(s, leaves) for s in below])


def within(structure: Any) -> tuple[Any, Any, Sequence[Any]]:
    """The class of a container, its keys, and the structures of its parts."""
    kind, keys, *below = structure
    return kind, keys, [LEAF] if hasattr(kind, "__leaf__") else below


def together(kind: Any, keys: Any, parts: list) -> Any:
    """A container of these parts."""
    if kind is Static:
        return keys.value
    if hasattr(kind, "__leaf__"):
        return keys.assembled(*parts)
    if issubclass(kind, dict):
        return dictionary(kind, zip([k.value for k in keys], parts, strict=True))
    if issubclass(kind, (list, tuple)):
        return kind(*parts) if hasattr(kind, "_fields") else kind(parts)
    return filled(kind, dict(zip(keys, parts, strict=True)))


def dictionary(kind: type, rows: Iterable[tuple[Any, Any]]) -> dict:
    """A dictionary of a user's class, whose methods it keeps. Its __init__ is not called."""
    if not of_a_user(kind):
        return dict(rows)
    cls: Any = kind
    new = cls.__new__(cls)
    base: Any = next(c for c in kind.__mro__ if not of_a_user(c))
    for key, value in rows:
        base.__setitem__(new, key, value)
    return new


def filled(kind: type, values: dict[str, Any]) -> Any:
    """An object of a dataclass. Its __init__ is not called: that may ask for arrays, or compute."""
    made: Any = object.__new__(kind)
    for name, value in values.items():
        object.__setattr__(made, name, value)  # a frozen one, too
    return made


def mapped(function: Callable[[Any], Any], tree: Any) -> Any:
    """The tree with a function of each leaf in its place."""
    leaves, structure = tree_flatten(tree)
    return tree_unflatten(structure, [function(leaf) for leaf in leaves])


def paths(structure: Any, name: str = "") -> Iterator[str]:
    """A name for each leaf: its key in a dictionary, its field, its number in a list."""
    if structure == LEAF:
        yield name
    if structure in (LEAF, NOTHING):
        return
    kind, keys, *below = structure
    numbered = issubclass(kind, (list, tuple))
    for key, part in zip(keys, below, strict=True):
        label = key.value if isinstance(key, Key) else key
        yield from paths(part, f"{name}{label}" if numbered else str(label))


@lru_cache(maxsize=256)
def classes(structure: Any) -> tuple[Any, ...]:
    """The classes of users among the containers, whose methods are theirs; and the keys that are
    objects or functions."""
    if structure in (LEAF, NOTHING):
        return ()
    kind, keys, *below = structure
    values = [key.value for key in keys if isinstance(key, Key)] if below else []
    objects = tuple([v for v in values if not isinstance(v, (str, int, float))])
    plain = kind in (list, tuple) or (issubclass(kind, dict) and not of_a_user(kind))
    own = objects if plain else (kind, *objects)
    return own + tuple(chain.from_iterable(map(classes, below)))
