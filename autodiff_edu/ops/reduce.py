"""Reductions over axes."""

from typing import Any

import numpy as np

from ..expr import Constant, Expr, TensorType
from .comparison import TRUTH, where
from .cost import each_entry
from .declare import op
from .elementary import exp
from .lengths import normal_axes, size
from .shape import astype, broadcast_to, expand_dims


def reduced(t: TensorType, axis: tuple[int, ...], keepdims: bool) -> tuple:
    """The shape without these axes, or with length 1 there."""
    kept = [1 if k in axis else n for k, n in enumerate(t.shape)]
    return tuple(n for k, n in enumerate(kept) if keepdims or k not in axis)


def normalize_static(t: TensorType, axis: Any, keepdims: Any) -> dict[str, Any]:
    return {"axis": normal_axes(t, axis), "keepdims": bool(keepdims)}


def spread(ct: Expr, like: Expr, axis: tuple[int, ...], keepdims: bool) -> Expr:
    """The cotangent of a reduction, repeated along the axes that were reduced."""
    leading = axis == tuple(range(len(axis)))
    ct = ct if keepdims or leading else expand_dims(ct, axis=axis)
    return broadcast_to(ct, like.shape) if ct.type.shape != like.type.shape else ct


def each(ct: Expr, x: Expr, axis: tuple[int, ...]) -> Expr:
    """What each entry gets of the cotangent of a mean. Half precision holds no number above 65504,
    but it may hold the quotient."""
    n = size(x, axis)
    fits = isinstance(n, Expr) or n <= np.finfo(ct.dtype).max
    return ct / (n if fits else Constant(np.asarray(n)))


@op(
    label="Σ",
    linear=True,
    normal=normalize_static,
    type=reduced,
    pullback=lambda ct, x, out, **where_: (spread(ct, x, **where_),),
    cost=each_entry(),
    facts={"positive": "first", "integer": "first"},
    exact_facts={"nonnegative": "first"},
)
def sum(x, *, axis=None, keepdims=False):
    """The sum of x over axes.

    >>> ad.evaluate(ad.sum([[1.0, 2.0], [3.0, 4.0]], axis=0))
    array([4., 6.])
    """
    return np.sum(x, axis=axis, keepdims=keepdims)


@op(
    linear=True,
    normal=normalize_static,
    type=reduced,
    pullback=lambda ct, x, out, axis, keepdims: (spread(each(ct, x, axis), x, axis, keepdims),),
    cost=each_entry(),
    facts={"positive": "first", "nonnegative": "first"},
)
def mean(x, *, axis=None, keepdims=False):
    """The mean of x over axes.

    >>> ad.evaluate(ad.mean([[1.0, 2.0], [3.0, 4.0]], axis=0))
    array([2., 3.])
    """
    return np.mean(x, axis=axis, keepdims=keepdims)


def attained(x: Expr, out: Expr, **which: Any) -> tuple[Expr, Expr]:
    """Which entries attain the extreme, and how many do: none where it is nan. Half precision does
    not hold the number of many."""
    those = x == spread(out, x, **which)
    counted = np.dtype("float32") if out.dtype == "float16" else out.dtype
    return those, sum(astype(those, counted), **which)


def extreme(ct: Expr, x: Expr, out: Expr, **which: Any) -> tuple[Expr]:
    """The entries that attain the extreme share the cotangent; 0/n is nan where it is nan."""
    those, n = attained(x, out, **which)
    return (where(those, spread(ct / n, x, **which), spread(0 / n, x, **which)),)


def at_extreme(t: Any, x: Expr, out: Expr, **which: Any) -> Expr:
    those, n = attained(x, out, **which)
    return sum(astype(where(those, t[0], 0), n.dtype), **which) / n


@op(
    normal=normalize_static,
    type=reduced,
    pullback=extreme,
    pushforward=at_extreme,
    cost=each_entry(),
    picks=True,
    kinks={"n entries tie": "1/n for each of them"},
    latex=r"\max",
)
def max(x, *, axis=None, keepdims=False):
    """The largest entry over axes; entries that tie for it share its slope in equal parts.

    >>> ad.evaluate(ad.max([[1.0, 2.0], [3.0, 4.0]], axis=0))
    array([3., 4.])
    """
    return np.max(x, axis=axis, keepdims=keepdims)


