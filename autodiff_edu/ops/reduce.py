"""Reductions over axes."""

from typing import Any

import numpy as np
from scipy import special

from ..expr import Expr, TensorType, enters, operands
from .arithmetic import sqrt, square
from .choice import TRUTH, where
from .declare import op
from .elementary import exp
from .shape import broadcast_to, expand_dims, normal_axes, size


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


def truth(t: TensorType, axis: tuple[int, ...], keepdims: bool) -> TensorType:
    return TensorType("bool", reduced(t, axis, keepdims))


@op(severed=TRUTH, label="∀", normal=settled, type=truth)
def all(x, *, axis=None, keepdims=False):
    """Are all entries nonzero?"""
    return np.all(x, axis=axis, keepdims=keepdims)


@op(severed=TRUTH, label="∃", normal=settled, type=truth)
def any(x, *, axis=None, keepdims=False):
    """Is any entry nonzero?"""
    return np.any(x, axis=axis, keepdims=keepdims)


@enters("var")
def var(x: Expr, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Expr:
    """The mean square distance from the mean; the sum is divided by n − ddof."""
    far = square(x - mean(x, axis=axis, keepdims=True))
    if not ddof:
        return mean(far, axis=axis, keepdims=keepdims)
    return sum(far, axis=axis, keepdims=keepdims) / (size(x, axis) - ddof)


@enters("std")
def std(x: Expr, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Expr:
    """The square root of the variance, with the slope inf where that is 0."""
    return sqrt(var(x, axis, ddof=ddof, keepdims=keepdims))


@enters("ptp")
def ptp(x: Expr, axis: Any = None, keepdims: bool = False) -> Expr:
    """The largest entry less the smallest."""
    which = {"axis": axis, "keepdims": keepdims}
    return max(x, **which) - min(x, **which)


@enters("average")
def average(x: Expr, axis: Any = None, weights: Any = None, keepdims: bool = False) -> Expr:
    """The mean, or the weighted mean."""
    which = {"axis": axis, "keepdims": keepdims}
    if weights is None:
        return mean(x, **which)
    weights = operands((weights, x), "average")[0]
    if weights.ndim != x.ndim:  # one weight for each place along the axis
        (k,) = normal_axes(x.type, axis)
        weights = expand_dims(weights, axis=tuple(j for j in range(x.ndim) if j != k))
    weights = broadcast_to(weights, x.shape)
    return sum(x * weights, **which) / sum(weights, **which)


# ---- exponentials that do not overflow


@op(
    normal=settled,
    type=reduced,
    pullback=lambda ct, x, out, **k: (spread(ct, x, **k) * exp(x - spread(out, x, **k)),),
    pushforward=lambda t, x, out, **k: sum(t[0] * exp(x - spread(out, x, **k)), **k),
)
def logsumexp(x, *, axis=None, keepdims=False):
    """log Σ e^x over axes, without overflow."""
    return special.logsumexp(x, axis=axis, keepdims=keepdims)


def within(x: Expr, out: Expr, axis: Any) -> Expr:
    """out · (x − Σ out·x): the derivative of softmax, which is its own transpose."""
    return out * (x - sum(x * out, axis=axis, keepdims=True))


def over(t: TensorType, axis: Any) -> dict[str, Any]:
    return {"axis": normal_axes(t, axis)}


@op(
    normal=over,
    type=lambda t, axis: t.shape,
    pullback=lambda ct, x, out, axis: (within(ct, out, axis),),
    pushforward=lambda t, x, out, axis: within(t[0], out, axis),
)
def softmax(x, *, axis=-1):
    """e^x / Σ e^x over axes."""
    return special.softmax(x, axis=axis)


@op(
    normal=over,
    type=lambda t, axis: t.shape,
    pullback=lambda ct, x, out, axis: (ct - exp(out) * sum(ct, axis=axis, keepdims=True),),
    pushforward=lambda t, x, out, axis: t[0] - sum(exp(out) * t[0], axis=axis, keepdims=True),
)
def log_softmax(x, *, axis=-1):
    """log softmax x, accurate where softmax is near 0."""
    return special.log_softmax(x, axis=axis)
