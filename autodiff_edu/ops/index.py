"""Indexing: x[1:], x[..., 0], x[None], x[rows, columns], x[x > 0].

A key is stored as a tuple with one item for each axis: a whole number, a slice as
(start, stop, step), or None for a new axis. A key with arrays is taken apart: the slices first,
then `gather` along the axes that the arrays index.
"""

from typing import Any

import numpy as np

from ..expr import Constant, Expr, TensorType, constant
from .choice import PLACE
from .declare import op
from .lengths import alone, fill, read_shape, unfilled

ALL = (None, None, None)  # the slice that takes a whole axis


# ---- reading a key


def read_key(x: Any, key: Any) -> tuple:
    """A key as Python hands it over, one item for each axis; a mask becomes index arrays."""
    given = thaw(key) if isinstance(key, tuple) else (key,)
    items = [part for item in given for part in read_item(x, item)]
    used = sum(item is not None and item is not Ellipsis for item in items)
    if used > x.ndim:
        raise IndexError(f"{used} indices for {x.ndim} axes of {x}")
    missing = [slice(None)] * (x.ndim - used)
    dots = [k for k, item in enumerate(items) if item is Ellipsis] or [len(items)]
    if len(dots) > 1:
        raise IndexError(f"{x} is indexed with more than one ...")
    return tuple(items[: dots[0]] + missing + items[dots[0] + 1 :])


def read_item(x: Any, item: Any) -> list:
    """The item in its normal form; a mask of d axes gives d items."""
    if item is None or item is Ellipsis or isinstance(item, slice):
        return [item]
    if isinstance(item, (int, np.integer)) and not isinstance(item, (bool, np.bool_)):
        return [int(item)]
    array = item if isinstance(item, Expr) else known_index(x, item)
    if array.dtype.kind == "b" and not array.ndim:
        raise IndexError(f"{x} is indexed with one truth value, {array}: write ad.where")
    if array.dtype.kind == "b":
        found = places(array)
        return [part(found, (k, ALL)) for k in range(array.ndim)]
    if array.dtype.kind not in "iu":
        raise IndexError(
            f"{x} is indexed with {array}, whose dtype is {array.dtype}: an index is a whole "
            "number, a slice, ..., None, or an array of whole numbers or truth values"
        )
    return [array]


@op(label="places", severed=PLACE, type=lambda t: TensorType("int64", (t.ndim, None)))
def places(mask):
    """The places where a mask is true, one row an axis."""
    return np.array(np.nonzero(mask))


def known_index(x: Any, item: Any) -> Constant:
    array = np.asarray(item if not isinstance(item, range) else list(item))
    return constant(array.astype(int) if not array.size else array)


def freeze(item: Any) -> Any:
    """A slice or a number as it is stored; whole steps and bounds only."""
    if not isinstance(item, slice):
        return item
    for bound in (item.start, item.stop, item.step):
        if isinstance(bound, Expr):
            raise TypeError(f"the bound {bound} of a slice is not known yet: index with an array, "
                            "as in x[ad.arange(n)]")  # fmt: skip
    return (item.start, item.stop, item.step)


def thaw(key: tuple) -> tuple:
    return tuple(slice(*item) if isinstance(item, tuple) else item for item in key)


# ---- numbers and slices


def indexed(t: TensorType, key: tuple) -> TensorType:
    lengths = iter(t.shape)
    shape: list[int | None] = []
    for item in key:
        if item is None:
            shape.append(1)
        elif isinstance(item, tuple):
            shape.append(sliced(next(lengths), slice(*item)))
        else:
            in_bounds(next(lengths), item)
    return TensorType(t.dtype, shape)


def sliced(n: int | None, item: slice) -> int | None:
    full = item.start in (None, 0) and item.stop is None and item.step in (None, 1, -1)
    return None if n is None and not full else n if n is None else len(range(*item.indices(n)))


def in_bounds(n: int | None, k: int) -> None:
    if n is not None and not -n <= k < n:
        raise IndexError(f"index {k} is out of bounds for an axis of length {n}")


@op(
    view=True,
    label="[ ]",
    linear=True,
    reads=lambda x, key: ((x,), {"key": tuple(map(freeze, read_key(x, key)))}),
    type=indexed,
    pullback=lambda ct, x, out, key: (embed(ct, x.shape, key=key),),
    batch=lambda inputs, flags, key: part(inputs[0], (ALL, *key)),
)
def index(x, *, key):
    """The part of x that numbers and slices name."""
    return np.asarray(x)[thaw(key)]


def part(x: Expr, key: tuple) -> Expr:
    """index for a key in its stored form."""
    return index.apply((x,), (("key", key),))


def read_embedding(x: Any, *lengths: Any, key: tuple, shape: Any = None) -> tuple[tuple, dict]:
    args, static = read_shape(x, *lengths, shape=shape)
    return args, {"key": key, **static}


@op(
    label="embed",
    linear=(0,),
    reads=read_embedding,
    type=lambda t, *lengths, key, shape: TensorType(t.dtype, shape),
    pullback=lambda ct, x, *rest, key, shape: alone(part(ct, key), rest[:-1]),
    batch=lambda inputs, flags, key, shape: embed(
        inputs[0], (inputs[0].shape[0], *unfilled(shape, inputs[1:])), key=(ALL, *key)
    ),
)
def embed(x, *lengths, key, shape):
    """Zeros of a shape, with x at the part that a key names."""
    out = np.zeros(fill(shape, lengths), np.asarray(x).dtype)
    out[thaw(key)] = x
    return out
