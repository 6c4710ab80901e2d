"""Pooling: the largest entry, the mean or the sum of each window over the last axes."""

from collections.abc import Sequence
from typing import Any

from ... import library, ops
from ...differentiate import grad
from ...expr import Expr
from ...library.windows import windows
from ..arrays.leaves import expression
from ..arrays.lengths import lengths_of
from ..arrays.reductions import largest
from ..core import lift

MODES = ("max", "sum", "average_inc_pad", "average_exc_pad")


def sizes(given: Any, axes: int) -> tuple[Any, ...]:
    """A number for each axis; a number may be an expression."""
    told = lengths_of(given)
    return told * axes if len(told) == 1 else told


def output_length(n: Any, size: Any, step: Any, ignore_border: bool) -> Any:
    """How many windows stand on n entries."""
    if ignore_border:
        return quotient(n - size, step) + 1
    if not isinstance(step, Expr) and not isinstance(size, Expr) and step >= size:
        return quotient(n - 1, step) + 1
    rest = quotient(n - 1 - size + step, step)
    return (ops.maximum(rest, 0) if isinstance(rest, Expr) else max(rest, 0)) + 1


def quotient(n: Any, k: Any) -> Any:
    both = isinstance(n, Expr) or isinstance(k, Expr)
    return library.floor_divide(n, k) if both else n // k


def seen(x: Expr, size: Sequence[Any], step: Sequence[Any], counts: Sequence[Any]) -> Expr:
    """The windows: so many last axes more."""
    if all(isinstance(n, int) for n in (*size, *step)):
        return windows(x, size=tuple(size), stride=tuple(step))
    places = [ops.expand_dims(ops.arange(c) * s, axis=1) + ops.arange(k)
              for c, s, k in zip(counts, step, size, strict=True)]  # fmt: skip
    axes, first = len(size), x.ndim - len(size)
    for k, at in enumerate(places):  # each axis becomes two: the place and the entry
        x = x[(slice(None),) * (first + 2 * k) + (at,)]
    order = (*range(first), *range(first, x.ndim, 2), *range(first + 1, x.ndim, 2))
    return ops.transpose(x, order) if axes > 1 else x


def framed(x: Expr, sides: Sequence[tuple[Any, Any]], value: Any) -> Expr:
    zero = all(type(n) is int and n == 0 for side in sides for n in side)
    if zero:
        return x
    return library.pad(x, [*[(0, 0)] * (x.ndim - len(sides)), *sides], constant_values=value)


def pooled(
    x: Any, ws: Any, ignore_border: Any, stride: Any, pad: Any, mode: str, axes: int
) -> Expr:
    x = expression(x)
    if x.ndim < axes:
        raise NotImplementedError(f"pool_{axes}d requires a dimension >= {axes}")
    if mode not in MODES:
        raise ValueError(f"Pool mode parameter only support {', '.join(MODES)}. Got {mode}")
    size = sizes(ws, axes)
    step = size if stride is None else sizes(stride, axes)
    border = sizes(0 if pad is None else pad, axes)
    plain = all(isinstance(p, int) and p == 0 for p in border)
    if not plain and not ignore_border:
        raise NotImplementedError("padding works only with ignore_border=True")
    shape = x.shape[x.ndim - axes :]
    wide = [n + 2 * p for n, p in zip(shape, border, strict=True)]
    counts = [output_length(n, k, s, bool(ignore_border))
              for n, k, s in zip(wide, size, step, strict=True)]  # fmt: skip
    after = [rest(n, k, s, c) if not ignore_border else 0
             for n, k, s, c in zip(wide, size, step, counts, strict=True)]  # fmt: skip
    sides = [(p, p + a if a is not p else p) for p, a in zip(border, after, strict=True)]
    along = tuple(range(-axes, 0))
    if mode == "max":
        whole = framed(x, sides, smallest(x))
        found = seen(whole, size, step, counts)
        return largest(found, axis=tuple(found.ndim + k for k in along), keepdims=False)
    total = ops.sum(seen(framed(x, sides, 0), size, step, counts), axis=along)
    if mode == "sum":
        return total
    inside = ops.ones_like(x)
    counted = framed(inside, [(p, p) for p in border], 1 if mode == "average_inc_pad" else 0)
    counted = framed(counted, [(0, a) for a in after], 0)
    return total / ops.sum(seen(counted, size, step, counts), axis=along)


def smallest(x: Expr) -> Any:
    import numpy as np

    return -np.inf if x.dtype.kind == "f" else int(np.iinfo(x.dtype).min)


def rest(n: Any, size: Any, step: Any, count: Any) -> Any:
    """How many entries the last window reaches behind the end."""
    more = (count - 1) * step + size - n
    return ops.maximum(more, 0) if isinstance(more, Expr) else max(more, 0)


def flag(ignore_border: Any) -> bool:
    return False if ignore_border is None else bool(ignore_border)


