"""Other shapes and other axes: dimshuffle, reshape, join, and flags that say what stretches."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import library, ops
from ...expr import Constant, Expr, operands
from ..core import lift
from .leaves import expression
from .lengths import axes_of, entries, lengths_of, one


@lift
def dimshuffle(x: Any, *pattern: Any) -> Any:
    """The axes in another order; "x" is a new one of length 1, and one left out has length 1."""
    x = expression(x)
    order = pattern[0] if len(pattern) == 1 and isinstance(pattern[0], (list, tuple)) else pattern
    kept = [int(k) for k in order if k != "x"]
    if any(not 0 <= k < x.ndim for k in kept) or len(set(kept)) < len(kept):
        raise ValueError(f"dimshuffle{tuple(order)} of a variable with {x.ndim} dimensions: a "
                         f"number from 0 to {x.ndim - 1} may not appear twice")  # fmt: skip
    gone = [k for k in range(x.ndim) if k not in kept]
    long = [k for k in gone if x.type.shape[k] != 1]
    if long:
        raise ValueError(f"You cannot drop a non-broadcastable dimension: dimshuffle"
                         f"{tuple(order)} leaves out {long}, of length "
                         f"{x.type.shape[long[0]] or 'not known to be 1'}; "
                         "T.addbroadcast(x, axis) says that it is 1")  # fmt: skip
    turned = ops.transpose(x, (*gone, *kept)) if (*gone, *kept) != tuple(range(x.ndim)) else x
    turned = ops.squeeze(turned, axis=tuple(range(len(gone)))) if gone else turned
    new = tuple(k for k, axis in enumerate(order) if axis == "x")
    return ops.expand_dims(turned, axis=new) if new else turned


@lift
def reshape(x: Any, newshape: Any, ndim: int | None = None) -> Any:
    """The entries row by row in another shape; `ndim` tells the length of a vector of lengths."""
    x = expression(x)
    if ndim is not None and isinstance(newshape, Expr) and newshape.type.shape == (None,):
        newshape = [newshape[k] for k in range(ndim)]
    told = lengths_of(newshape)
    if ndim is not None and len(told) != ndim:
        raise ValueError(f"the shape has {len(told)} lengths, and ndim is {ndim}")
    return ops.reshape(x, told)


def reshape_method(x: Any, *newshape: Any, ndim: int | None = None) -> Any:
    """x.reshape((2, 3)), x.reshape(2, 3), x.reshape(lengths, ndim=2)."""
    one_argument = len(newshape) == 1 or (
        len(newshape) == 2 and ndim is None and isinstance(newshape[0], (list, tuple))
    )
    if one_argument and len(newshape) == 2:
        ndim = newshape[1]
    return reshape(x, newshape[0] if one_argument else newshape, ndim)


@lift
def flatten(x: Any, ndim: int | None = None, outdim: int | None = None) -> Any:
    """The first ndim - 1 axes, and all others row by row as the last one."""
    x = expression(x)
    ndim = outdim if ndim is None else ndim
    ndim = 1 if ndim is None else int(ndim)
    if not 1 <= ndim <= max(x.ndim, 1):
        raise ValueError(f"ndim {ndim} out of bound [1, {x.ndim + 1})")
    if x.ndim == ndim:
        return x
    first = x.shape[: ndim - 1]
    rest = ops.size(x, tuple(range(ndim - 1, x.ndim)))
    return ops.reshape(x, (*first, rest))


@lift
def transpose(x: Any, axes: Any = None) -> Any:
    """The axes in reverse, or in this order."""
    x = expression(x)
    return ops.transpose(x) if axes is None else ops.transpose(x, tuple(int(k) for k in axes))


def transpose_method(x: Any, *axes: Any) -> Any:
    """x.transpose(), x.transpose(1, 0), x.transpose((1, 0))."""
    order = axes[0] if len(axes) == 1 and isinstance(axes[0], (list, tuple, type(None))) else axes
    return transpose(x, order or None)


@lift
def swapaxes(y: Any, axis1: int, axis2: int) -> Any:
    """Two axes exchanged."""
    return library.swapaxes(expression(y), axis1, axis2)


@lift
def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """Axes at other places."""
    return ops.moveaxis(expression(x), source, destination)


@lift
def shape_padleft(t: Any, n_ones: int = 1) -> Any:
    """New axes of length 1 before the others."""
    return ops.expand_dims(expression(t), axis=tuple(range(n_ones))) if n_ones else expression(t)


@lift
def shape_padright(t: Any, n_ones: int = 1) -> Any:
    """New axes of length 1 behind the others."""
    t = expression(t)
    return ops.expand_dims(t, axis=tuple(range(t.ndim, t.ndim + n_ones))) if n_ones else t


@lift
def shape_padaxis(t: Any, axis: int) -> Any:
    """A new axis of length 1."""
    t = expression(t)
    return ops.expand_dims(t, axis=axis if axis >= 0 else axis + t.ndim + 1)


@lift
def squeeze(x: Any, axis: Any = None) -> Any:
    """Without the axes that stretch."""
    x = expression(x)
    flags = [k for k, n in enumerate(x.type.shape) if n == 1]
    wanted = axes_of(axis, x.ndim)
    wanted = flags if wanted is None else [wanted] if isinstance(wanted, int) else list(wanted)
    if any(k not in flags for k in wanted):
        raise ValueError(f"squeeze of axis {axis}: only an axis that is broadcastable goes away")
    return ops.squeeze(x, axis=tuple(wanted)) if wanted else x


# ---- which axes stretch


# ---- several as one, one as several


def together(arrays: Sequence[Any]) -> list[Expr]:
    return list(operands(tuple(arrays), "join"))


@lift
def stack(*tensors: Any, axis: int = 0) -> Any:
    """Arrays along a new axis: T.stack([a, b], axis=0), or T.stack(a, b)."""
    if not tensors:
        raise TypeError("stack takes a list of arrays, T.stack([a, b]), or several, T.stack(a, b)")
    rows: Any = tensors
    if isinstance(tensors[0], (list, tuple)):
        rows, axis = tensors[0], tensors[1] if len(tensors) > 1 else axis
    parts = together([expression(r) for r in rows])
    return library.stack(parts, axis if any(p.ndim for p in parts) else 0)  # of numbers, a vector


@lift
def concatenate(tensor_list: Any, axis: Any = 0) -> Any:
    """Arrays one behind the other."""
    if not isinstance(tensor_list, (list, tuple)):
        raise TypeError(
            "The 'tensors' argument must be either a tuple or a list, make sure you "
            "did not forget () or [] around arguments of concatenate.",
            tensor_list,
        )
    rows = together([expression(t) for t in tensor_list])
    return library.concatenate(rows, axis=axes_of(axis, rows[0].ndim))


def join(axis: Any, *tensors: Any) -> Any:
    """The same with the axis first."""
    if len({np.ndim(t) if isinstance(t, (list, int, float)) else t.ndim for t in tensors}) > 1:
        raise TypeError("Join() can only join tensors with the same number of dimensions.")
    return concatenate(list(tensors), axis)


def horizontal_stack(*args: Any) -> Any:
    """Matrices beside each other."""
    return concatenate(list(args), 1)


def vertical_stack(*args: Any) -> Any:
    """Matrices one below the other."""
    return concatenate(list(args), 0)


def stacklists(arg: Any) -> Any:
    """Lists of lists as an array."""
    return stack([stacklists(a) for a in arg]) if isinstance(arg, (list, tuple)) else arg


@lift
def split(x: Any, splits_size: Any, n_splits: int, axis: int = 0) -> Any:
    """x in so many parts of these lengths."""
    x = expression(x)
    sizes = lengths_of(splits_size) if not isinstance(splits_size, Expr) else tuple(
        splits_size[k] for k in range(n_splits)) if splits_size.type.shape == (None,) else tuple(
        entries(splits_size))  # fmt: skip
    found: list[Any] = []
    start: Any = 0
    for n in sizes:
        key = (slice(None),) * (axis % x.ndim) + (slice(start, start + n),)
        found.append(x[key])
        start = start + n
    return found


@lift
def roll(x: Any, shift: Any, axis: int | None = None) -> Any:
    """The entries moved on, those at the end to the beginning."""
    x = expression(x)
    if axis is None:
        return ops.reshape(roll.plain(ops.ravel(x), shift, 0), x.shape)
    n = x.shape[axis % x.ndim]
    places = library.remainder(ops.arange(n) - one(shift), n)
    return x[(slice(None),) * (axis % x.ndim) + (places,)]


@lift
def tile(x: Any, reps: Any, ndim: int | None = None) -> Any:
    """The whole of x this many times along each axis."""
    x, counts = expression(x), lengths_of(reps)
    ndim = max(len(counts), x.ndim) if ndim is None else ndim
    counts = (1,) * (ndim - len(counts)) + counts
    x = ops.expand_dims(x, axis=tuple(range(ndim - x.ndim))) if ndim > x.ndim else x
    wide = ops.expand_dims(x, axis=tuple(range(0, 2 * ndim, 2)))
    shape = [m for n, k in zip(x.shape, counts, strict=True) for m in (k, n)]
    whole = ops.broadcast_to(wide, tuple(shape))
    return ops.reshape(whole, tuple(n * k for n, k in zip(x.shape, counts, strict=True)))


@lift
def repeat(x: Any, repeats: Any, axis: int | None = None) -> Any:
    """Every entry this many times in a row."""
    x = expression(x)
    if isinstance(repeats, Constant):
        repeats = np.asarray(repeats.value)
    repeats = expression(repeats) if isinstance(repeats, (list, tuple)) else repeats
    if getattr(repeats, "dtype", None) == "uint64":
        raise TypeError("repeat takes counts of at most 63 bits: cast them to int64")
    if isinstance(repeats, Expr) and repeats.type.shape == (1,):
        repeats = ops.reshape(repeats, ())
    return library.repeat(x, repeats, axis)


NAMES: dict[str, Any] = {
    f.__name__: f for f in (
        concatenate, dimshuffle, flatten, horizontal_stack, join, moveaxis,
        repeat, reshape, roll, shape_padaxis, shape_padleft, shape_padright,
        split, squeeze, stack, stacklists, swapaxes, tile, transpose, vertical_stack)
}  # fmt: skip
