"""Slices of slices, and of what zeros surround. Loops make many of them: the states before each
step, those after it, and all of them backwards.

Letters: n a length, x an expression; `inner` and `outer` items of two keys as they are stored.
"""

from collections.abc import Iterator
from typing import Any

from ...expr import Expr
from ...library import concatenate
from ...nested.loops.all_states import first_cut, history
from ...ops import broadcast_to, expand_dims, index, squeeze, transpose
from ...ops import sum as total
from ...ops.index import ALL, embed, part
from ..engine.rule_table import table
from ..engine.validate import wild
from .shapes import node_of

x, y = wild("x y")
BACKWARDS = (None, None, -1)


def key_of(node: Expr) -> tuple:
    return dict(node.static)["key"]


def without_first(x: Expr) -> Expr:
    """All states of a loop but the first."""
    return part(x, first_cut(x.ndim))


def in_one(node: Expr, x: Expr) -> Expr | None:
    """The part of x that the two keys together name, if one key can name it."""
    inner, outer = key_of(node.inputs[0]), iter(key_of(node))
    if None in inner:
        return None
    found: list[Any] = []
    for n, item in zip(x.type.shape, inner, strict=True):
        found += [item] if isinstance(item, int) else joined(n, item, outer)
        if "unknown" in found:
            return None
    key = (*found, *outer)
    return x if all(item == ALL for item in key) else part(x, key)


def joined(n: int | None, inner: tuple, outer: Iterator) -> list[Any]:
    """The items for an axis of this length: new axes before it, and what is left of a slice."""
    found: list[Any] = []
    for item in outer:
        if item is not None:
            return [*found, sliced(n, inner, item)]
        found.append(item)
    return found


def sliced(n: int | None, inner: tuple, outer: Any) -> Any:
    if inner == ALL:
        return outer
    if outer == ALL:
        return inner
    if n is None:
        return ALL if inner == outer == BACKWARDS else "unknown"
    places = range(n)[slice(*inner)]
    if isinstance(outer, int):
        return places[outer]
    left = places[slice(*outer)]
    return shortest(n, left) if left else (0, 0, None)


def shortest(n: int, places: range) -> tuple:
    """The slice of an axis of length n that takes these places; those near the end are counted
    from there."""
    start, stop, step = places.start, places.stop, places.step
    first = 0 if step > 0 else n - 1
    return (
        None if start == first else near_the_end(n, start),
        None if stop < 0 or stop >= n else near_the_end(n, stop),
        None if step == 1 else step,
    )


def near_the_end(n: int, k: int) -> int:
    return k - n if n - k <= 2 < n - 1 else k


def turned(node: Expr, x: Expr) -> Expr | None:
    """Nothing surrounds an array that fills the whole: at most, axes are turned round, or new ones
    were dropped."""
    key = key_of(node)
    if not all(item in (None, ALL, BACKWARDS) for item in key):
        return None
    new = tuple(k for k, item in enumerate(key) if item is None)
    x = squeeze(x, axis=new) if new else x
    return part(x, tuple(item for item in key if item is not None)) if BACKWARDS in key else x


def of_embedded(node: Expr, x: Expr) -> Expr | None:
    """Zeros around x add nothing."""
    return total(x) if not node.ndim else None


def of_spread(node: Expr, x: Expr) -> Expr | None:
    """Along axes that spreading has made, every slice is the same."""
    spread = node.inputs[0]
    items, made = key_of(node), spread.ndim - x.ndim
    if None in items or any(item != ALL for item in items[made:]):
        return None
    if node.type.known:
        return broadcast_to(x, node.type.shape)
    return spread if all(item in (ALL, BACKWARDS) for item in items) else None


def taken_back(node: Expr, x: Expr) -> Expr | None:
    """The part of zeros around x where x was put."""
    return x if key_of(node) == key_of(node.inputs[0]) else None


def of_join(node: Expr) -> Expr | None:
    """The part of a join that lies in one of its operands."""
    join, key = node.inputs[0], key_of(node)
    axis = dict(join.static)["axis"]
    lengths = [i.type.shape[axis] for i in join.inputs]
    if None in lengths or None in key:
        return None
    item, start = key[axis], 0
    places = range(sum(lengths))[slice(*item) if isinstance(item, tuple) else item]
    taken = range(places, places + 1) if isinstance(places, int) else places
    for i, n in zip(join.inputs, lengths, strict=True):
        if all(start <= k < start + n for k in (*taken[:1], *taken[-1:])):
            return part(i, (*key[:axis], moved(places, start, n), *key[axis + 1 :]))
        start += n
    return None


def moved(places: range | int, start: int, n: int) -> Any:
    """The item that names places of the whole, for the operand of length n that begins at start."""
    if isinstance(places, int):
        return places - start
    if not places:
        return (0, 0, None)
    return shortest(n, range(places.start - start, places.stop - start, places.step))


def of_transposed(node: Expr, x: Expr) -> Expr | None:
    """Entries and slices along an axis, taken where the axis was before."""
    axes, key = dict(node.inputs[0].static)["axes"], key_of(node)
    if None in key:
        return None
    left = [axis for axis, item in zip(axes, key, strict=True) if isinstance(item, tuple)]
    items = dict(zip(axes, key, strict=True))
    return part(x, tuple(items[k] for k in range(x.ndim))) if left == sorted(left) else None


def of_expanded(node: Expr, x: Expr) -> Expr | None:
    """New axes, of which all or the one entry is taken, are left out."""
    new, key = dict(node.inputs[0].static)["axis"], key_of(node)
    if None in key or any(key[k] not in (0, -1) for k in new):
        return None
    rest = tuple(item for k, item in enumerate(key) if k not in new)
    return x if all(item == ALL for item in rest) else part(x, rest)


# fmt: off
RULES = table(
    "ieee",
    ("slice of a slice",   node_of(index, node_of(index, x)), in_one),
    ("slice of spread",    node_of(index, node_of(broadcast_to, x)), of_spread),
    ("slice of join",      node_of(index, node_of(concatenate, x)), of_join),
    ("slice of transposed", node_of(index, node_of(transpose, x)), of_transposed),
    ("entry of a new axis", node_of(index, node_of(expand_dims, x)), of_expanded),
    ("nothing around",     node_of(embed, x),                 turned),
    ("slice of embedded",  node_of(index, node_of(embed, x)), taken_back),
    ("sum of embedded",    node_of(total, node_of(embed, x)), of_embedded),
    any_dtype=True, decreases="order",
) + table(
    "ieee",
    ("after the first",    node_of(history, x, y),            without_first),
    any_dtype=True, decreases="order",
)
# fmt: on
