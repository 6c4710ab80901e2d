"""Statistics: spread, weighted means, correlation, and sums that pass over what is not a number."""

from typing import Any

import numpy as np

from ..expr import Expr, ShapeError, operands, register
from ..ops import (
    all,
    astype,
    broadcast_to,
    expand_dims,
    logical_not,
    max,
    maximum,
    mean,
    min,
    outer,
    size,
    sqrt,
    square,
    sum,
    transpose,
    where,
)
from ..ops.lengths import one_axis
from .arrange import concatenate
from .diagonals import diagonal
from .rounding import isnan

__all__ = [
    "average", "corrcoef", "cov", "nanmax", "nanmean", "nanmin", "nanstd", "nansum", "nanvar",
    "ptp", "std", "var",
]  # fmt: skip


@register("var")
def var(x: Any, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Expr:
    """Σ(x − m)² / (n − ddof), the mean square distance of the n entries from their mean m.

    Returns
    -------
    Expr
        The variances, without the axes.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.var(x), {x: [1.0, 3.0]})
    np.float64(1.0)
    """
    far = square(x - mean(x, axis=axis, keepdims=True))
    if not ddof:
        return mean(far, axis=axis, keepdims=keepdims)
    return sum(far, axis=axis, keepdims=keepdims) / count_less(far, axis, ddof)


def count_less(x: Expr, axis: Any, ddof: float) -> Any:
    """n − ddof, or 0 if that is less; in the dtype of x where n is known to the program alone."""
    n = size(x, axis)
    return maximum(n.astype(x.dtype) - ddof, 0) if isinstance(n, Expr) else (n > ddof) * (n - ddof)


@register("std")
def std(x: Any, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Expr:
    """The square root of the variance, with the slope inf where that is 0.

    Returns
    -------
    Expr
        The standard deviations, without the axes.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.std(x), {x: [1.0, 3.0]})
    np.float64(1.0)
    """
    return sqrt(var(x, axis, ddof=ddof, keepdims=keepdims))


@register("ptp")
def ptp(x: Expr, axis: Any = None, keepdims: bool = False) -> Expr:
    """The largest entry less the smallest.

    Returns
    -------
    Expr
        The differences, without the axes.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.ptp(x), {x: [2.0, 7.0, 4.0]})
    np.float64(5.0)
    """
    which = {"axis": axis, "keepdims": keepdims}
    return max(x, **which) - min(x, **which)


@register("average")
def average(x: Expr, axis: Any = None, weights: Any = None, keepdims: bool = False) -> Expr:
    """The mean, or the weighted mean Σw·x / Σw.

    Parameters
    ----------
    weights : Expr or array_like, optional
        How much each entry counts; by default all count alike.

    Returns
    -------
    Expr
        The mean, without the axes.

    Raises
    ------
    TypeError
        If the weights do not have the axes of x.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.average(x, weights=[1.0, 3.0]), {x: [0.0, 4.0]})
    np.float64(3.0)
    """
    which = {"axis": axis, "keepdims": keepdims}
    if weights is None:
        return mean(x, **which)
    x, weights = operands((x, weights), "average")
    if weights.ndim != x.ndim:  # one weight for each place along the axis
        if weights.ndim != 1 or not isinstance(axis, int):
            raise TypeError(f"weights of type {weights.type!r} for {x.type!r}: give as many axes, "
                            "or a vector and the axis along which it weighs")  # fmt: skip
        k = one_axis(x.type, axis)
        weights = expand_dims(weights, axis=tuple(j for j in range(x.ndim) if j != k))
    dtype = np.result_type(x.dtype, weights.dtype, *(() if x.type.is_float else ("float64",)))
    x, weights = astype(x, dtype), broadcast_to(astype(weights, dtype), x.shape)
    return sum(x * weights, **which) / sum(weights, **which)


@register("cov")
def cov(m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None) -> Expr:
    """The covariances of the rows of m, or of two vectors: d·dᵀ / (n − ddof).

    In each row of d stand the n distances of a variable from its mean.

    Parameters
    ----------
    m : Expr or array_like
        A vector, or a matrix with a variable in each row.
    y : Expr or array_like, optional
        More variables, in the form of m.
    rowvar : bool, default: True
        Whether the variables are the rows of m, or else its columns.
    bias : bool, default: False
        Whether to divide by n, and not by n − 1.
    ddof : int, optional
        To divide by n − ddof.

    Returns
    -------
    Expr
        A matrix with a row and a column for each variable.

    Raises
    ------
    ShapeError
        If m or y has more than two axes.

    Examples
    --------
    >>> ad.evaluate(ad.cov([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]))
    array([[1., 2.],
           [2., 4.]])
    """
    given = operands((m,) if y is None else (m, y), "cov")
    m = concatenate([in_rows(x, rowvar) for x in given], axis=0)
    m = m.astype(np.result_type(m.dtype, "float64"))
    ddof = (0 if bias else 1) if ddof is None else ddof
    far = m - mean(m, axis=1, keepdims=True)
    found = far @ transpose(far) / count_less(m, 1, ddof)
    return found if found.type.shape != (1, 1) else found[0, 0]


def in_rows(x: Expr, rowvar: bool) -> Expr:
    """A variable in each row; a vector is one variable. Raises ShapeError for more axes."""
    if x.ndim > 2:
        raise ShapeError(f"cov takes a vector or a matrix with a variable in each row, and {x} has "
                         f"{x.ndim} axes: reshape it")  # fmt: skip
    return expand_dims(x, axis=tuple(range(2 - x.ndim))) if x.ndim < 2 or rowvar else transpose(x)


@register("corrcoef")
def corrcoef(x: Any, y: Any = None, rowvar: bool = True) -> Expr:
    """The correlations cᵢⱼ / √(cᵢᵢ·cⱼⱼ) of the rows of x, or of two vectors, c their covariances.

    Parameters
    ----------
    x : Expr or array_like
        A vector, or a matrix with a variable in each row.
    y : Expr or array_like, optional
        More variables, in the form of x.
    rowvar : bool, default: True
        Whether the variables are the rows of x, or else its columns.

    Returns
    -------
    Expr
        A matrix with a row and a column for each variable.

    Examples
    --------
    >>> ad.evaluate(ad.corrcoef([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]))
    array([[1., 1.],
           [1., 1.]])
    """
    c = cov(x, y, rowvar)
    if not c.ndim:
        return c / c
    deviation = sqrt(diagonal(c))
    return c / outer(deviation, deviation)


# ---- what is not a number left out


@register("nansum")
def nansum(x: Expr, axis: Any = None, keepdims: bool = False) -> Expr:
    """The sum of the entries that are numbers.

    Returns
    -------
    Expr
        The sums, without the axes.

    Examples
    --------
    >>> ad.evaluate(ad.nansum(ad.constant([1.0, np.nan, 3.0])))
    np.float64(4.0)
    """
    return sum(where(isnan(x), 0, x), axis=axis, keepdims=keepdims)


@register("nanmean")
def nanmean(x: Any, axis: Any = None, keepdims: bool = False) -> Expr:
    """The mean of the entries that are numbers.

    Returns
    -------
    Expr
        The means, without the axes.

    Examples
    --------
    >>> ad.evaluate(ad.nanmean(ad.constant([1.0, np.nan, 3.0])))
    np.float64(2.0)
    """
    (x,) = operands((x,), "nanmean")
    there = astype(logical_not(isnan(x)), x.dtype)
    which = {"axis": axis, "keepdims": keepdims}
    return nansum(x, **which) / sum(there, **which)


@register("nanvar")
def nanvar(x: Any, axis: Any = None, ddof: float = 0, keepdims: bool = False) -> Expr:
    """The variance of the entries that are numbers.

    Returns
    -------
    Expr
        The variances, without the axes.

    Examples
    --------
    >>> ad.evaluate(ad.nanvar(ad.constant([1.0, np.nan, 3.0])))
    np.float64(1.0)
    """
    (x,) = operands((x,), "nanvar")
    if not x.type.is_float:
        return var(x, axis, ddof=ddof, keepdims=keepdims)
    there = astype(logical_not(isnan(x)), x.dtype)
    far = square(where(isnan(x), 0, x - nanmean(x, axis, True)))
    which = {"axis": axis, "keepdims": keepdims}
    free = sum(there, **which) - ddof
    return sum(far, **which) / where(free > 0, free, np.nan)


@register("nanstd")
def nanstd(x: Expr, axis: Any = None, ddof: float = 0, keepdims: bool = False) -> Expr:
    """The square root of the variance of the entries that are numbers.

    Returns
    -------
    Expr
        The standard deviations, without the axes.

    Examples
    --------
    >>> ad.evaluate(ad.nanstd(ad.constant([1.0, np.nan, 3.0])))
    np.float64(1.0)
    """
    return sqrt(nanvar(x, axis, ddof, keepdims))


@register("nanmax")
def nanmax(x: Any, axis: Any = None, keepdims: bool = False) -> Expr:
    """The largest of the entries that are numbers.

    Returns
    -------
    Expr
        The largest, without the axes; nan where none is a number.

    Examples
    --------
    >>> ad.evaluate(ad.nanmax(ad.constant([1.0, np.nan, 3.0])))
    np.float64(3.0)
    """
    (x,) = operands((x,), "nanmax")
    which = {"axis": axis, "keepdims": keepdims}
    if not x.type.is_float:
        return max(x, **which)
    return where(all(isnan(x), **which), np.nan, max(where(isnan(x), -np.inf, x), **which))


@register("nanmin")
def nanmin(x: Any, axis: Any = None, keepdims: bool = False) -> Expr:
    """The smallest of the entries that are numbers.

    Returns
    -------
    Expr
        The smallest, without the axes; nan where none is a number.

    Examples
    --------
    >>> ad.evaluate(ad.nanmin(ad.constant([1.0, np.nan, 3.0])))
    np.float64(1.0)
    """
    (x,) = operands((x,), "nanmin")
    which = {"axis": axis, "keepdims": keepdims}
    if not x.type.is_float:
        return min(x, **which)
    return where(all(isnan(x), **which), np.nan, min(where(isnan(x), np.inf, x), **which))
