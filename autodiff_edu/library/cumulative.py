"""Sums and products of the entries so far, a recurrence, and the product over axes."""

from typing import Any

import numpy as np

from ..expr import Expr, LazyModule, TensorType, broadcast_shapes, operands, register
from ..ops.cost import each_entry, each_result
from ..ops.creation import full_like
from ..ops.declare import op
from ..ops.lengths import normal_axes, one_axis
from ..ops.reduce import reduced, spread, sum
from ..ops.shape import astype, ravel
from .arrange import concatenate, cut
from .moving import flip

__all__ = ["cumprod", "cumsum", "prod"]

jax, jnp = LazyModule("jax"), LazyModule("jax.numpy")


def running(t: TensorType, *_: TensorType, axis: int) -> dict[str, int]:
    return {"axis": one_axis(t, axis)}


def read_running(x: Any, axis: int | None = None) -> tuple[tuple, dict[str, int]]:
    """NumPy's running sums without an axis run over all entries, row by row."""
    return ((ravel(x),), {"axis": 0}) if axis is None else ((x,), {"axis": axis})


def shifted(x: Expr, axis: int, first: float) -> Expr:
    """x moved on by one place, with a number in the first."""
    return concatenate([full_like(cut(x, axis, 0, 1), first), cut(x, axis, 0, -1)], axis=axis)


@op(
    label="Σ…",
    linear=True,
    reads=read_running,
    normal=running,
    type=lambda t, axis: t.shape,
    pullback=lambda ct, x, out, axis: (flip(cumsum(flip(ct, axis), axis=axis), axis),),
    cost=each_entry(),
)
def cumsum(x, *, axis=None):
    """The sums of the entries so far along an axis.

    Parameters
    ----------
    axis : int, optional
        Along which; by default all entries row by row.

    Returns
    -------
    Expr
        The sums, in the shape of x; in one row without an axis.

    Examples
    --------
    >>> ad.evaluate(ad.cumsum([1.0, 2.0, 3.0]))
    array([1., 3., 6.])
    """
    return np.cumsum(x, axis=axis)


# ---- a recurrence


def adjoint_recurrence(ct: Expr, a: Expr, axis: int) -> Expr:
    """sₖ = ctₖ + aₖ₊₁·sₖ₊₁, from the end to the front."""
    later = shifted(flip(a, axis), axis, 0)
    return flip(recurrence(later, flip(ct, axis), axis=axis), axis)


def scanned(a: Any, b: Any, axis: int) -> Any:
    """`recurrence` for JAX, whose arrays cannot be written into."""
    step = lambda s, ab: (ab[0] * s + ab[1],) * 2
    a, b = (jnp.moveaxis(v, axis, 0) for v in jnp.broadcast_arrays(a, b))
    return jnp.moveaxis(jax.lax.scan(step, jnp.zeros_like(b[0]), (a, b))[1], 0, axis)


def recurrence_pullback(ct: Expr, a: Expr, b: Expr, out: Expr, axis: int) -> tuple[Expr, Expr]:
    s = adjoint_recurrence(ct, a, axis)
    return s * shifted(out, axis, 0), s


@op(
    normal=running,
    type=lambda a, b, axis: broadcast_shapes(a.shape, b.shape),
    pullback=recurrence_pullback,
    pushforward=lambda t, a, b, out, axis: recurrence(
        a, t[1] + t[0] * shifted(out, axis, 0), axis=axis
    ),
    cost=each_result(2),
    operand_labels=("a", "b"),
    targets={"jax": lambda a, b, *, axis: scanned(a, b, axis)},
)
def recurrence(a, b, *, axis):
    """rₖ = aₖ·rₖ₋₁ + bₖ along an axis, from r₋₁ = 0."""
    dtype = np.result_type(a, b)
    a, b = np.moveaxis(a, axis, 0), np.moveaxis(np.array(b, dtype), axis, 0)
    for k in range(1, len(b)):
        b[k] += a[k] * b[k - 1]
    return np.moveaxis(b, 0, axis)


