"""The few things that every derivative rule needs: zeros, stretching, and its opposite.

Letters: d a tangent or cotangent, ct a cotangent, x an operand.
"""

from collections.abc import Sequence

import numpy as np

from .node import Constant, Expr
from .seams import OPERATIONS
from .types import NullType


def put(inputs: Sequence[Expr], k: int, value: Expr) -> list[Expr]:
    return [value if j == k else x for j, x in enumerate(inputs)]


def times(factor: float, d: Expr) -> Expr:
    return d if factor == 1 else -d if factor == -1 else factor * d


def add_up(terms: Sequence[Expr]) -> Expr:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def float_type(dtype: np.dtype) -> np.dtype:
    """The dtype of a derivative: that of the value if it is a float, otherwise float64."""
    return dtype if dtype.kind == "f" else np.dtype("float64")


def real(inputs: Sequence[Expr]) -> list[Expr]:
    """Operands as floats: in a rule whole numbers would wrap, and truth values have no sign."""
    return [x if x.type.is_float else x.astype(float_type(x.dtype)) for x in inputs]


def as_wide(inputs: Sequence[Expr], out: Expr) -> list[Expr]:
    """Operands as floats at least as wide as the result: the square of a float32 may overflow where
    that of a float64 does not."""
    if not out.type.is_float:
        return real(inputs)
    return [x.astype(np.promote_types(x.dtype, out.dtype)) for x in real(inputs)]


def zero(like: Expr) -> Expr:
    """The exact zero of differentiation, of the shape of `like`."""
    return broadcast_like(Constant(0.0, float_type(like.dtype), exact=True), like)


def broadcast_like(x: Expr, like: Expr) -> Expr:
    """x broadcast to the shape of `like`."""
    if x.type.shape == like.type.shape:
        return x
    if isinstance(x, Constant) and like.type.known:
        return Constant(np.broadcast_to(x.value, like.shape), exact=x.exact)
    return OPERATIONS["broadcast_to"](x, like.shape)


def unbroadcast(ct: Expr, like: Expr) -> Expr:
    """A cotangent summed over the axes along which `like` was stretched, in its dtype. A minus
    before it is taken of the sum, which has fewer entries."""
    if (ct.type is like.type and ct.type.is_float) or isinstance(ct.type, NullType):
        return ct
    if ct.op is OPERATIONS["negative"]:
        return -unbroadcast(ct.inputs[0], like)
    extra = ct.ndim - like.ndim
    ones = tuple(
        k + extra for k, n in enumerate(like.type.shape) if n == 1 != ct.type.shape[k + extra]
    )
    if ones:
        ct = ct.sum(axis=ones, keepdims=True)
    if extra:
        ct = ct.sum(axis=tuple(range(extra)))
    dtype = float_type(like.dtype)
    return ct if ct.dtype == dtype else ct.astype(dtype)
