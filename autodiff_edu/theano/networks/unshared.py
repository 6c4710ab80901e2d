"""Convolutions whose filters differ from place to place: axes (out, rows, columns, in, k, l)."""

from typing import Any

from ... import library, ops
from ...expr import Expr
from ...library.windows import windows
from .convolution import borders, flipped, in_groups, padded, same_dtype, steps

How = tuple[int, ...]


def places(counts: Any, size: Any, stride: How, dilation: How) -> list[Expr]:
    """For each axis, which entries each window sees: axes (rows, columns, k, l)."""
    found = []
    for axis, (n, k, step, d) in enumerate(zip(counts, size, stride, dilation, strict=True)):
        seen = ops.expand_dims(ops.arange(n) * step, axis=1) + ops.arange(k) * d
        found.append(ops.expand_dims(seen, axis=((1, 3), (0, 2))[axis]))
    return found


def windows_of(x: Expr, counts: Any, size: Any, stride: How, dilation: How) -> Expr:
    """The windows of images: axes (n, channels, rows, columns, k, l)."""
    if all(isinstance(k, int) for k in size) and set(dilation) == {1}:
        return windows(x, size=tuple(size), stride=stride)
    return x[(slice(None), slice(None), *places(counts, size, stride, dilation))]


def product(
    x: Expr, w: Expr, mode: Any, stride: Any, flip: bool, dilation: Any, num_groups: int
) -> Expr:
    """The products of each window with the filters of its place."""
    if w.ndim != 6:
        raise TypeError(f"unshared filters have 6 axes, not {w.ndim}")
    how = steps(stride, dilation, 2)
    around = padded(x, borders(mode, w.shape[4:], how["dilation"]))
    around, w = same_dtype(around, flipped(w, flip, 2))
    return in_groups(each_window, (around, 1), (w, 0), num_groups, 1, **how)


def each_window(x: Expr, w: Expr, stride: How, dilation: How) -> Expr:
    seen = windows_of(x, w.shape[1:3], w.shape[4:], stride, dilation)
    return library.einsum("ncrskl,orsckl->nors", seen, w)


def images(ct: Expr, w: Expr, lengths: Any, stride: How, dilation: How) -> Expr:
    """What the windows hand back to the images."""
    seen = library.einsum("nors,orsckl->ncrskl", ct, w)
    empty = ops.zeros((ct.shape[0], w.shape[3], *lengths)).astype(seen.dtype)
    where = places(w.shape[1:3], w.shape[4:], stride, dilation)
    return empty.at[(slice(None), slice(None), *where)].add(seen)


def filters(x: Expr, ct: Expr, lengths: Any, stride: How, dilation: How) -> Expr:
    """What they hand back to the filters."""
    seen = windows_of(x, ct.shape[2:], lengths, stride, dilation)
    return library.einsum("nors,ncrskl->orsckl", ct, seen)
