"""Triangles and diagonals of matrices."""

from typing import Any

import numpy as np

from ..core.derivative_rules import broadcast_like
from ..expr import Constant, Expr, ShapeError, at, operands, register
from ..ops.comparison import minimum, where
from ..ops.gather import gather, scatter
from ..ops.lengths import arange, common_length, positions
from ..ops.products import column, row
from ..ops.shape import moveaxis

__all__ = ["diag", "diagonal", "matrix_trace", "tril", "triu"]


def rows_and_columns(x: Expr) -> tuple[Expr, Expr]:
    """The numbers of the rows, as a column, and of the columns; a vector's matrix is square."""
    if not x.ndim:
        raise ShapeError(f"a triangle needs a matrix, and {x}{at(x)} has no axes")
    return column(positions(x, max(x.ndim - 2, 0))), row(positions(x, x.ndim - 1))


def on_diagonal(x: Expr) -> Expr:
    i, j = rows_and_columns(x)
    return i == j


def below(x: Expr, k: int) -> Expr:
    """Where is the column at most k to the right of the row?"""
    i, j = rows_and_columns(x)
    return i + k >= j


@register("tril")
def tril(x: Any, k: int = 0) -> Expr:
    """The lower triangle of x, up to k diagonals above the main one.

    Parameters
    ----------
    x : Expr or array_like, shape (..., m, n)
        Matrices.
    k : int, default: 0
        How many diagonals above the main one stay.

    Returns
    -------
    Expr
        The matrices with zeros elsewhere.

    Examples
    --------
    >>> x = ad.matrix("x")
    >>> ad.evaluate(ad.tril(x), {x: [[1.0, 2.0], [3.0, 4.0]]})
    array([[1., 0.],
           [3., 4.]])
    """
    (x,) = operands((x,), "tril")
    return where(below(x, k), x, False)  # which is 0 of any dtype


@register("triu")
def triu(x: Any, k: int = 0) -> Expr:
    """The upper triangle of x, from k diagonals above the main one.

    Parameters
    ----------
    x : Expr or array_like, shape (..., m, n)
        Matrices.
    k : int, default: 0
        From how many diagonals above the main one on.

    Returns
    -------
    Expr
        The matrices with zeros elsewhere.

    Examples
    --------
    >>> x = ad.matrix("x")
    >>> ad.evaluate(ad.triu(x), {x: [[1.0, 2.0], [3.0, 4.0]]})
    array([[1., 2.],
           [0., 4.]])
    """
    (x,) = operands((x,), "triu")
    return where(below(x, k - 1), False, x)


def identity(x: Expr) -> Expr:
    """Ones on the diagonal, in the shape and dtype of x, whose matrices are square."""
    m, n = x.shape[-2:]
    k = arange(n if isinstance(m, int) and isinstance(n, int) else common_length(m, n))
    return broadcast_like((column(k) == row(k)).astype(x.dtype), x)


def along(n: Any, m: Any, offset: int) -> tuple[Expr, Expr]:
    """The rows and the columns of a diagonal of an n by m matrix."""
    low, right = max(-offset, 0), max(offset, 0)
    if isinstance(n, int) and isinstance(m, int):
        numbers: Expr = Constant(np.arange(min(n - low, m - right)))
    else:
        numbers = arange(minimum(n - low, m - right))
    return numbers + low if low else numbers, numbers + right if right else numbers


@register("diagonal")
def diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Expr:
    """The entries x[k, k + offset] along two axes, which become one, the last.

    Parameters
    ----------
    x : Expr or array_like
        An array of two axes or more.
    offset : int, default: 0
        How far to the right of the main diagonal.
    axis1 : int, default: 0
        The axis that counts the rows.
    axis2 : int, default: 1
        The axis that counts the columns.

    Returns
    -------
    Expr
        The diagonals.

    Examples
    --------
    >>> x = ad.matrix("x")
    >>> ad.evaluate(ad.diagonal(x), {x: [[1.0, 2.0], [3.0, 4.0]]})
    array([1., 4.])
    """
    (x,) = operands((x,), "diagonal")
    x = moveaxis(x, (axis1, axis2), (0, 1))
    return moveaxis(gather(x, *along(x.shape[0], x.shape[1], offset)), 0, -1)


@register("matrix_trace")
def matrix_trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Expr:
    """The sum of a diagonal.

    Parameters
    ----------
    x : Expr or array_like
        An array of two axes or more.
    offset : int, default: 0
        How far to the right of the main diagonal.
    axis1 : int, default: 0
        The axis that counts the rows.
    axis2 : int, default: 1
        The axis that counts the columns.

    Returns
    -------
    Expr
        The sums, without these axes.

    See Also
    --------
    numpy.trace : The same for arrays.

    Examples
    --------
    >>> x = ad.matrix("x")
    >>> ad.evaluate(ad.matrix_trace(x), {x: [[1.0, 2.0], [3.0, 4.0]]})
    np.float64(5.0)
    """
    return diagonal(x, offset, axis1, axis2).sum(axis=-1)


@register("diag")
def diag(x: Any, k: int = 0) -> Expr:
    """The k-th diagonal of a matrix, or the matrix with a vector on that diagonal.

    Parameters
    ----------
    x : Expr or array_like
        A vector or a matrix.
    k : int, default: 0
        Which diagonal: above the main one if positive, below it if negative.

    Returns
    -------
    Expr
        A vector for a matrix, a matrix for a vector.

    Raises
    ------
    ShapeError
        If x is neither.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.diag(x), {x: [1.0, 2.0]})
    array([[1., 0.],
           [0., 2.]])
    """
    (x,) = operands((x,), "diag")
    if x.ndim not in (1, 2):
        raise ShapeError(f"diag takes a vector or a matrix, not {x.type!r}: write diagonal")
    if x.ndim == 2:
        return diagonal(x, k)
    n = x.shape[0] + abs(k)
    return scatter(x, *along(n, n, k), shape=(n, n))
