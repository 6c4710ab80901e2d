"""The parts of an array, and their opposites: slices and zeros around them, entries and sums.

A key is stored as a tuple with one item for each axis: a whole number, a slice as
(start, stop, step), or None for a new axis.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..expr import Expr, LazyModule, TensorType, constant
from .batch import check_lengths
from .declare import op
from .lengths import alone, fill, read_shape, unfilled

jax, jnp = LazyModule("jax"), LazyModule("jax.numpy")
ALL = (None, None, None)  # the slice that takes a whole axis


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
    label="·{key}",
    linear=True,
    type=indexed,
    pullback=lambda ct, x, out, key: (embed(ct, x.shape, key=key),),
    batch=lambda inputs, flags, key: part(inputs[0], (ALL, *key)),
    picks=True,
)
def index(x, *, key):
    """The part of x that numbers and slices name."""
    return np.asarray(x)[thaw(key)]


def part(x: Expr, key: tuple) -> Expr:
    """index for a key in its stored form."""
    return index.apply((x,), (("key", key),))


def embedded(x: Any, shape: Sequence[int], key: tuple) -> Any:
    """`embed` for JAX, whose arrays cannot be written into. It pads, since XLA ends the process
    where what is written into a whole array is turned round: zeros(3).at[:].set(x)[::-1]."""
    x, lengths = jnp.asarray(x), iter(shape)
    sides: list[tuple[int, int, int]] = []
    for item in key:
        axis = len(sides)
        if item is None:
            x = jnp.squeeze(x, axis)
            continue
        n = next(lengths)
        if isinstance(item, tuple):
            places = range(n)[slice(*item)]
        else:
            x, places = jnp.expand_dims(x, axis), range(n)[item:][:1]
        if not places:
            return jnp.zeros(shape, x.dtype)
        if places.step < 0:
            x, places = jnp.flip(x, axis), places[::-1]
        sides.append((places[0], n - 1 - places[-1], places.step - 1))
    return jax.lax.pad(x, jnp.zeros((), x.dtype), sides)


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
    drawn=1,
    targets={"jax": lambda x, *lengths, key, shape: embedded(x, fill(shape, lengths), key)},
)
def embed(x, *lengths, key, shape):
    """Zeros of a shape, with x at the part that a key names."""
    out = np.zeros(fill(shape, lengths), np.asarray(x).dtype)
    out[thaw(key)] = x
    return out


# ---- slices between bounds that are not known yet


def each_slice(op: Any, inputs: Sequence[Expr], flags: Sequence[bool], axis: int) -> Expr:
    """In a batch, in which the bounds must be the same for all."""
    check_lengths("a slice between computed bounds", flags[1:])
    return op(*inputs, axis=axis + 1)


def with_length(t: TensorType, axis: int, n: int | None) -> TensorType:
    return TensorType(t.dtype, [n if k == axis else m for k, m in enumerate(t.shape)])


def surrounded(x: Any, start: Any, stop: Any, n: Any, axis: int) -> Any:
    """`surround` for JAX."""
    shape = (*x.shape[:axis], int(n), *x.shape[axis + 1 :])
    part = (int(start), int(stop), None)
    return embedded(x, shape, tuple(part if k == axis else ALL for k in range(x.ndim)))


def read_bounds(x: Any, start: Any, stop: Any, axis: int) -> tuple[tuple, dict[str, int]]:
    """Bounds that are numbers stay whole, whatever the dtype of x."""
    bounds = (n if isinstance(n, Expr) else constant(n) for n in (start, stop))
    return (x, *bounds), {"axis": axis}


@op(
    view=True,
    label="·[a:b]",
    linear=(0,),
    reads=read_bounds,
    lengths=(1, 2),
    type=lambda t, start, stop, axis: with_length(t, axis, None),
    batch=lambda inputs, flags, axis: each_slice(between, inputs, flags, axis),
    pullback=lambda ct, x, start, stop, out, axis: (
        surround(ct, start, stop, x.shape[axis], axis=axis), None, None,
    ), operand_labels=("x", "a", "b"))  # fmt: skip
def between(x, start, stop, *, axis):
    """x[start:stop] along an axis, for bounds that the program computes."""
    return x[(slice(None),) * axis + (slice(int(start), int(stop)),)]


@op(
    linear=(0,),
    lengths=(1, 2, 3),
    type=lambda t, start, stop, n, axis: with_length(t, axis, None),
    targets={"jax": lambda x, start, stop, n, *, axis: surrounded(x, start, stop, n, axis)},
    batch=lambda inputs, flags, axis: each_slice(surround, inputs, flags, axis),
    pullback=lambda ct, x, start, stop, n, out, axis: (
        between(ct, start, stop, axis=axis), None, None, None,
    ), operand_labels=("x", "a", "b", "n"))  # fmt: skip
def surround(x, start, stop, n, *, axis):
    """n zeros along an axis, with x from start to stop."""
    out = np.zeros((*x.shape[:axis], int(n), *x.shape[axis + 1 :]), x.dtype)
    out[(slice(None),) * axis + (slice(int(start), int(stop)),)] = x
    return out
