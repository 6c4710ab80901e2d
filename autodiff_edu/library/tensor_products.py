"""Products of tensors in NumPy's other notations."""

from collections.abc import Sequence
from functools import reduce
from operator import mul
from typing import Any

from ..expr import Expr, ShapeError, at, operands, register, spell
from ..ops.lengths import common_length, numbered, size
from ..ops.products import matmul
from ..ops.shape import expand_dims, moveaxis, ravel, reshape, squeeze, transpose

__all__ = ["inner", "kron", "matvec", "tensordot", "vdot", "vecdot", "vecmat"]


@register("tensordot")
def tensordot(x: Any, y: Any, axes: Any = 2) -> Expr:
    """The sum over these axes of x and those of y, as one matrix product.

    Parameters
    ----------
    axes : int or tuple of list, default: 2
        How many last axes of x and first axes of y, or which of each.

    Returns
    -------
    Expr
        An array of the other axes of x, then those of y.

    Raises
    ------
    ShapeError
        If the axes do not have the same lengths.

    Examples
    --------
    >>> ad.evaluate(ad.tensordot([[1.0, 2.0]], [3.0, 4.0], axes=1))
    array([11.])
    """
    x, y = operands((x, y), "tensordot")
    if isinstance(axes, int):
        axes = tuple(range(x.ndim - axes, x.ndim)), tuple(range(axes))
    left, right = (numbered(k, e.ndim) for k, e in zip(axes, (x, y)))
    free = [[k for k in range(e.ndim) if k not in used] for e, used in ((x, left), (y, right))]
    shape = [e.shape[k] for e, ks in zip((x, y), free) for k in ks]
    inner = [summed_length(x, y, left, right)]
    m, k = ([size(e, ks)] if ks else [] for e, ks in zip((x, y), free))
    a = reshape(transpose(x, (*free[0], *left)), (*m, *inner))
    b = reshape(transpose(y, (*right, *free[1])), (*inner, *k))
    return reshape(a @ b, tuple(shape))


def summed_length(x: Expr, y: Expr, left: Sequence[int], right: Sequence[int]) -> int | Expr:
    """The product of the lengths of axes of x, which those of y have too. Raises ShapeError where
    they differ; the program compares what is not known."""
    m, n = (tuple([e.type.shape[k] for k in axes]) for e, axes in ((x, left), (y, right)))
    pairs = [*zip(m, n)]
    if len(m) != len(n) or any(None not in pair and pair[0] != pair[1] for pair in pairs):
        raise ShapeError(f"a sum over axes of lengths {spell(m)} of {x}{at(x)} and {spell(n)} of "
                         f"{y}{at(y)}: give axes of the same lengths")  # fmt: skip
    if [None in pair for pair in pairs].count(True) < 2:
        return size(x, left)  # the product tells whether a single one differs
    lengths = [common_length(x.shape[i], y.shape[j]) if None in pair else x.shape[i]
               for i, j, pair in zip(left, right, pairs)]  # fmt: skip
    return reduce(mul, lengths)


@register("inner")
def inner(x: Any, y: Any) -> Expr:
    """Σₖ x[…, k]·y[…, k], for every row of x with every row of y.

    Returns
    -------
    Expr
        An array of the other axes of x, then those of y.

    Raises
    ------
    ShapeError
        If the last axes do not have the same length.

    Examples
    --------
    >>> ad.evaluate(ad.inner([1.0, 2.0], [3.0, 4.0]))
    np.float64(11.0)
    """
    x, y = operands((x, y), "inner")
    return x * y if 0 in (x.ndim, y.ndim) else tensordot(x, y, ((x.ndim - 1,), (y.ndim - 1,)))


@register("vdot")
def vdot(x: Any, y: Any) -> Expr:
    """Σₖ xₖ·yₖ over all entries, row by row.

    Returns
    -------
    Expr
        One number.

    Examples
    --------
    >>> ad.evaluate(ad.vdot([1.0, 2.0], [3.0, 4.0]))
    np.float64(11.0)
    """
    return matmul(*map(ravel, operands((x, y), "vdot")))