@op(
    label="Π…",
    reads=read_running,
    normal=running,
    type=lambda t, axis: t.shape,
    pullback=lambda ct, x, out, axis: (adjoint_recurrence(ct, x, axis) * shifted(out, axis, 1),),
    pushforward=lambda t, x, out, axis: recurrence(x, t[0] * shifted(out, axis, 1), axis=axis),
    cost=each_entry(),
)
def cumprod(x, *, axis=None):
    """The products of the entries so far along an axis.

    Parameters
    ----------
    axis : int, optional
        Along which; by default all entries row by row.

    Returns
    -------
    Expr
        The products, in the shape of x; in one row without an axis.

    Examples
    --------
    >>> ad.evaluate(ad.cumprod([1.0, 2.0, 3.0]))
    array([1., 2., 6.])
    """
    return np.cumprod(x, axis=axis)


# ---- the product over axes


def before(x: Expr, axis: int) -> Expr:
    """The products of the entries before each place."""
    return shifted(cumprod(x, axis=axis), axis, 1)


def moved_before(dx: Expr, x: Expr, axis: int) -> Expr:
    """The tangent of before(x), for the tangent dx of x."""
    return shifted(recurrence(x, dx * before(x, axis), axis=axis), axis, 0)


def moved_others(dx: Expr, x: Expr, axis: int) -> Expr:
    """The tangent of product_of_others(x), for the tangent dx of x. The Jacobian is symmetric: with
    a cotangent for dx it is the pullback too."""
    back, turned = flip(x, axis), flip(dx, axis)
    after, moved_after = before(back, axis), moved_before(turned, back, axis)
    return moved_before(dx, x, axis) * flip(after, axis) + before(x, axis) * flip(moved_after, axis)


@op(
    label="Π others",
    normal=running,
    type=lambda t, axis: t.shape,
    pullback=lambda ct, x, out, axis: (moved_others(ct, x, axis),),
    pushforward=lambda t, x, out, axis: moved_others(t[0], x, axis),
    cost=each_entry(3),
)
def product_of_others(x, *, axis):
    """For each place along an axis, the product of the entries at all other places: those before
    it times those after it, so exact where entries are zero."""
    x = np.moveaxis(x, axis, 0)
    one = np.ones_like(x[:1])
    first = np.cumprod(np.concatenate([one, x])[:-1] if len(x) else x, axis=0)
    last = np.cumprod(np.concatenate([one, x[::-1]])[:-1] if len(x) else x, axis=0)[::-1]
    return np.moveaxis(first * last, 0, axis)


def only_axis(t: TensorType, axis: int, keepdims: bool) -> dict[str, Any]:
    return {"axis": one_axis(t, axis), "keepdims": bool(keepdims)}


@op(
    label="Π",
    normal=only_axis,
    type=lambda t, axis, keepdims: reduced(t, (axis,), keepdims),
    pullback=lambda ct, x, out, axis, keepdims: (
        spread(ct, x, (axis,), keepdims) * product_of_others(x, axis=axis),
    ),
    pushforward=lambda t, x, out, axis, keepdims: sum(
        t[0] * product_of_others(x, axis=axis), axis=axis, keepdims=keepdims
    ),
    cost=each_entry(),
    facts={"positive": "first", "nonnegative": "first", "integer": "first"},
)
def product(x, *, axis, keepdims=False):
    """The product of x along one axis."""
    return np.prod(x, axis=axis, keepdims=keepdims)


@register("prod")
def prod(x: Any, axis: Any = None, keepdims: bool = False) -> Expr:
    """The product of x over axes, taken one axis after the other.

    Returns
    -------
    Expr
        The products, without the axes.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.prod(x), {x: [2.0, 3.0, 4.0]})
    np.float64(24.0)
    """
    (x,) = operands((x,), "prod")
    for k in reversed(normal_axes(x.type, axis)):
        x = product(x, axis=k, keepdims=keepdims)
    return astype(x, np.prod(np.ones((), x.dtype)).dtype)  # short integers, along no axis too
