"""Products of vectors and matrices."""

from collections.abc import Sequence
from math import prod
from string import ascii_lowercase
from typing import Any

import numpy as np

from ..expr import OPERATIONS, Expr, ShapeError, TensorType, broadcast_shapes, operands, register
from .arithmetic import multiply
from .batch import after_leading
from .declare import op
from .lengths import size
from .shape import expand_dims, ravel, reshape, squeeze, transpose


def matrix_product(a: TensorType, b: TensorType) -> tuple:
    """(m, n)(n, k) without the n that they share, for each matrix of two stacks; a vector is a
    matrix of one row on the left and of one column on the right."""
    if 0 in (a.ndim, b.ndim):
        raise ShapeError("a matrix product takes vectors and matrices; write * for numbers")
    inner, also = a.shape[-1], b.shape[-2:][0]
    if None not in (inner, also) and inner != also:
        raise ShapeError(f"the inner lengths are {inner} and {also}: transpose one, or reshape")
    stack = broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return stack + a.shape[-2:-1] + (b.shape[-1:] if b.ndim > 1 else ())


@register("outer")
def outer(u: Any, v: Any) -> Expr:
    """The matrix of all products uᵢ·vⱼ.

    Parameters
    ----------
    u : Expr or array_like, shape (m,)
        A vector.
    v : Expr or array_like, shape (n,)
        Another.

    Returns
    -------
    Expr, shape (m, n)
        The products.

    See Also
    --------
    numpy.outer : The same for arrays.

    Examples
    --------
    >>> ad.evaluate(ad.outer([1.0, 2.0], [3.0, 4.0]))
    array([[3., 4.],
           [6., 8.]])
    """
    u, v = (x if x.ndim == 1 else ravel(x) for x in operands((u, v), "outer"))
    return expand_dims(u, axis=1) * expand_dims(v, axis=0)


@register("matrix_transpose")
def matrix_transpose(x: Any) -> Expr:
    """x with its last two axes exchanged.

    Parameters
    ----------
    x : Expr or array_like, shape (..., m, n)
        Matrices.

    Returns
    -------
    Expr, shape (..., n, m)
        Their transposes.

    See Also
    --------
    numpy.matrix_transpose : The same for arrays.

    Examples
    --------
    >>> ad.matrix_transpose(ad.matrix("x", shape=(2, 3))).type
    float64(3, 2)
    """
    (x,) = operands((x,), "matrix_transpose")
    return transpose(x, (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2))


def row(x: Expr) -> Expr:
    return expand_dims(x, axis=-2)


def column(x: Expr) -> Expr:
    return expand_dims(x, axis=-1)


def rows(x: Expr) -> Expr:
    """A stack of matrices as one tall matrix."""
    return reshape(x, (size(x, range(x.ndim - 1)), x.shape[-1]))


def matmul_pullback(ct: Expr, a: Expr, b: Expr, out: Expr) -> tuple[Expr, Expr]:
    """Each operand's cotangent is ct times the other, turned to fit."""
    m, n = a.ndim, b.ndim
    if m == n == 1:
        return ct * b, ct * a
    if n == 1:
        return column(ct) * b, transpose(rows(a)) @ ravel(ct) if m > 2 else transpose(a) @ ct
    if m == 1:
        turned = squeeze(b @ column(ct), axis=-1) if n > 2 else b @ ct
        return turned, column(a) * row(ct)
    if m > n == 2:
        return ct @ transpose(b), transpose(rows(a)) @ rows(ct)
    return ct @ matrix_transpose(b), matrix_transpose(a) @ ct


def matmul_slices(inputs: Sequence[Expr], flags: Sequence[bool]) -> Expr:
    """A stack of vectors times a matrix is a matrix product; else vectors become matrices."""
    a, b = inputs
    if not flags[1] and b.ndim <= 2:
        return a @ b
    if not flags[0] and a.ndim <= 2 and b.ndim == 2:
        return b @ (transpose(a) if a.ndim == 2 else a)
    ones = [x.ndim - f == 1 for x, f in zip(inputs, flags, strict=True)]
    a, b = row(a) if ones[0] else a, column(b) if ones[1] else b
    loops = [x.ndim - f for x, f in zip((a, b), flags, strict=True)]
    a, b = (after_leading(x, (max(loops) - n) * f) for x, n, f in zip((a, b), loops, flags))
    gone = tuple(np.array([-2, -1])[ones].tolist())
    return squeeze(a @ b, axis=gone) if gone else a @ b


def product_letters(ndims: Sequence[int]) -> str:
    """Letters for the stacks, which are lined up at their ends, and I, J, K for the matrices."""
    a, b = ndims
    stack = ascii_lowercase[: max(a, b, 2) - 2]
    left, right = (stack[len(stack) - max(n - 2, 0) :] for n in (a, b))
    left, right = left + "IJ"[a == 1 :], right + "JK"[: min(b, 2)]
    return f"{left},{right}->{stack}{'I' * (a > 1)}{'K' * (b > 1)}"


@op(
    symbol="@",
    label="@",
    multilinear=True,
    subscripts=product_letters,
    type=matrix_product,
    pullback=matmul_pullback,
    batch=matmul_slices,
    cores=lambda a, b: (min(a, 2), min(b, 2), (a > 1) + (b > 1)),
    cost=lambda a, b, out: 2 * a[-1] * prod(out),
)
def matmul(a, b):
    """The matrix product of vectors, matrices and stacks of matrices: Σₖ aᵢₖ·bₖⱼ.

    Parameters
    ----------
    a : Expr or array_like, shape (n,) or (..., m, n)
        The left factor.
    b : Expr or array_like, shape (n,) or (..., n, k)
        The right factor.

    Returns
    -------
    Expr, shape (..., m, k)
        A vector on the left is a row, one on the right a column; that axis is gone from the
        result.

    Raises
    ------
    ShapeError
        If the inner lengths differ.

    Examples
    --------
    >>> ad.evaluate(ad.matmul([[1.0, 2.0], [3.0, 4.0]], [1.0, 10.0]))
    array([21., 43.])
    """
    return np.matmul(a, b)


@register("dot")
def dot(x: Any, y: Any) -> Expr:
    """NumPy's dot: the sum over the last axis of x and the last but one of y, or a plain product.

    The product is plain where one of the two is a number.

    Parameters
    ----------
    x : Expr or array_like
        An array.
    y : Expr or array_like
        An array.

    Returns
    -------
    Expr
        The products.

    See Also
    --------
    numpy.dot : The same for arrays.
    matmul : The product of stacks of matrices.

    Examples
    --------
    >>> ad.evaluate(ad.dot([1.0, 2.0], [3.0, 4.0]))
    np.float64(11.0)
    """
    x, y = operands((x, y), "dot")
    if 0 in (x.ndim, y.ndim):
        return multiply(x, y)
    return (
        matmul(x, y)
        if y.ndim <= 2
        else OPERATIONS["tensordot"](x, y, ((x.ndim - 1,), (y.ndim - 2,)))
    )
