"""Products of tensors in NumPy's other notations."""

from typing import Any

from ..expr import Expr, operands, register
from ..ops.lengths import numbered, size
from ..ops.products import matmul
from ..ops.shape import expand_dims, ravel, reshape, squeeze, transpose


@register("tensordot")
def tensordot(x: Any, y: Any, axes: Any = 2) -> Expr:
    """The sum over these axes of x and those of y, as one matrix product."""
    x, y = operands((x, y), "tensordot")
    if isinstance(axes, int):
        axes = tuple(range(x.ndim - axes, x.ndim)), tuple(range(axes))
    left, right = (numbered(k, e.ndim) for k, e in zip(axes, (x, y)))
    free = [[k for k in range(e.ndim) if k not in used] for e, used in ((x, left), (y, right))]
    shape = [e.shape[k] for e, ks in zip((x, y), free) for k in ks]
    inner = [size(x, left)]
    m, k = ([size(e, ks)] if ks else [] for e, ks in zip((x, y), free))
    a = reshape(transpose(x, (*free[0], *left)), (*m, *inner))
    b = reshape(transpose(y, (*right, *free[1])), (*inner, *k))
    return reshape(a @ b, tuple(shape))


@register("inner")
def inner(x: Any, y: Any) -> Expr:
    """The sum over the last axes of both."""
    x, y = operands((x, y), "inner")
    return x * y if 0 in (x.ndim, y.ndim) else tensordot(x, y, ((x.ndim - 1,), (y.ndim - 1,)))


@register("vdot")
def vdot(x: Any, y: Any) -> Expr:
    """The sum of all products of entries in the same place."""
    return matmul(*map(ravel, operands((x, y), "vdot")))


@register("kron")
def kron(x: Any, y: Any) -> Expr:
    """Every entry of x times the whole of y, block by block."""
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
    """The sums of products along an axis."""
    x, y = operands((x, y), "vecdot")
    return (x * y).sum(axis=axis)


@register("matvec")
def matvec(a: Any, x: Any) -> Expr:
    """Each matrix of a stack times each vector of another."""
    a, x = operands((a, x), "matvec")
    return squeeze(a @ expand_dims(x, axis=-1), axis=-1)


@register("vecmat")
def vecmat(x: Any, a: Any) -> Expr:
    """Each vector of a stack times each matrix of another."""
    x, a = operands((x, a), "vecmat")
    return squeeze(expand_dims(x, axis=-2) @ a, axis=-2)
