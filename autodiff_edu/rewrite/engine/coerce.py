"""Restoring types: what a rule returns is cast and spread to the type of what it replaces.

So rules can be written as plain algebra: x * 1 → x holds even where the 1 was an array that made
x larger.
"""

from typing import Any

from ...expr import Constant, Expr, ShapeError, TensorType
from ...ops import astype, broadcast_like, broadcast_to, length


def restored(result: Any, n: Expr) -> Expr | None:
    """The result with the type of n, or None where its shape cannot be told without n."""
    if result is None:
        return None
    result = astype_exact(result if isinstance(result, Expr) else Constant(result, n.dtype), n)
    if agrees(result, n):
        return result
    if result.ndim > n.ndim:
        raise ShapeError(f"its {result.ndim} axes do not fit in the place of {n.ndim}: reduce them")
    if n.type.known:
        return broadcast_like(result, n)
    lengths = [length_without(n, k) for k in range(n.ndim)]
    return None if any(n is None for n in lengths) else broadcast_to(result, tuple(lengths))


def astype_exact(result: Expr, n: Expr) -> Expr:
    if isinstance(result, Constant) and result.dtype != n.dtype:
        return Constant(result.value.astype(n.dtype), exact=result.exact)
    return astype(result, n.dtype)


def agrees(result: Expr, n: Expr) -> bool:
    """Are the shapes equal, a known length agreeing with an unknown one that is not 1?"""
    return result.ndim == n.ndim and all(
        a == b or (a is None) or (b is None and a != 1)
        for a, b in zip(result.type.shape, n.type.shape, strict=True)
    )


def length_without(n: Expr, axis: int) -> Any:
    """The length of n along an axis, told by what it was made from: an int, an expression, or
    None where only n itself can tell."""
    if n.type.shape[axis] is not None:
        return n.type.shape[axis]
    told = length_one_down(n, axis)
    while isinstance(told, Expr) and told.op is length:
        deeper = length_one_down(told.inputs[0], dict(told.static)["axis"])
        if deeper is None:
            break
        told = deeper
    return told


def length_one_down(n: Expr, axis: int) -> Any:
    """The same, told by the operands alone: by the shape that was asked for, or by the operand's
    axis whose length turns up there when the type is inferred with a mark in its place."""
    if n.type.shape[axis] is not None:
        return n.type.shape[axis]
    asked = dict(n.static).get("shape")
    if asked is not None:
        unknown = [k for k, m in enumerate(asked) if m is None]
        lengths = n.inputs[len(n.inputs) - len(unknown) :]  # the last operands
        return lengths[unknown.index(axis)] if axis in unknown else None
    for j, i in enumerate(n.inputs):
        for k, m in enumerate(i.type.shape):
            if m is None and shape_with_mark(n, j, k)[axis] == MARK:
                return length(i, axis=k)
    return None


def shape_with_mark(n: Expr, operand: int, axis: int) -> tuple:
    types = [i.type for i in n.inputs]
    marked = types[operand]
    shape = [MARK if k == axis else m for k, m in enumerate(marked.shape)]
    types[operand] = TensorType(marked.dtype, shape)
    try:
        return n.op.infer_type(*types, **dict(n.static)).shape
    except ShapeError:  # the mark met another length, so that one tells
        return n.type.shape


MARK = 1_000_003  # a length that no program has
