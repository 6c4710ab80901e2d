"""Reductions over axes."""

from typing import Any

import numpy as np

from ..expr import Expr, TensorType, enters
from .choice import where
from .declare import op
from .shape import broadcast_to, expand_dims, normal_axes, positions, size


def reduced(t: TensorType, axis: tuple[int, ...], keepdims: bool) -> tuple:
    """The shape without these axes, or with length 1 there."""
    kept = [1 if k in axis else n for k, n in enumerate(t.shape)]
    return tuple(n for k, n in enumerate(kept) if keepdims or k not in axis)


def settled(t: TensorType, axis: Any, keepdims: Any) -> dict[str, Any]:
    return {"axis": normal_axes(t, axis), "keepdims": bool(keepdims)}


def spread(ct: Expr, like: Expr, axis: tuple[int, ...], keepdims: bool) -> Expr:
    """The cotangent of a reduction, repeated along the axes that were reduced."""
    leading = axis == tuple(range(len(axis)))
    ct = ct if keepdims or leading else expand_dims(ct, axis=axis)
    return broadcast_to(ct, like.shape) if ct.type.shape != like.type.shape else ct


@op(
    label="Σ",
    linear=True,
    normal=settled,
    type=reduced,
    pullback=lambda ct, x, out, **where_: (spread(ct, x, **where_),),
)
def sum(x, *, axis=None, keepdims=False):
    """The sum of x over axes."""
    return np.sum(x, axis=axis, keepdims=keepdims)


@op(
    linear=True,
    normal=settled,
    type=reduced,
    pullback=lambda ct, x, out, axis, keepdims: (spread(ct / size(x, axis), x, axis, keepdims),),
)
def mean(x, *, axis=None, keepdims=False):
    """The mean of x over axes."""
    return np.mean(x, axis=axis, keepdims=keepdims)


def extreme(ct: Expr, x: Expr, out: Expr, **which: Any) -> tuple[Expr]:
    """Every entry that attains the extreme receives the whole cotangent."""
    return (where(x == spread(out, x, **which), spread(ct, x, **which), 0),)


def at_extreme(t: Any, x: Expr, out: Expr, **which: Any) -> Expr:
    return sum(where(x == spread(out, x, **which), t[0], 0), **which)


@op(normal=settled, type=reduced, pullback=extreme, pushforward=at_extreme)
def max(x, *, axis=None, keepdims=False):
    """The largest entry over axes; entries that tie for it share its slope undivided."""
    return np.max(x, axis=axis, keepdims=keepdims)


@op(normal=settled, type=reduced, pullback=extreme, pushforward=at_extreme)
def min(x, *, axis=None, keepdims=False):
    """The smallest entry over axes; entries that tie for it share its slope undivided."""
    return np.min(x, axis=axis, keepdims=keepdims)


# ---- products


def others(x: Expr, axis: int) -> Expr:
    """For each place along an axis, the product of the entries at all other places.

    Exact where entries are zero, and differentiable again: n² multiplications for n entries.
    """
    here = positions(x, axis)
    rows, columns = expand_dims(here, axis=1), expand_dims(here, axis=0)
    trailing = tuple(range(2, 2 + x.ndim - axis - 1))
    diagonal = expand_dims(rows == columns, axis=trailing) if trailing else rows == columns
    return product(where(diagonal, 1, expand_dims(x, axis=axis)), axis=axis + 1, keepdims=False)


def only_axis(t: TensorType, axis: int, keepdims: bool) -> dict[str, Any]:
    return {"axis": normal_axes(t, axis)[0], "keepdims": bool(keepdims)}


@op(
    label="Π",
    normal=only_axis,
    type=lambda t, axis, keepdims: reduced(t, (axis,), keepdims),
    pullback=lambda ct, x, out, axis, keepdims: (
        spread(ct, x, (axis,), keepdims) * others(x, axis),
    ),
    pushforward=lambda t, x, out, axis, keepdims: sum(
        t[0] * others(x, axis), axis=axis, keepdims=keepdims
    ),
)
def product(x, *, axis, keepdims=False):
    """The product of x along one axis."""
    return np.prod(x, axis=axis, keepdims=keepdims)


@enters("prod")
def prod(x: Expr, axis: Any = None, keepdims: bool = False) -> Expr:
    """The product of x over axes, taken one axis after the other."""
    for k in reversed(normal_axes(x.type, axis)):
        x = product(x, axis=k, keepdims=keepdims)
    return x