@lift
def pool_2d(
    input: Any,
    ws: Any = None,
    ignore_border: Any = None,
    stride: Any = None,
    pad: Any = (0, 0),
    mode: str = "max",
    ds: Any = None,
    st: Any = None,
    padding: Any = None,
) -> Any:
    """One number for each window over the last two axes; without ignore_border the last windows
    may reach over the edge."""
    ws, stride = (ds if ws is None else ws), (st if stride is None else stride)
    pad = pad if padding is None else padding
    return pooled(input, ws, flag(ignore_border), stride, pad, mode, 2)


@lift
def pool_3d(
    input: Any,
    ws: Any = None,
    ignore_border: Any = None,
    stride: Any = None,
    pad: Any = (0, 0, 0),
    mode: str = "max",
    ds: Any = None,
    st: Any = None,
    padding: Any = None,
) -> Any:
    """The same over the last three axes."""
    ws, stride = (ds if ws is None else ws), (st if stride is None else stride)
    pad = pad if padding is None else padding
    return pooled(input, ws, flag(ignore_border), stride, pad, mode, 3)


def out_shape(
    imgshape: Any,
    ws: Any = None,
    ignore_border: Any = False,
    stride: Any = None,
    pad: Any = None,
    ndim: int = 2,
    ds: Any = None,
    st: Any = None,
    padding: Any = None,
) -> list[Any]:
    """The shape of what is pooled, from that of the images."""
    size = sizes(ws if ds is None else ds, ndim)
    stride = stride if st is None else st
    step = size if stride is None else sizes(stride, ndim)
    border = sizes(pad or padding or 0, ndim)
    last = [n + 2 * p for n, p in zip(imgshape[-ndim:], border, strict=True)]
    return list(imgshape[:-ndim]) + [
        output_length(n, k, s, bool(ignore_border))
        for n, k, s in zip(last, size, step, strict=True)
    ]


class PoolOptions:
    """Options of pooling, to be applied to images and sizes of windows."""

    def __init__(
        self, ignore_border: Any = False, mode: str = "max", ndim: int = 2, openmp: Any = None
    ):
        self.ignore_border, self.mode, self.ndim = flag(ignore_border), mode, ndim

    def apply(self, x: Any, ws: Any, stride: Any, pad: Any) -> Expr:
        return pooled(x, ws, self.ignore_border, stride, pad, self.mode, self.ndim)

    def back(self, x: Any, ct: Any, ws: Any, stride: Any, pad: Any) -> Expr:
        """What comes back to the images from the cotangent of what was pooled."""
        x = expression(x)
        return grad(ops.sum(self.apply(x, ws, stride, pad) * expression(ct)), x)


class Pool(PoolOptions):
    """Pool()(x, ws): the entries of each window become one."""

    def __call__(self, x: Any, ws: Any, stride: Any = None, pad: Any = None) -> Any:
        return lift(self.apply)(x, ws, stride, pad)


class MaxPoolGrad(PoolOptions):
    """Of the largest entries: MaxPoolGrad()(x, pooled, cotangent, ws)."""

    def __init__(self, ignore_border: Any = False, ndim: int = 2, openmp: Any = None):
        super().__init__(ignore_border, "max", ndim)

    def __call__(
        self, x: Any, maxout: Any, gz: Any, ws: Any, stride: Any = None, pad: Any = None
    ) -> Any:
        return lift(self.back)(x, gz, ws, stride, pad)


class AveragePoolGrad(PoolOptions):
    """Of means and sums: AveragePoolGrad()(x, cotangent, ws)."""

    def __init__(self, ignore_border: Any = False, mode: str = "average_inc_pad", ndim: int = 2):
        super().__init__(ignore_border, mode, ndim)

    def __call__(
        self, x: Any, gz: Any, ws: Any, stride: Any = None, pad: Any = None, dummy: Any = None
    ) -> Any:
        return lift(self.back)(x, gz, ws, stride, pad)


def max_pool_2d(
    input: Any,
    ds: Any,
    ignore_border: Any = None,
    st: Any = None,
    padding: Any = (0, 0),
    mode: str = "max",
) -> Any:
    """The older name of pool_2d, with older names of its arguments."""
    return pool_2d(input, ds, ignore_border, st, padding, mode)


@lift
def max_pool_2d_same_size(input: Any, patch_size: Any) -> Any:
    """The input, with zeros where an entry is not the largest of its window."""
    x = expression(input)
    size = sizes(patch_size, 2)
    top = pooled(x, size, True, None, 0, "max", 2)
    for k, n in enumerate(size):
        top = library.repeat(top, n, top.ndim - 2 + k)
    shape = x.shape[-2:]
    sides = [(0, m - t) for m, t in zip(shape, top.shape[-2:], strict=True)]
    whole = framed(top, sides, 0)
    return ops.where(ops.equal(whole, x), x, 0)


NAMES: dict[str, Any] = {
    f.__name__: f for f in (max_pool_2d, max_pool_2d_same_size, pool_2d, pool_3d)
}  # fmt: skip