@register("kron")
def kron(x: Any, y: Any) -> Expr:
    """Every entry of x times the whole of y, block by block.

    Returns
    -------
    Expr
        An array of all products.

    Examples
    --------
    >>> ad.evaluate(ad.kron([1.0, 10.0], [1.0, 2.0]))
    array([ 1.,  2., 10., 20.])
    """
    x, y = operands((x, y), "kron")
    most = max(x.ndim, y.ndim)
    x, y = (expand_dims(e, axis=tuple(range(most - e.ndim))) for e in (x, y))
    x, y = (expand_dims(e, axis=tuple(range(k, 2 * most, 2))) for e, k in ((x, 1), (y, 0)))
    blocks = x * y
    lengths = blocks.shape
    return reshape(blocks, tuple(a * b for a, b in zip(lengths[::2], lengths[1::2])))


# ---- NumPy's names for products with vectors


@register("vecdot")
def vecdot(x: Any, y: Any, axis: int = -1) -> Expr:
    """The sums of products along an axis.

    Parameters
    ----------
    axis : int, default: -1
        Along which.

    Returns
    -------
    Expr
        The sums, without the axis.

    Raises
    ------
    ShapeError
        If the vectors have different lengths.

    Examples
    --------
    >>> ad.evaluate(ad.vecdot([[1.0, 2.0], [3.0, 4.0]], [1.0, 10.0]))
    array([21., 43.])
    """
    x, y = (moveaxis(e, axis, -1) for e in operands((x, y), "vecdot"))
    m, n = x.type.shape[-1], y.type.shape[-1]
    if None not in (m, n) and m != n:
        raise ShapeError(f"vecdot takes vectors of one length, and these have {m} and {n}: write "
                         "(x * y).sum(axis) for a length of 1 that is to stretch")  # fmt: skip
    products = x * y
    return products.sum(axis=-1).astype(products.dtype)


def matrices(a: Expr, name: str) -> Expr:
    """An operand with two axes or more. Raises ShapeError for another."""
    if a.ndim < 2:
        raise ShapeError(f"{name} takes a matrix or a stack of them, and {a}{at(a)} has the type "
                         f"{a.type!r}: write ad.vecdot(x, y) for products of vectors")  # fmt: skip
    return a


@register("matvec")
def matvec(a: Any, x: Any) -> Expr:
    """Each matrix of a stack times each vector of another.

    Parameters
    ----------
    a : Expr or array_like, shape (..., m, n)
        Matrices.
    x : Expr or array_like, shape (..., n)
        Vectors.

    Returns
    -------
    Expr, shape (..., m)
        Their products.

    Raises
    ------
    ShapeError
        If a has less than two axes.

    Examples
    --------
    >>> ad.evaluate(ad.matvec([[1.0, 2.0], [3.0, 4.0]], [1.0, 10.0]))
    array([21., 43.])
    """
    a, x = operands((a, x), "matvec")
    return squeeze(matrices(a, "matvec") @ expand_dims(x, axis=-1), axis=-1)


@register("vecmat")
def vecmat(x: Any, a: Any) -> Expr:
    """Each vector of a stack times each matrix of another.

    Parameters
    ----------
    x : Expr or array_like, shape (..., m)
        Vectors.
    a : Expr or array_like, shape (..., m, n)
        Matrices.

    Returns
    -------
    Expr, shape (..., n)
        Their products.

    Raises
    ------
    ShapeError
        If a has less than two axes.

    Examples
    --------
    >>> ad.evaluate(ad.vecmat([1.0, 10.0], [[1.0, 2.0], [3.0, 4.0]]))
    array([31., 42.])
    """
    x, a = operands((x, a), "vecmat")
    return squeeze(expand_dims(x, axis=-2) @ matrices(a, "vecmat"), axis=-2)
