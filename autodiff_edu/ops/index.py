"""Basic indexing: x[1:], x[..., 0], x[None].

A key is stored as a tuple with one item for each axis: a whole number, a slice as
(start, stop, step), or None for a new axis.
"""

from typing import Any

import numpy as np

from ..expr import Expr, ShapeError, TensorType
from .declare import op
from .shape import alone, fill, read_shape


def read_key(x: Any, key: Any) -> tuple[tuple, dict[str, Any]]:
    """x and a key as Python hands it over; Ellipsis and missing axes become full slices."""
    items = key if isinstance(key, tuple) else (key,)
    for item in items:
        check_item(x, item)
    used = sum(item is not None and item is not Ellipsis for item in items)
    if used > x.ndim:
        raise ShapeError(f"{used} indices for {x.ndim} axes of {x}")
    missing = (slice(None),) * (x.ndim - used)
    dots = next((k for k, item in enumerate(items) if item is Ellipsis), len(items))
    items = items[:dots] + missing + items[dots + 1 :]
    return (x,), {"key": tuple(map(freeze, items))}


def check_item(x: Expr, item: Any) -> None:
    whole = isinstance(item, (int, np.integer)) and not isinstance(item, bool)
    if not (whole or item is None or item is Ellipsis or isinstance(item, slice)):
        raise TypeError(
            f"{x}[{item!r}]: an index is a whole number, a slice, ... or None here; "
            "to choose by a condition write ad.where(condition, a, b)"
        )


def freeze(item: Any) -> Any:
    if isinstance(item, slice):
        return (item.start, item.stop, item.step)
    return item if item is None else int(item)


def thaw(key: tuple) -> tuple:
    return tuple(slice(*item) if isinstance(item, tuple) else item for item in key)


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
    full = item.start in (None, 0) and item.stop is None and item.step in (None, 1)
    return None if n is None and not full else n if n is None else len(range(*item.indices(n)))


def in_bounds(n: int | None, k: int) -> None:
    if n is not None and not -n <= k < n:
        raise ShapeError(f"index {k} is out of bounds for an axis of length {n}")


@op(
    label="[ ]",
    linear=True,
    reads=read_key,
    type=indexed,
    pullback=lambda ct, x, out, key: (embed_like(ct, x, key),),
)
def index(x, *, key):
    """The part of x that a key names."""
    return x[thaw(key)]


def read_embedding(x: Any, *lengths: Any, key: tuple, shape: Any = None) -> tuple[tuple, dict]:
    args, static = read_shape(x, *lengths, shape=shape)
    return args, {"key": key, **static}


@op(
    label="embed",
    linear=(0,),
    reads=read_embedding,
    type=lambda t, *lengths, key, shape: TensorType(t.dtype, shape),
    pullback=lambda ct, x, *rest, key, shape: alone(index.apply((ct,), (("key", key),)), rest[:-1]),
)
def embed(x, *lengths, key, shape):
    """Zeros of a shape, with x at the part that a key names."""
    out = np.zeros(fill(shape, lengths), np.asarray(x).dtype)
    out[thaw(key)] = x
    return out


def embed_like(ct: Expr, x: Expr, key: tuple) -> Expr:
    return embed(ct, x.shape, key=key)
