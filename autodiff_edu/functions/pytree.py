"""Nested containers as flat lists: {"W": W, "b": [b1, b2]} is the leaves W, b1, b2 and a structure.

Lists, tuples, named tuples and dictionaries nest; everything else is a leaf.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

LEAF = "leaf"


class Key:
    """A key of a dictionary; 1, 1.0 and True are three of them."""

    def __init__(self, value: Any):
        self.value, self.told = value, (type(value), repr(value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and (self.told, self.value) == (other.told, other.value)

    def __hash__(self) -> int:
        return hash(self.told)


def flatten(tree: Any) -> tuple[list[Any], Any]:
    """The leaves from left to right, and the structure, which is hashable."""
    if not isinstance(tree, (dict, list, tuple)):
        return [tree], LEAF
    parts = tree.values() if isinstance(tree, dict) else tree
    pairs = [flatten(part) for part in parts]
    keys = tuple(map(Key, tree)) if isinstance(tree, dict) else len(tree)
    structure = (type(tree), keys, *[s for _, s in pairs])
    return [leaf for leaves, _ in pairs for leaf in leaves], structure


def unflatten(structure: Any, leaves: Sequence[Any]) -> Any:
    """The tree of this structure with these leaves."""
    return grown(structure, iter(leaves))


def grown(structure: Any, leaves: Iterator[Any]) -> Any:
    if structure == LEAF:
        return next(leaves)
    kind, keys, *below = structure
    parts = [grown(s, leaves) for s in below]
    if issubclass(kind, dict):
        return dict(zip([k.value for k in keys], parts, strict=True))
    return kind(*parts) if hasattr(kind, "_fields") else kind(parts)


def mapped(function: Callable[[Any], Any], tree: Any) -> Any:
    """The tree with a function of each leaf in its place."""
    leaves, structure = flatten(tree)
    return unflatten(structure, [function(leaf) for leaf in leaves])


def paths(structure: Any, name: str = "") -> Iterator[str]:
    """A name for each leaf: its key in a dictionary, its number in a list."""
    if structure == LEAF:
        yield name
        return
    kind, keys, *below = structure
    labels = (
        [k.value for k in keys]
        if issubclass(kind, dict)
        else [f"{name}{k}" for k in range(len(below))]
    )
    for label, part in zip(labels, below, strict=True):
        yield from paths(part, str(label))
