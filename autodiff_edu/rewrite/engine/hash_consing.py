"""Reuse: a replacement is made of what the graph has already, as far as it can be.

Of the rewriter, which is the graph by now, it asks for `uses`, for `by_key`, one node of each kind,
for `final`, what nodes have become, and for `leaf`, the one of equal constants.
"""

from collections.abc import Container
from typing import Any

import numpy as np

from ...core.graph import rebuild
from ...core.node import Constant, Expr
from ...core.types import TupleType


def key(n: Expr) -> tuple:
    """Equal for nodes that compute the same; x·y is y·x."""
    inputs = n.inputs
    if n.op.commutative and id(inputs[0]) > id(inputs[1]):
        inputs = inputs[::-1]
    return (n.op, inputs, n.static)


def hash_cons(new: Expr, graph: Any) -> tuple[Expr, list[Expr]]:
    """The replacement made of nodes that exist, and the operations that do not, inputs first. What
    is constant is computed at once."""
    if new.op is None or new in graph.uses.count:
        return new, []
    place: dict[Expr, Expr] = {}
    fresh: dict[tuple, Expr] = {}
    for m in unknown(new, graph.uses.count):
        inputs = [place.get(i, i) if i.op is not None else graph.leaf(i) for i in m.inputs]
        now = rebuild(m, tuple(inputs))
        own = key(now) if m.op.merges else (now,)
        equal = fresh[own] if own in fresh else lookup(own, graph)
        if equal is not None:
            place[m] = equal
        elif (value := number(now)) is not None:
            place[m] = graph.leaf(value)
        else:
            place[m] = fresh[own] = now
    return place[new], [*fresh.values()]


def lookup(place: tuple, graph: Any) -> Expr | None:
    """The node with this key, as it is by now, if the graph has one that is done."""
    equal = graph.by_key.get(place)
    now = graph.final.get(equal) if equal is not None else None
    return now if now is not None and graph.uses.count[now] else None


def unknown(new: Expr, graph: Container[Expr]) -> list[Expr]:
    """The operations of the replacement that the graph did not have, inputs first: new and others
    below it."""
    found: dict[Expr, None] = {}
    stack = [new]
    while stack:
        n = stack.pop()
        if n in found:
            del found[n]  # once more, below the latest that uses it
        found[n] = None
        stack += [i for i in n.inputs if i.op is not None and i not in graph]
    return list(found)[::-1]


def number(n: Expr) -> Constant | None:
    """What is constant, but for exact zeros, which only the rules know."""
    known = all_constant(n.inputs) and not any(i.exact for i in n.inputs)
    return computed(n) if known else None


def computed(n: Expr) -> Constant | None:
    """The value of an operation on constants, unless it is large or a nan. Where it cannot be
    computed, as the largest of no numbers, the program will say so when it is run."""
    several = isinstance(n.type, TupleType)
    if several or not n.inputs or not n.type.known or n.op.exact_zeros:
        return None
    if n.size > max(64, *[2 * i.size for i in n.inputs]):
        return None
    try:
        with np.errstate(all="ignore"):
            value = n.op.perform(*[i.value for i in n.inputs], **dict(n.static))
    except Exception:
        return None
    return None if n.type.is_float and np.isnan(value).any() else Constant(value)


def all_constant(inputs: tuple[Expr, ...]) -> bool:
    for i in inputs:
        if not isinstance(i, Constant):
            return False
    return bool(inputs)
