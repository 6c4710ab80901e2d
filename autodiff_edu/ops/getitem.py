"""x[key], as NumPy means it: numbers, slices, ..., None, arrays of places and masks.

A key with arrays is taken apart: the slices first, then `gather` along the axes that the arrays
index. A slice with bounds that the program computes is taken by `between`.
"""

from collections.abc import Sequence
from operator import index as whole
from typing import Any

import numpy as np

from ..core.derivative_rules import agree
from ..expr import Constant, Expr, constant, misfit, register, shown
from .gather import gather, other_lengths, places
from .index import ALL, between, in_bounds, index, part
from .shape import moveaxis, transpose

# ---- reading a key


def read_key(x: Expr, key: Any) -> tuple:
    """A key as Python hands it over, one item for each axis; a mask becomes index arrays, and of
    ... only one that stands for no axis is left: in NumPy it parts the arrays around it."""
    items = [read_item(item) for item in (key if isinstance(key, tuple) else (key,))]
    used = sum(item.ndim if is_mask(item) else item is not None for item in items)
    dots = [k for k, item in enumerate(items) if item is Ellipsis]
    if used - len(dots) > x.ndim:
        raise IndexError(f"{used - len(dots)} indices for {x.ndim} axes")
    if len(dots) > 1:
        raise IndexError("an index has at most one ...")
    full: list = []
    for item in items if dots else [*items, Ellipsis]:
        if item is Ellipsis:
            full += [slice(None)] * (x.ndim - used + len(dots)) or [Ellipsis] * len(dots)
        elif is_mask(item):
            full += true_places(item, x, sum(i is not None and i is not Ellipsis for i in full))
        else:
            full.append(item)
    return tuple(full)


def read_item(item: Any) -> Any:
    """A number, a slice, ..., None or an expression."""
    if item is None or item is Ellipsis or isinstance(item, slice):
        return item
    if isinstance(item, (int, np.integer)) and not isinstance(item, bool):
        return int(item)
    array = item if isinstance(item, (Expr, np.ndarray)) else np.asarray(item)
    array = array.astype(int) if isinstance(item, list) and not item else array
    if array.dtype.kind not in "iu" and not (is_mask(array) and array.ndim):
        raise IndexError(
            "an index is a whole number, a slice, ..., None, or an array of whole numbers or of "
            f"truth values, not {shown(item)} of {array.dtype}"
        )
    return array if isinstance(array, Expr) else constant(array)


def is_mask(item: Any) -> bool:
    return isinstance(item, (Expr, np.ndarray)) and item.dtype.kind == "b"


def true_places(mask: Expr, x: Expr, axis: int = 0) -> list[Expr]:
    """Where a mask over these axes of x holds: an array of places for each. Raises IndexError."""
    lengths = x.type.shape[axis : axis + mask.ndim]
    told = mask.type.shape
    if not agree(told, lengths):
        raise other_lengths(f"type {mask.type!r}", lengths)
    if isinstance(mask, Constant) and None not in lengths:
        return list(map(constant, np.nonzero(mask.value)))
    of_x = getattr(mask.op, "elementwise", False) and any(i is x for i in mask.inputs)
    sure = None not in told + lengths or (of_x and mask.ndim == x.ndim)
    found = places(mask) if sure else places(mask, *x.shape[axis : axis + mask.ndim])
    return [part(found, (k, ALL)) for k in range(mask.ndim)]


def freeze(item: Any) -> Any:
    """A slice or a number as it is stored."""
    if not isinstance(item, slice):
        return item
    bounds = (item.start, item.stop, item.step)
    if any(isinstance(b, Expr) for b in bounds):
        raise TypeError("a place that is to change has bounds known now: write ad.arange(a, b)")
    return tuple(b if b is None else whole(b) for b in bounds)


# ---- taking


@register("getitem")
def getitem(x: Expr, key: Any) -> Expr:
    """x[key]. Raises IndexError for what is out of bounds or no index."""
    known = x.op.taken(*x.inputs, key) if x.op and x.op.taken else None
    if known is not None:
        return known
    try:
        return taken(x, read_key(x, key))
    except (IndexError, TypeError, ValueError) as error:
        raise misfit(index.name, (x,), error) from None


def taken(x: Expr, items: Sequence[Any]) -> Expr:
    """The part that a key names, read already."""
    whole_x, spots = x, [k for k, item in enumerate(items) if isinstance(item, (int, Expr))]
    x, items = within_bounds(x, [item for item in items if item is not Ellipsis])
    no_arrays = not any(isinstance(item, Expr) for item in items)
    if x is not whole_x and no_arrays and all(item == slice(None) for item in items):
        return x
    if no_arrays:
        return part(x, tuple(map(freeze, items)))
    indexed = [isinstance(item, (int, Expr)) for item in items]  # a number is an array here
    rest = [slice(None) if t else item for t, item in zip(indexed, items, strict=True)]
    x = part(x, tuple(map(freeze, rest))) if any(r != slice(None) for r in rest) else x
    axes = [k for k, t in enumerate(indexed) if t]
    arrays = [place(x, k, items[k]) for k in axes]
    front = (*axes, *[k for k in range(x.ndim) if k not in axes])
    found = gather(transpose(x, front) if front != tuple(range(x.ndim)) else x, *arrays)
    together = spots == list(range(spots[0], spots[0] + len(spots)))
    new = range(found.ndim - x.ndim + len(axes))
    if together and axes[0] and new:
        found = moveaxis(found, tuple(new), tuple(k + axes[0] for k in new))
    return found


def within_bounds(x: Expr, items: Sequence[Any]) -> tuple[Expr, list]:
    """x between the bounds that are expressions, and the items that are left to take."""
    left: list = []
    for item in items:
        if isinstance(item, slice) and isinstance(item.step, Expr):
            raise TypeError("the step of a slice is a number known now: write x[ad.arange(a, b, k)]"
                            " for x[a:b:k]")  # fmt: skip
        if isinstance(item, slice) and any(isinstance(b, Expr) for b in (item.start, item.stop)):
            if item.step is not None and item.step < 0:
                raise TypeError("a slice between computed bounds runs forward: write x[a:b][::-1]")
            axis = sum(i is not None for i in left)
            start = 0 if item.start is None else item.start
            stop = x.shape[axis] if item.stop is None else item.stop
            x, item = between(x, start, stop, axis=axis), slice(None, None, item.step)
        left.append(item)
    return x, left


def place(x: Expr, axis: int, item: Any) -> Expr:
    """The places along an axis as an expression; those known now are checked now."""
    array = item if isinstance(item, Expr) else constant(item)
    if isinstance(array, Constant):
        for k in (array.value.min(), array.value.max()) if array.value.size else ():
            in_bounds(x.type.shape[axis], int(k))
    return array
