"""Products of vectors and matrices."""

import numpy as np

from ..expr import Expr, ShapeError, TensorType, enters, operands
from .arithmetic import multiply
from .declare import op
from .shape import expand_dims, transpose


def matrix_product(a: TensorType, b: TensorType) -> tuple:
    """(n,)(n,), (m, n)(n,), (n,)(n, k) and (m, n)(n, k) without the n that they share."""
    if not (1 <= a.ndim <= 2 and 1 <= b.ndim <= 2):
        raise ShapeError("a matrix product takes vectors and matrices; write * for numbers")
    inner, also = a.shape[-1], b.shape[0]
    if None not in (inner, also) and inner != also:
        raise ShapeError(f"the inner lengths are {inner} and {also}: transpose one, or reshape")
    return a.shape[:-1] + b.shape[1:]


def outer(u: Expr, v: Expr) -> Expr:
    """The matrix of all products uᵢ·vⱼ."""
    return expand_dims(u, axis=1) * expand_dims(v, axis=0)


def matmul_pullback(ct: Expr, a: Expr, b: Expr, out: Expr) -> tuple[Expr, Expr]:
    """Each operand's cotangent is ct times the other, turned to fit."""
    if a.ndim == b.ndim == 1:
        return ct * b, ct * a
    if b.ndim == 1:
        return outer(ct, b), transpose(a) @ ct
    if a.ndim == 1:
        return b @ ct, outer(a, ct)
    return ct @ transpose(b), transpose(a) @ ct


@op(symbol="@", label="@", multilinear=True, type=matrix_product, pullback=matmul_pullback)
def matmul(a, b):
    """The matrix product of vectors and matrices: Σₖ aᵢₖ·bₖⱼ."""
    return np.matmul(a, b)


@enters("dot")
def dot(x: Expr, y: Expr) -> Expr:
    """NumPy's dot up to two axes: the matrix product, or the plain product with a number."""
    x, y = operands((x, y), "dot")
    return multiply(x, y) if 0 in (x.ndim, y.ndim) else matmul(x, y)