@op(
    normal=normalize_static,
    type=reduced,
    pullback=extreme,
    pushforward=at_extreme,
    cost=each_entry(),
    picks=True,
    kinks={"n entries tie": "1/n for each of them"},
    latex=r"\min",
)
def min(x, *, axis=None, keepdims=False):
    """The smallest entry over axes; entries that tie for it share its slope in equal parts.

    >>> ad.evaluate(ad.min([[1.0, 2.0], [3.0, 4.0]], axis=0))
    array([1., 2.])
    """
    return np.min(x, axis=axis, keepdims=keepdims)


def truth(t: TensorType, axis: tuple[int, ...], keepdims: bool) -> TensorType:
    return TensorType("bool", reduced(t, axis, keepdims))


@op(nondifferentiable=TRUTH, label="∀", normal=normalize_static, type=truth, cost=each_entry())
def all(x, *, axis=None, keepdims=False):
    """Are all entries nonzero?

    Returns
    -------
    Expr
        Truth values, of the shape without these axes, or with length 1 there.

    Examples
    --------
    >>> ad.evaluate(ad.all([1.0, 0.0]))
    np.False_
    """
    return np.all(x, axis=axis, keepdims=keepdims)


@op(nondifferentiable=TRUTH, label="∃", normal=normalize_static, type=truth, cost=each_entry())
def any(x, *, axis=None, keepdims=False):
    """Is any entry nonzero?

    Returns
    -------
    Expr
        Truth values, of the shape without these axes, or with length 1 there.

    Examples
    --------
    >>> ad.evaluate(ad.any([1.0, 0.0]))
    np.True_
    """
    return np.any(x, axis=axis, keepdims=keepdims)


# ---- exponentials that do not overflow


@op(
    normal=normalize_static,
    type=reduced,
    pullback=lambda ct, x, out, **k: (spread(ct, x, **k) * softmax(x, axis=k["axis"]),),
    pushforward=lambda t, x, out, **k: sum(t[0] * softmax(x, axis=k["axis"]), **k),
    cost=each_entry(4),
)
def logsumexp(x, *, axis=None, keepdims=False):
    """log Σ e^x over axes, without overflow: the largest entries, and log1p for the others.

    >>> ad.evaluate(ad.logsumexp([1000.0, 1000.0]))
    np.float64(1000.6931471805599)
    """
    x = 1.0 * x
    top = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
    n = np.sum(x == top, axis=axis, keepdims=True, dtype=x.dtype)
    rest = np.sum(np.where(x == top, 0, np.exp(x - top)), axis=axis, keepdims=True)
    out = top + np.log(n) + np.log1p(rest / np.maximum(n, 1))
    return out if keepdims else np.squeeze(out, axis)[()]


def below_largest(x: Any, axis: Any) -> Any:
    """How far below the largest each entry is, as a float."""
    x = x.astype(np.result_type(x, np.float16))
    return x - np.max(x, axis=axis, keepdims=True, initial=-np.inf)


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
    cost=each_entry(5),
    facts={"positive": "always", "finite": "always"},
)
def softmax(x, *, axis=-1):
    """e^x / Σ e^x over axes.

    Returns
    -------
    Expr
        Numbers from 0 to 1 in the shape of x, which add up to 1.

    Examples
    --------
    >>> ad.evaluate(ad.softmax([0.0, np.log(3)]))
    array([0.25, 0.75])
    """
    e = np.exp(below_largest(x, axis))
    return e / np.sum(e, axis=axis, keepdims=True)


@op(
    normal=over,
    type=lambda t, axis: t.shape,
    pullback=lambda ct, x, out, axis: (ct - exp(out) * sum(ct, axis=axis, keepdims=True),),
    pushforward=lambda t, x, out, axis: t[0] - sum(exp(out) * t[0], axis=axis, keepdims=True),
    cost=each_entry(5),
)
def log_softmax(x, *, axis=-1):
    """log softmax x, accurate where softmax is near 0.

    Returns
    -------
    Expr
        The logarithms, in the shape of x.

    Examples
    --------
    >>> ad.evaluate(ad.log_softmax([0.0, 1000.0]))
    array([-1000.,     0.])
    """
    x = below_largest(x, axis)
    return x - np.log(np.sum(np.exp(x), axis=axis, keepdims=True))
