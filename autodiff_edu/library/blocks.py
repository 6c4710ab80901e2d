"""Blocks: joining and parting along named directions, rows put in or left out, quarter turns."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..expr import Expr, operands, register
from ..ops.leaves import zeros
from ..ops.lengths import normal_axes
from ..ops.shape import expand_dims, ravel, squeeze, transpose
from .arrange import concatenate, cut, known_length, split
from .diagonals import diag
from .moving import flip

# ---- joining


@register("dstack")
def dstack(arrays: Sequence[Any]) -> Expr:
    """Arrays one behind the other along their third axis."""
    return concatenate([deep(x) for x in operands(tuple(arrays), "dstack")], axis=2)


def deep(x: Expr) -> Expr:
    """x with at least three axes, the new ones as in np.atleast_3d."""
    return expand_dims(x, axis={0: (0, 1, 2), 1: (0, 2), 2: (2,)}[x.ndim]) if x.ndim < 3 else x


@register("block")
def block(rows: Any) -> Expr:
    """A matrix from nested lists of blocks: the innermost side by side, the outer ones below."""
    return joined_block(rows, nesting(rows))


def nesting(rows: Any) -> int:
    return 1 + max(map(nesting, rows)) if isinstance(rows, list) else 0


def joined_block(rows: Any, depth: int) -> Expr:
    if not isinstance(rows, list):
        return operands((rows,), "block")[0]
    parts = [joined_block(row, depth - 1) for row in rows]
    most = max(depth, *[x.ndim for x in parts])
    parts = [expand_dims(x, axis=tuple(range(most - x.ndim))) if x.ndim < most else x
             for x in parts]  # fmt: skip
    return concatenate(parts, axis=-depth)


# ---- parting


@register("unstack")
def unstack(x: Expr, axis: int = 0) -> tuple[Expr, ...]:
    """The slices of x along an axis, one by one."""
    (k,) = normal_axes(x.type, axis)
    n = known_length(x, k, "unstack")
    return tuple(squeeze(cut(x, k, j, j + 1), axis=k) for j in range(n))


@register("hsplit")
def hsplit(x: Expr, sections: Any) -> list[Expr]:
    """Parts of x along its second axis, of a vector along its only one."""
    return split(x, sections, axis=1 if x.ndim > 1 else 0)


@register("vsplit")
def vsplit(x: Expr, sections: Any) -> list[Expr]:
    """Parts of x along its first axis."""
    return split(x, sections, axis=0)


@register("dsplit")
def dsplit(x: Expr, sections: Any) -> list[Expr]:
    """Parts of x along its third axis."""
    return split(x, sections, axis=2)


# ---- rows put in and left out


@register("delete")
def delete(x: Expr, places: Any, axis: int | None = None) -> Expr:
    """x without these places along an axis."""
    x, axis = (ravel(x), 0) if axis is None else (x, axis)
    (k,) = normal_axes(x.type, axis)
    kept = np.delete(np.arange(known_length(x, k, "delete")), places)
    return x[(slice(None),) * k + (kept,)]


@register("insert")
def insert(x: Expr, place: int, values: Any, axis: int | None = None) -> Expr:
    """x with values put in before a place along an axis."""
    x, axis = (ravel(x), 0) if axis is None else (x, axis)
    x, values = operands((x, values), "insert")
    (k,) = normal_axes(x.type, axis)
    n = known_length(x, k, "insert")
    row = (*x.shape[:k], *x.shape[k + 1 :])
    one = values if values.ndim == x.ndim else expand_dims(zeros(row, x.dtype) + values, axis=k)
    at = place + n if place < 0 else place
    return concatenate([cut(x, k, None, at), one.astype(x.dtype), cut(x, k, at, None)], axis=k)


@register("compress")
def compress(condition: Any, x: Any, axis: int | None = None) -> Expr:
    """The places along an axis at which a known condition holds."""
    x = operands((x,), "compress")[0]
    x, axis = (ravel(x), 0) if axis is None else (x, axis)
    return x[(slice(None),) * normal_axes(x.type, axis)[0] + (np.flatnonzero(condition),)]


# ---- turns


@register("rot90")
def rot90(x: Expr, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Expr:
    """x turned by k quarters from the first of two axes towards the second."""
    a, b = (normal_axes(x.type, n)[0] for n in axes)
    order = list(range(x.ndim))
    order[a], order[b] = b, a
    turned = [
        lambda: x,
        lambda: transpose(flip(x, b), tuple(order)),
        lambda: flip(x, (a, b)),
        lambda: flip(transpose(x, tuple(order)), b),
    ]
    return turned[k % 4]()


@register("diagflat")
def diagflat(x: Any, k: int = 0) -> Expr:
    """The entries of x, row by row, on the k-th diagonal of a matrix of zeros."""
    return diag(ravel(operands((x,), "diagflat")[0]), k)
