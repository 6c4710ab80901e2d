"""Grids of points, differences on them, and polynomials."""

from typing import Any

import numpy as np

from ..expr import Constant, Expr, ShapeError, at, operands, register
from ..ops import (
    broadcast_to,
    expand_dims,
    moveaxis,
    power,
    ravel,
    zeros_like,
)
from ..ops.creation import zeros
from ..ops.declare import real
from ..ops.gather import places as true_places
from ..ops.lengths import axes_as_given
from .arrange import concatenate, cut, stack

__all__ = ["gradient", "ix_", "linspace", "logspace", "meshgrid", "polyval", "vander"]


@register("linspace")
def linspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, axis: int = 0) -> Expr:
    """num numbers from start to stop at equal distances.

    Parameters
    ----------
    start : Expr or float
        The first.
    stop : Expr or float
        The last.
    num : int, default: 50
        How many.
    endpoint : bool, default: True
        Whether stop is among them.
    axis : int, default: 0
        Along which the numbers stand, where start or stop is an array.

    Returns
    -------
    Expr, shape (num,)
        The numbers.

    Examples
    --------
    >>> ad.evaluate(ad.linspace(0.0, 1.0, 5))
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    start, stop = real(operands((start, stop), "linspace"))
    steps = num - 1 if endpoint else num
    dtype = np.result_type(start.dtype, stop.dtype)
    part = Constant([k / steps if steps else 0.0 for k in range(num)], dtype)
    shape = (num, *[1] * max(start.ndim, stop.ndim))
    found = start + part.reshape(shape) * (stop - start)
    return moveaxis(found, 0, axis) if axis else found


@register("logspace")
def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: float = 10.0
) -> Expr:
    """Powers of the base from base**start to base**stop, whose logarithms have equal distances.

    Parameters
    ----------
    start : Expr or float
        The first exponent.
    stop : Expr or float
        The last.
    num : int, default: 50
        How many.
    endpoint : bool, default: True
        Whether the last is among them.
    base : float, default: 10.0
        The base of the powers.

    Returns
    -------
    Expr, shape (num,)
        The numbers.

    Examples
    --------
    >>> ad.evaluate(ad.logspace(0.0, 2.0, 3))
    array([  1.,  10., 100.])
    """
    return power(base, linspace(start, stop, num, endpoint))


@register("meshgrid")
def meshgrid(*axes: Any, indexing: str = "xy") -> tuple[Expr, ...]:
    """The coordinates of all points of a grid, one array for each axis.

    Parameters
    ----------
    *axes : Expr or array_like
        A vector of coordinates for each axis; other arrays are taken row by row.
    indexing : {'xy', 'ij'}, default: 'xy'
        Whether the first coordinate varies along rows, or down columns.

    Returns
    -------
    tuple of Expr
        An array for each axis.

    Raises
    ------
    ValueError
        If indexing is neither.

    Examples
    --------
    >>> ad.evaluate(list(ad.meshgrid([1.0, 2.0], [3.0, 4.0])))
    [array([[1., 2.],
           [1., 2.]]), array([[3., 3.],
           [4., 4.]])]
    """
    given = [x if x.ndim == 1 else ravel(x) for x in operands(axes, "meshgrid")]
    if indexing not in ("xy", "ij"):
        raise ValueError(f"indexing is xy or ij, not {indexing!r}")
    order = list(range(len(given)))
    if indexing == "xy" and len(given) > 1:
        order[:2] = [1, 0]
    shape: list[Any] = [given[order.index(k)].shape[0] for k in range(len(given))]
    aside = [tuple(k for k in order if k != place) for place in order]
    return tuple(
        broadcast_to(expand_dims(x, axis=tuple(sorted(k))) if k else x, tuple(shape))
        for x, k in zip(given, aside, strict=True)
    )


@register("gradient")
def gradient(f: Any, *spacing: Any, axis: Any = None) -> Any:
    """Slopes of values on a grid: (f[k + 1] − f[k − 1]) / 2h, one-sided at the ends of each axis.

    Parameters
    ----------
    f : Expr or array_like
        Values on a grid.
    *spacing : float
        The distance between neighbours, one for all axes or one for each.

    Returns
    -------
    Expr or tuple of Expr
        An array of the shape of f for each axis.

    Raises
    ------
    ShapeError
        If f is one number, since a derivative is taken by `grad`, or has an axis of length 1.

    See Also
    --------
    numpy.gradient : The same for arrays.
    grad : The derivative of an expression, which this is not.

    Examples
    --------
    >>> f = ad.vector("f")
    >>> ad.evaluate(ad.gradient(f), {f: [0.0, 1.0, 4.0]})
    array([1., 2., 3.])
    """
    (f,) = real(operands((f,), "gradient"))
    if not f.ndim:
        raise ShapeError(
            f"gradient takes differences along the axes of an array, and {f}{at(f)} is one number: "
            f"for its derivative write ad.grad({f.name or 'y'}, x)"
        )
    axes = axes_as_given(f.type, axis)
    steps = [*spacing] * len(axes) if len(spacing) == 1 else list(spacing or [1.0] * len(axes))
    found = [one_gradient(f, h, k) for h, k in zip(steps, axes, strict=True)]
    return found[0] if len(found) == 1 else tuple(found)


def one_gradient(f: Expr, h: Any, k: int) -> Expr:
    n = f.type.shape[k]
    if n is not None and n < 2:
        raise ShapeError(
            f"gradient takes differences of neighbours, and axis {k} of {f}{at(f)} has the length "
            f"{n}: give the axes that have 2 or more"
        )
    if getattr(h, "ndim", 0):
        raise ShapeError("np.gradient takes one number as the distance here; for other grids write "
                         "ad.diff(f) / ad.diff(x)")  # fmt: skip
    first = (cut(f, k, 1, 2) - cut(f, k, 0, 1)) / h
    last = (cut(f, k, -1, None) - cut(f, k, -2, -1)) / h
    inside = (cut(f, k, 2, None) - cut(f, k, None, -2)) / (2 * h)
    return concatenate([first, inside, last], axis=k)


@register("polyval")
def polyval(p: Any, x: Any) -> Expr:
    """p[0]·xⁿ + p[1]·xⁿ⁻¹ + … + p[n], by Horner's rule.

    Parameters
    ----------
    p : Expr or array_like, shape (n,)
        The coefficients, the highest power first.
    x : Expr or array_like
        Where to compute it.

    Returns
    -------
    Expr
        The values, in the shape of x.

    Examples
    --------
    >>> ad.evaluate(ad.polyval([1.0, 0.0, -1.0], 3.0))
    np.float64(8.0)
    """
    p, x = operands((p, x), "polyval")
    value = zeros_like(x)
    for k in range(len(p)):
        value = value * x + p[k]
    return value


@register("vander")
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Expr:
    """The powers of the entries of x, one column for each, the highest first.

    Parameters
    ----------
    x : Expr or array_like, shape (m,)
        A vector.
    N : int, optional
        How many columns; by default as many as x has entries.
    increasing : bool, default: False
        Whether the lowest power comes first.

    Returns
    -------
    Expr, shape (m, N)
        The powers.

    Raises
    ------
    ShapeError
        If x is no vector.

    Examples
    --------
    >>> ad.evaluate(ad.vander([2.0, 3.0], 3))
    array([[4., 2., 1.],
           [9., 3., 1.]])
    """
    x = operands((x,), "vander")[0]
    if x.ndim != 1:
        raise ShapeError(f"vander takes a vector, and {x} is {x.type!r}{at(x)}")
    x = x.astype(np.promote_types(x.dtype, "int64"))  # powers of small whole numbers would wrap
    n = len(x) if N is None else N
    exponents = range(n) if increasing else reversed(range(n))
    columns = [x**k for k in exponents]
    return stack(columns, axis=1) if columns else zeros((x.shape[0], 0), x.dtype)


@register("ix_")
def ix_(*places: Any) -> tuple[Expr, ...]:
    """Index arrays that together name a grid of rows and columns.

    Parameters
    ----------
    *places : array_like
        Vectors of whole numbers or of truth values, one for each axis.

    Returns
    -------
    tuple of Expr
        Index arrays that broadcast with each other.

    Raises
    ------
    ShapeError
        If one is no vector.

    Examples
    --------
    >>> x = ad.matrix("x", shape=(3, 3))
    >>> x[ad.ix_([0, 2], [1])].type
    float64(2, 1)
    """
    given = operands(places, "ix_")
    for x in given:
        if x.ndim != 1:
            raise ShapeError(f"ix_ takes a vector for each axis, and {x} is {x.type!r}{at(x)}")
    given = tuple(true_places(x)[0] if x.dtype == bool else x for x in given)
    ndim = len(given)
    return tuple(
        expand_dims(x, axis=tuple(j for j in range(ndim) if j != k)) if ndim > 1 else x
        for k, x in enumerate(given)
    )
