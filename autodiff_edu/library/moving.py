"""Entries moved about: turned round, rolled, repeated."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..expr import Expr, TensorType, operands, register
from ..ops.declare import op
from ..ops.index import ALL, part
from ..ops.lengths import normal_axes, one_axis
from ..ops.shape import broadcast_to, expand_dims, ravel, reshape, transpose
from .arrange import at_least

__all__ = ["flip", "repeat", "roll", "swapaxes", "tile"]


@register("flip")
def flip(x: Any, axis: Any = None) -> Expr:
    """x with the order of its entries reversed along axes.

    Returns
    -------
    Expr
        An array of the same shape.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.flip(x), {x: [1.0, 2.0]})
    array([2., 1.])
    """
    (x,) = operands((x,), "flip")
    axes = normal_axes(x.type, axis)
    return part(x, tuple((None, None, -1) if k in axes else ALL for k in range(x.ndim)))


@op(
    label="roll",
    linear=True,
    normal=lambda t, shift, axis: {"shift": shift, "axis": one_axis(t, axis)},
    type=lambda t, shift, axis: t,
    pullback=lambda ct, x, out, shift, axis: (rolled(ct, shift=-shift, axis=axis),),
)
def rolled(x, *, shift, axis):
    """x moved on along an axis; what leaves at the end comes in at the front."""
    return np.roll(x, shift, axis)


@register("roll")
def roll(x: Any, shift: int | Sequence[int], axis: Any = None) -> Expr:
    """x moved on along axes; without an axis, row by row.

    Parameters
    ----------
    shift : int or list of int
        How far.
    axis : int or tuple of int, optional
        Along which.

    Returns
    -------
    Expr
        An array of the same shape; what leaves at the end comes in at the front.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.roll(x, 1), {x: [1.0, 2.0, 3.0]})
    array([3., 1., 2.])
    """
    (x,) = operands((x,), "roll")
    if axis is None:
        return reshape(roll(ravel(x), shift, 0), x.shape)
    if isinstance(shift, Expr):
        return rolled(x, shift=shift, axis=axis)  # an error that says so
    for s, k in zip(*[a.ravel().tolist() for a in np.broadcast_arrays(shift, axis)]):
        x = rolled(x, shift=s, axis=k)
    return x


@register("swapaxes")
def swapaxes(x: Any, axis1: int, axis2: int) -> Expr:
    """x with two axes exchanged.

    Parameters
    ----------
    axis1 : int
        One axis.
    axis2 : int
        The other.

    Returns
    -------
    Expr
        The same entries.

    Examples
    --------
    >>> ad.swapaxes(ad.matrix("x", shape=(2, 3)), 0, 1).type
    float64(3, 2)
    """
    (x,) = operands((x,), "swapaxes")
    axes = list(range(x.ndim))
    a, b = one_axis(x.type, axis1), one_axis(x.type, axis2)
    axes[a], axes[b] = b, a
    return transpose(x, tuple(axes))


@op(
    nondifferentiable="a place is a whole number",
    type=lambda t, n: TensorType("int64", (None,)),
    lengths=(0, 1),
    cost=0,
)
def repeated_places(repeats, n):
    """0, 1, …, n − 1, each as often as is said. Raises ValueError for another number of counts."""
    return np.repeat(np.arange(n), repeats)


@register("repeat")
def repeat(x: Any, repeats: Any, axis: int | None = None) -> Expr:
    """Every entry of x, this many times in a row; each by a count of its own, if there are many.

    Parameters
    ----------
    repeats : int, Expr or list of int
        How often each entry stands in the result.
    axis : int, optional
        Along which; by default all entries row by row.

    Returns
    -------
    Expr
        A longer array.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.repeat(x, 2), {x: [1.0, 2.0]})
    array([1., 1., 2., 2.])
    """
    (x,) = operands((x,), "repeat")
    x, axis = (ravel(x), 0) if axis is None else (x, axis)
    k = one_axis(x.type, axis)
    before, n, after = x.shape[:k], x.shape[k], x.shape[k + 1 :]
    each = repeats.ndim == 1 if isinstance(repeats, Expr) else np.size(repeats) != 1
    if each:
        n = n if isinstance(n, int) or isinstance(repeats, Expr) else len(repeats)
        places = repeated_places(repeats, n) if isinstance(repeats, Expr) else np.repeat(
            np.arange(n), repeats)  # fmt: skip
        key: Any = (*[slice(None)] * k, places)
        return reshape(x, (*before, n, *after))[key]  # at run time an error if it is not n
    count = repeats if isinstance(repeats, Expr) else int(np.ravel(repeats)[0])
    longer = broadcast_to(expand_dims(x, axis=k + 1), (*before, n, count, *after))
    return reshape(longer, (*before, n * count, *after))


@register("tile")
def tile(x: Any, reps: int | Sequence[int]) -> Expr:
    """The whole of x, this many times along each axis.

    Parameters
    ----------
    reps : int or list of int
        How often along each axis.

    Returns
    -------
    Expr
        A longer array.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.tile(x, 2), {x: [1.0, 2.0]})
    array([1., 2., 1., 2.])
    """
    (x,) = operands((x,), "tile")
    counts = (reps,) if isinstance(reps, int) else tuple(reps)
    counts = (1,) * (x.ndim - len(counts)) + counts
    x = at_least(len(counts), x)
    shape = [m for n, k in zip(x.shape, counts) for m in (k, n)]
    longer = broadcast_to(expand_dims(x, axis=tuple(range(0, 2 * x.ndim, 2))), tuple(shape))
    return reshape(longer, tuple(n * k for n, k in zip(x.shape, counts)))
