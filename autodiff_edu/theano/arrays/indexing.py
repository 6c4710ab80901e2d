"""x[key], and x with other values at a key: set_subtensor(x[key], y)."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ... import library, ops
from ...expr import Expr, operands
from ...library.aliases import broadcast_arrays
from ...ops.gather import places
from ...ops.index import ALL, part
from ..core import Variable, lift, unwrap, wrap
from .leaves import expression
from .lengths import single
from .slices import places_of


def normal_key(x: Expr, key: Any) -> Any:
    """A key as NumPy reads it today: a list with slices in it was a tuple."""
    if isinstance(key, list) and any(
        k is None or k is Ellipsis or isinstance(k, slice) for k in key
    ):
        key = tuple(key)
    items = [normal_item(k) for k in (key if isinstance(key, tuple) else (key,))]
    if any(isinstance(k, slice) and isinstance(k.step, Expr) for k in items):
        return tuple(stepping(x, items))
    return tuple(items)


def stepping(x: Expr, items: list[Any]) -> Iterator[Any]:
    """The items with places instead of slices whose step is computed."""
    spread = sum(k is not None and k is not Ellipsis for k in items)
    axis = 0
    for item in items:
        if isinstance(item, slice) and isinstance(item.step, Expr):
            yield places_of(item, x.shape[axis])
        else:
            yield item
        axis += x.ndim - spread if item is Ellipsis else item is not None


def normal_item(item: Any) -> Any:
    if isinstance(item, slice):
        return slice(*[bound(b) for b in (item.start, item.stop, item.step)])
    if isinstance(item, list) and any(isinstance(k, Expr) for k in item):
        return expression(item)
    return item


def bound(b: Any) -> Any:
    """A bound of a slice: a number, or an expression for a whole one."""
    value = getattr(b, "value", None)
    return int(value) if value is not None and np.ndim(value) == 0 else b


@lift
def taken(x: Any, key: Any) -> Any:
    """The part that a key names; always a new node, so that it can be told from x."""
    x, key = expression(x), normal_key(expression(x), key)
    known = entry(x, key)
    if known is not None:
        return known
    found = x[key]
    return part(x, (ALL,) * x.ndim) if found is x else found


def entry(x: Expr, key: tuple) -> Expr | None:
    """An entry of a vector that was made of single numbers, as x.shape[0] is."""
    if x.op is not library.concatenate or x.ndim != 1 or len(key) != 1:
        return None
    if not isinstance(key[0], (int, np.integer)) or x.type.shape[0] != len(x.inputs):
        return None
    return single(x.inputs[int(key[0])]) if -len(x.inputs) <= key[0] < len(x.inputs) else None


def getitem(x: Any, key: Any) -> Any:
    """x[key], which remembers x and the key for set_subtensor."""
    found = taken(x, key)
    if isinstance(found, Variable):
        found.index = x, key
    return found


def changed(x: Any, y: Any, how: str) -> Any:
    if getattr(x, "index", None) is None:
        raise TypeError("x must be the result of a subtensor operation: write "
                        f"T.{how}_subtensor(x[key], y)")  # fmt: skip
    whole, key = x.index
    return put(whole, key, y, how)


@lift
def put(x: Any, key: Any, y: Any, how: str) -> Any:
    """x with y at a key, or added there, in the dtype of x."""
    x = expression(x)
    y = operands((x, expression(y) if isinstance(y, (list, tuple)) else y), how)[1]
    y = y if y.dtype == x.dtype else y.astype(x.dtype)
    spot = x.at[normal_key(x, key)]
    return spot.set(y) if how == "set" else spot.add(y)


def set_subtensor(
    x: Any, y: Any, inplace: bool = False, tolerate_inplace_aliasing: bool = False
) -> Any:
    """The whole of which x is a part, with y in the place of x; nothing changes in place."""
    return changed(x, y, "set")


def inc_subtensor(
    x: Any,
    y: Any,
    inplace: bool = False,
    set_instead_of_inc: bool = False,
    tolerate_inplace_aliasing: bool = False,
) -> Any:
    """The whole of which x is a part, with y added to x."""
    return changed(x, y, "set" if set_instead_of_inc else "inc")


@lift
def take(a: Any, indices: Any, axis: int | None = None, mode: str = "raise") -> Any:
    """The entries at places along an axis."""
    return library.take(expression(a), indices, axis, mode)


def where_not_zero(a: Expr) -> tuple[Expr, ...]:
    """Where entries are not zero: a vector of places for each axis."""
    if not a.ndim:
        raise ValueError("Nonzero only supports non-scalar arrays.")
    found = places(ops.not_equal(a, 0))
    return tuple(part(found, (k, ALL)) for k in range(a.ndim))


@lift
def nonzero_places(a: Any) -> Any:
    """Where entries are not zero."""
    return where_not_zero(expression(a))


def nonzero(a: Any, return_matrix: bool = False) -> Any:
    """Where entries are not zero: a tuple with a vector for each axis, or a matrix of them."""
    found = nonzero_places(a)
    return wrap(library.stack([unwrap(v) for v in found])) if return_matrix else tuple(found)


@lift
def flatnonzero(a: Any) -> Any:
    """Where entries are not zero, row by row."""
    return where_not_zero(ops.ravel(expression(a)))[0]


@lift
def nonzero_values(a: Any) -> Any:
    """The entries that are not zero."""
    a = expression(a)
    return a[where_not_zero(a)]


@lift
def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    """At each place the entry of the choice that a names there."""
    a = expression(a)
    if a.dtype.kind not in "iu":
        raise TypeError(f"choose takes whole numbers, and {a} has the dtype {a.dtype}")
    if not isinstance(choices, (list, tuple)):
        return chosen(a, expression(choices), mode)
    rows = operands(tuple(choices), "choose")
    a = into(a, len(rows), mode)
    found = rows[-1]
    for k in range(len(rows) - 2, -1, -1):
        found = ops.where(ops.equal(a, k), rows[k], found)
    return found


def chosen(a: Expr, choices: Expr, mode: str) -> Expr:
    """Of the rows of one array, at each place the entry of that which a names there."""
    n, rest = choices.shape[0], choices[0]
    a, _ = broadcast_arrays(into(a, n, mode), rest)
    new = tuple(range(1, 1 + a.ndim - rest.ndim))
    whole = ops.broadcast_to(ops.expand_dims(choices, axis=new), (n, *a.shape))
    return library.take_along_axis(whole, ops.expand_dims(a, axis=0), axis=0)[0]


def into(a: Expr, n: Any, mode: str) -> Expr:
    """Places outside 0, ..., n - 1 moved inside, as the mode says."""
    if mode == "clip":
        return ops.clip(a, 0, n - 1)
    return a % n if mode == "wrap" else a


@lift
def compress(condition: Any, x: Any, axis: int | None = None) -> Any:
    """The entries, along an axis, at which a condition holds."""
    x, condition = expression(x), expression(condition)
    x, axis = (ops.ravel(x), 0) if axis is None else (x, axis)
    (places,) = where_not_zero(condition)
    return x[(slice(None),) * (axis % x.ndim) + (places,)]


def several(x: Any, *places: Any) -> Any:
    """x[places]."""
    return getitem(x, tuple(places))


def advanced_set_subtensor(x: Any, y: Any, *places: Any) -> Any:
    """x with y at these places."""
    return put(x, tuple(places), y, "set")


def advanced_inc_subtensor(x: Any, y: Any, *places: Any) -> Any:
    """x with y added at these places."""
    return put(x, tuple(places), y, "inc")


NAMES: dict[str, Any] = {
    f.__name__: f for f in (advanced_inc_subtensor, advanced_set_subtensor, choose, compress,
                            flatnonzero, inc_subtensor, nonzero, nonzero_values, set_subtensor,
                            take)
} | {"advanced_inc_subtensor1": advanced_inc_subtensor,
     "advanced_set_subtensor1": advanced_set_subtensor}  # fmt: skip
