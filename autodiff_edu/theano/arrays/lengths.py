"""Shapes: x.shape as a vector, and what programs gave as a shape."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import ops
from ...expr import Constant, Expr, TensorType, constant
from ...library import concatenate, stack
from ..core import lift
from ..core.own_op import own


def shape_vector(x: Expr) -> Expr:
    """The lengths as a vector of whole numbers."""
    if x.type.known or not x.ndim:
        return constant(np.array(x.type.shape, dtype="int64"))
    return stack([n if isinstance(n, Expr) else constant(np.int64(n)) for n in x.shape])


@lift
def shape(x: Any) -> Any:
    """The lengths of x as a vector of whole numbers."""
    return shape_vector(x if isinstance(x, Expr) else constant(x))


def entries(v: Expr) -> list[Any]:
    """The entries of a vector of known length: numbers where they are known."""
    if isinstance(v, Constant):
        return [int(n) for n in v.value]
    parts = [single(part) for part in v.inputs] if v.op is concatenate else [None]
    if all(part is not None for part in parts):
        return [int(n.value) if isinstance(n, Constant) else n for n in parts]
    if v.type.shape[0] is None:
        raise TypeError(f"a shape of an unknown number of lengths is not possible: {v}")
    return [v[k] for k in range(v.type.shape[0])]


@own(type=lambda t, n: TensorType(t.dtype, (n,)), nondifferentiable="lengths are whole numbers")
def so_many(v, *, n):
    """The lengths, of which the program has said how many they are."""
    if len(v) != n:
        raise ValueError(f"{n} lengths are expected, not {len(v)}: {v}")
    return v


def counted_entries(v: Expr, ndim: int | None = None) -> list[Any]:
    """The same where the program may have to say how many: for the ndim of a draw or an index."""
    if v.ndim != 1:
        raise TypeError(f"lengths are given as a vector or a list, not with {v.ndim} axes")
    if ndim is not None and not isinstance(ndim, (int, np.integer)):
        raise ValueError(f"ndim is a whole number, not {ndim!r}")
    if v.type.shape[0] is not None:
        return entries(v)
    if ndim is None:
        raise ValueError(f"{v} has an unknown number of lengths: say how many by ndim=")
    v = so_many(v, n=int(ndim))
    return [v[k] for k in range(ndim)]


def single(part: Expr) -> Expr | None:
    """The number of which a vector of length 1 is made, where it was made of one."""
    if part.op is ops.expand_dims and part.inputs[0].ndim == 0:
        return part.inputs[0]
    if isinstance(part, Constant) and part.type.shape == (1,):
        return constant(part.value[0])
    return None


def one(n: Any) -> Any:
    """A length: a number, or an expression for one."""
    if isinstance(n, Constant):
        return int(n.value)
    if isinstance(n, Expr):
        n = ops.reshape(n, ()) if n.ndim else n
        return n if n.dtype.kind in "iu" else n.astype("int64")
    return int(n)


def lengths_of(given: Any) -> tuple[Any, ...]:
    """A shape as programs wrote it: a number, a list of numbers and expressions, or a vector."""
    if isinstance(given, Expr) and given.ndim == 1:
        given = entries(given)
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if isinstance(given, (list, tuple)):
        return tuple(map(one, given))
    return (one(given),)


def axes_of(axis: Any, ndim: int) -> Any:
    """An axis, or a list of them, as numbers from 0; None for all."""
    if axis is None:
        return None
    several = isinstance(axis, (list, tuple, range, np.ndarray))
    given: Sequence[Any] = axis if several else [axis]
    found = [int(k.value) if isinstance(k, Constant) else int(k) for k in given]
    if any(not -ndim <= k < ndim for k in found):
        raise ValueError(f"Axis {axis} is out of bounds for {ndim} dimensions")
    found = [k % ndim for k in found]
    return tuple(found) if several else found[0]


__all__ = ["axes_of", "entries", "lengths_of", "one", "shape", "shape_vector"]
