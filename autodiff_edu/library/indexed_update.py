"""Arrays changed in one place, as new arrays: x.at[2].set(5), x.at[rows].add(1).

A key is stored as in index.py, with "array" in the places of the arrays that index; these are
operands.
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ..core.derivative_rules import broadcast_like
from ..expr import (
    DTypeError,
    Expr,
    LazyModule,
    ShapeError,
    TensorType,
    constant,
    operands,
    register,
    spell,
)
from ..expr import at as made_at
from ..expr.shape_check import STRETCH
from ..ops.batch import Loop, every
from ..ops.comparison import where
from ..ops.declare import op
from ..ops.getitem import freeze, getitem, is_mask, read_key
from ..ops.index import between, embedded, part, thaw
from ..ops.lengths import arange, size
from ..ops.shape import broadcasted, reshape, squeeze

jax = LazyModule("jax")
jnp = LazyModule("jax.numpy")


class At:
    """x.at: indexing it names the place that is to change."""

    def __init__(self, x: Expr, key: Any = None):
        self.x, self.key = x, key

    def __getitem__(self, key: Any) -> "At":
        return At(self.x, key)

    def get(self) -> Expr:
        """x[key]."""
        return getitem(self.x, self.key)

    def set(self, value: Any) -> Expr:
        """x with this value at the key."""
        return replaced(self.x, self.key, value)

    def add(self, value: Any) -> Expr:
        """x with this value added at the key, once for every time that it names a place."""
        return added(self.x, self.key, value)

    def multiply(self, value: Any) -> Expr:
        """x multiplied by this value at the key, which may name a place once."""
        if names_twice(self.x, self.key):
            raise ValueError(
                f"x.at[key].multiply takes each place once, and the key {self.key!r} names one "
                "twice: multiply for one part of the key after the other"
            )
        return replaced(self.x, self.key, self.get() * value)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"x.at[key] has get, set, add and multiply, and no {name}: write "
                             f"x.at[key].set(f(x[key])) for any function f")  # fmt: skip


@register("at")
def at(x: Expr) -> At:
    """The places of x: `x.at[key].set(value)` is a new array."""
    return At(x)


def names_twice(x: Expr, key: Any) -> bool:
    """Whether arrays in a key, as far as they are known, name a place of x several times."""
    items = key if isinstance(key, tuple) else (key,)
    if not any(isinstance(item, (list, np.ndarray)) for item in items):
        return False
    lengths = [n for n in x.type.shape if n is not None]
    if len(lengths) < x.ndim or any(isinstance(item, Expr) for item in items):
        return False
    places = np.arange(prod(lengths)).reshape(lengths)[key]
    return np.unique(places).size < places.size


def stored(x: Expr, key: Any) -> tuple[tuple, list[Expr]]:
    """The key as it is stored, and the arrays in it."""
    items = read_key(x, key)
    arrays = [item for item in items if isinstance(item, Expr)]
    return tuple("array" if isinstance(i, Expr) else freeze(i) for i in items), arrays


def loaded(key: tuple, arrays: Sequence[Any]) -> tuple:
    """The stored key with its arrays put in, for NumPy or for `getitem`."""
    given = iter(arrays)
    return thaw(tuple(next(given) if item == "array" else item for item in key))


def fitting(x: Expr, key: tuple, arrays: Sequence[Expr], value: Expr) -> Expr:
    """The value in the shape of x[key]; a single number stays one.

    Raises ShapeError for one that does not broadcast to that, DTypeError for one that x cannot
    hold.
    """
    if np.result_type(x.dtype, value.dtype) != x.dtype:
        raise DTypeError(f"{x} holds {x.dtype} and cannot take {value.dtype}: convert one of them "
                         "with .astype")  # fmt: skip
    plain = not arrays and Ellipsis not in key
    place = part(x, key) if plain else getitem(x, loaded(key, arrays))
    extra = value.ndim - place.ndim
    try:
        value = squeeze(value, axis=tuple(range(extra))) if extra > 0 else value
        broadcasted(value.type, shape=place.type.shape)
        return broadcast_like(value, place) if value.ndim else value
    except ShapeError:
        shapes = f"{spell(value.type.shape)} does not fit into places of shape"
        raise ShapeError(
            f"{value} of shape {shapes} {spell(place.type.shape)}{made_at(place)}"
        ) from None


def computed_slice(x: Expr, items: Sequence[Any]) -> tuple[int, slice] | None:
    """The first place in a key of a slice with a bound that is an expression, and the slice."""
    for k, item in enumerate(items):
        if isinstance(item, slice) and any(isinstance(b, Expr) for b in (item.start, item.stop)):
            return k, item
    return None


def within(x: Expr, key: Any, change: Callable[..., Expr], value: Expr) -> Expr | None:
    """x with a change between bounds that are expressions; None where no bound is one."""
    if not any(isinstance(item, slice) for item in (key if isinstance(key, tuple) else (key,))):
        return None
    items = list(read_key(x, key))
    found = computed_slice(x, items)
    if found is None:
        return None
    k, item = found
    axis = sum(i is not None and i is not Ellipsis for i in items[:k])
    start = 0 if item.start is None else item.start
    stop = x.shape[axis] if item.stop is None else item.stop
    rest = (*items[:k], slice(None, None, item.step), *items[k + 1 :])
    part = between(x, start, stop, axis=axis)
    return set_between(x, change(part, rest, value), *bounds(start, stop), axis=axis)


def bounds(*given: Any) -> list[Expr]:
    return [n if isinstance(n, Expr) else constant(n) for n in given]


def replaced(x: Expr, key: Any, value: Any) -> Expr:
    value = operands((x, value), "set")[1]
    changed = within(x, key, replaced, value)
    if changed is not None:
        return changed
    if not value.ndim and is_mask(key) and key.ndim == x.ndim:
        return where(key, value, x)
    kept, arrays = stored(x, key)
    return set_at(x, fitting(x, kept, arrays, value), *arrays, key=kept)


def added(x: Expr, key: Any, value: Any) -> Expr:
    """x with a value added at the places of a key."""
    value = operands((x, value), "add")[1]
    changed = within(x, key, added, value)
    if changed is not None:
        return changed
    kept, arrays = stored(x, key)
    return add_at(x, fitting(x, kept, arrays, value), *arrays, key=kept)


def updated(t: TensorType, v: TensorType, *arrays: TensorType, key: tuple) -> TensorType:
    return t


def set_pullback(ct: Expr, x: Expr, v: Expr, *rest: Expr, key: tuple) -> list[Expr | None]:
    """Nothing for what was overwritten; of values for the same place only the last one counts."""
    arrays = rest[:-1]
    below = set_at(ct, 0.0, *arrays, key=key)
    mine = getitem(ct, loaded(key, arrays))
    if arrays:
        number = reshape(arange(size(mine)), mine.shape)
        last = set_at(reshape(arange(size(x)), x.shape) * 0, number, *arrays, key=key)
        mine = where(getitem(last, loaded(key, arrays)) == number, mine, 0)
    return [below, mine, *[None] * len(arrays)]


def in_shape(v: Any, region: Any) -> np.ndarray:
    """The value repeated along new leading axes; no length stretches that was not declared to."""
    if np.shape(v) != np.shape(region)[np.ndim(region) - np.ndim(v) :]:
        raise ShapeError(
            f"a value of shape {np.shape(v)} for places of shape {np.shape(region)}: {STRETCH}"
        )
    return np.broadcast_to(v, np.shape(region))  # np.add.at may crash without


def written(x: Any, v: Any, arrays: Sequence[Any], key: tuple, how: str) -> Any:
    """x.at[key].set(v), or add, by JAX; what slices alone name is padded, as in `embedded`."""
    x = jnp.asarray(x)
    if arrays:
        return getattr(x.at[loaded(key, arrays)], how)(v)
    items = tuple(item for item in key if item is not Ellipsis)
    part = jnp.broadcast_to(v, x[thaw(items)].shape).astype(x.dtype)
    new = embedded(part, x.shape, items)
    there = embedded(jnp.ones(part.shape, bool), x.shape, items)
    return jnp.where(there, x + new if how == "add" else new, x)


@op(
    label="·{key} ← v",
    linear=(0, 1),
    type=updated,
    pullback=set_pullback,
    cost=0,
    operand_labels=("x", "v", *"ijklmnop"),
    targets={"jax": lambda x, v, *arrays, key: written(x, v, arrays, key, "set")},
)
def set_at(x, v, *arrays, key):
    """x with v at the places that a key names."""
    out, places = np.array(x), loaded(key, arrays)
    out[places] = in_shape(v, out[places])
    return out


def put_between(x: Any, v: Any, start: Any, axis: int) -> Any:
    """`set_between` for JAX, whose arrays never change."""
    return jax.lax.dynamic_update_slice_in_dim(x, v.astype(x.dtype), start, axis)


def each_between(inputs: Sequence[Expr], flags: Sequence[bool], axis: int) -> Expr:
    """In a batch; bounds that differ are taken one after the other."""
    if any(flags[2:]):
        return Loop(set_between, (("axis", axis),), tuple(flags)).apply(tuple(inputs))
    x, v = every(inputs[:2], flags[:2])
    return set_between(x, v, *inputs[2:], axis=axis + 1)


@op(
    label="·[a:b] ← v",
    linear=(0, 1),
    type=lambda t, v, start, stop, axis: t,
    batch=each_between,
    targets={"jax": lambda x, v, start, stop, *, axis: put_between(x, v, start, axis)},
    pullback=lambda ct, x, v, start, stop, out, axis: (
        set_between(ct, between(ct, start, stop, axis=axis) * 0, start, stop, axis=axis),
        between(ct, start, stop, axis=axis),
        None,
        None,
    ),
    cost=0,
    operand_labels=("x", "v", "a", "b"),
)
def set_between(x, v, start, stop, *, axis):
    """x with v in the place of x[start:stop] along an axis."""
    out = np.array(x)
    out[(slice(None),) * axis + (slice(int(start), int(stop)),)] = v
    return out


@op(
    label="·{key} + v",
    linear=(0, 1),
    type=updated,
    pullback=lambda ct, x, v, *rest, key: (
        ct,
        getitem(ct, loaded(key, rest[:-1])),
        *[None] * len(rest[:-1]),
    ),
    cost=lambda x, v, *others, **static: prod(v),
    operand_labels=("x", "v", *"ijklmnop"),
    targets={"jax": lambda x, v, *arrays, key: written(x, v, arrays, key, "add")},
)
def add_at(x, v, *arrays, key):
    """x with v added at the places that a key names, once for every time that it names them."""
    out, places = np.array(x), loaded(key, arrays)
    np.add.at(out, places, in_shape(v, out[places]))
    return out
