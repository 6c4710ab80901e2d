"""What an operation's record says of the pattern: which entries of an operand each entry needs.

    elementwise                 the entry that it meets
    linear                      found by asking it (asked.py)
    a sum of products           those that agree in the letters that both have
    a core, an axis             all in the same slice
    anything else               all of them

So a pattern may be too large, and never too small.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ..expr import Expr, Op, results
from ..ops import OPS
from .asked import Known, linear_in, moved
from .entries import Labels, Pattern, by_labels, numbered, product, sparse

MANY = 5_000_000  # entries of a local pattern; larger ones are joined and handed out instead


def is_house(op: Op) -> bool:
    return OPS.get(op.name) is op


def local(n: Expr, k: int, known: Known) -> list[Labels | Pattern]:
    """For each result of n, which of its entries need which entries of operand k."""
    op = n.op
    if op.overrides and not is_house(op):
        return [everything(y, n.inputs[k]) for y in results(n)]
    if op.elementwise:
        return [entry_by_entry(n, k, known)]
    if len(results(n)) == 1:
        labels = moved(n, k, known)
        if labels is not None:
            return [labels]
        if op.subscripts:
            return [of_products(n, k, known)]
    return [of_slices(n, k, j, y) for j, y in enumerate(results(n))]


def through(found: Labels | Pattern, pattern: Pattern) -> Pattern:
    """The pattern of a result, from that of an operand."""
    return by_labels(found, pattern) if isinstance(found, Labels) else product(found, pattern)


def everything(y: Expr, x: Expr) -> Labels:
    """Each entry of the result may depend on all entries of the operand."""
    return Labels(np.zeros(y.size, int), np.zeros(x.size, int), 1)


# ---- entry by entry


def entry_by_entry(n: Expr, k: int, known: Known) -> Labels:
    """The entry that is met in broadcasting; none where a known factor is 0 there."""
    x = n.inputs[k]
    met = np.broadcast_to(np.arange(x.size).reshape(x.shape), n.shape).ravel()
    zero = nothing_passes(n, k, known)
    met = met if zero is None else np.where(np.broadcast_to(zero, n.shape).ravel(), -1, met)
    return Labels(met, np.arange(x.size), x.size)


def nothing_passes(n: Expr, k: int, known: Known) -> Any:
    """Where a known factor is 0, or a known choice falls on another operand."""
    op, places = n.op, linear_in(n.op, len(n.inputs))
    if not (op.multilinear or (places and len(places) < len(n.inputs))):
        return None
    values = []
    for j, x in enumerate(n.inputs):
        rest = 0.0 if j in places and not op.multilinear else known.value(x)
        if j != k and rest is None:
            return None
        values.append(np.asarray(1.0 if j == k else rest))
    with np.errstate(all="ignore"):
        return op.perform(*values, **dict(n.static)) == 0


# ---- sums of products


def of_products(n: Expr, k: int, known: Known) -> Labels | Pattern:
    """Entries that agree in their letters; only where it is not 0, if the other factor is known."""
    letters, out = letters_of(n)
    if len(letters) == 2:
        factor = n.inputs[1 - k]
        value = known.value(factor)
        if value is not None and not np.all(value):
            found = nonzeros(np.asarray(value), letters[1 - k], n.inputs[k], letters[k], n, out)
            if found is not None:
                return found
    x = n.inputs[k]
    both = [c for c in letters[k] if c in out]
    lengths = [x.shape[letters[k].index(c)] for c in both]
    marks = np.arange(prod(lengths)).reshape(lengths)
    here, there = laid(marks, both, out, n.shape), laid(marks, both, letters[k], x.shape)
    return Labels(here, there, marks.size)


def letters_of(n: Expr) -> tuple[list[str], str]:
    """The letters of each operand and of the result."""
    said = n.op.subscripts([x.ndim for x in n.inputs], **dict(n.static))
    given, _, out = said.partition("->")
    return given.split(","), out


def laid(marks: np.ndarray, letters: Sequence[str], onto: str, shape: Sequence[int]) -> np.ndarray:
    """Marks by these letters, repeated over an array with the letters `onto`."""
    order = sorted(range(len(letters)), key=lambda k: onto.index(letters[k]))
    turned = np.transpose(marks, order)
    kept = {letters[k]: n for k, n in zip(order, turned.shape, strict=True)}
    return np.broadcast_to(turned.reshape([kept.get(c, 1) for c in onto]), shape).ravel()


def nonzeros(factor: np.ndarray, own: str, x: Expr, mine: str, n: Expr, out: str) -> Pattern | None:
    """Which entry of the result needs which of x, given the other factor; None where that would be
    too long a list."""
    lengths = dict(zip(out, n.shape, strict=True)) | dict(zip(mine, x.shape, strict=True))
    full = [c for c, m in zip(own, factor.shape, strict=True) if m == lengths.get(c, m)]
    rest = [c for c in dict.fromkeys([*out, *mine]) if c not in full]
    where = np.nonzero(factor)
    each = prod(lengths[c] for c in rest)
    many = len(where[0]) * each
    if many > MANY:
        return None
    grid = np.indices([lengths[c] for c in rest]).reshape(len(rest), each)
    at = {c: i[:, None] for c, i in zip(own, where, strict=True) if c in full}
    at |= {c: g[None, :] for c, g in zip(rest, grid, strict=True)}
    rows, columns = flat(at, out, n.shape, many), flat(at, mine, x.shape, many)
    found = sparse.coo_array((np.ones(many, bool), (rows, columns)), shape=(n.size, x.size))
    return sparse.csr_array(found)


def flat(at: dict[str, np.ndarray], letters: str, shape: Sequence[int], many: int) -> np.ndarray:
    """The places of entries with these coordinates in an array that is one row."""
    total = np.zeros((1, 1), int)
    for c, m in zip(letters, shape, strict=True):
        total = total * m + (at[c] if m > 1 else 0)
    long = np.broadcast_shapes(total.shape, *[i.shape for i in at.values()])
    return np.broadcast_to(total, long).reshape(many)


# ---- slices


def of_slices(n: Expr, k: int, j: int, y: Expr) -> Labels:
    """All of the same slice, where the record has a core signature or names an axis."""
    x, op = n.inputs[k], n.op
    if getattr(op, "core", None):
        own, other = len(op.core.operands[k]), len(op.core.results[j])
        loop, outer = x.shape[: x.ndim - own], y.shape[: y.ndim - other]
        marks = np.arange(prod(loop)).reshape(loop)
        met = np.broadcast_to(marks, outer).reshape(outer + (1,) * other)
        return Labels(np.broadcast_to(met, y.shape).ravel(),
                      numbered(x.shape, range(len(loop))).ravel(), marks.size)  # fmt: skip
    return of_axes(n, x, y) or everything(y, x)


def of_axes(n: Expr, x: Expr, y: Expr) -> Labels | None:
    """All that differ only along the axes that an operation of the house names."""
    static = dict(n.static)
    if not is_house(n.op) or "axis" not in static or n.op.batch:
        return None
    axis = static["axis"]
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    over = [k for k in range(x.ndim) if k not in axes]
    kept = tuple(m if k in over else 1 for k, m in enumerate(x.shape))
    marks = numbered(x.shape, over)
    if y.shape == x.shape:
        return Labels(marks.ravel(), marks.ravel(), prod(kept))
    if y.shape in (kept, tuple(x.shape[k] for k in over)):
        return Labels(np.arange(y.size), marks.ravel(), prod(kept))
    return None
