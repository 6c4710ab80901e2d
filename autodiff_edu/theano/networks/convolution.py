"""How convolutions are put together: filters are flipped, borders and strides have Theano's
names. One image with one filter, as `theano.tensor.signal.conv` had it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import library, ops
from ...expr import Expr
from ...library.convolution import correlate_images
from ..arrays.flags import Assertion
from ..arrays.leaves import expression
from ..core import config, lift

Sides = list[tuple[Any, Any]]
Part = tuple[Expr, int]


def pairs(given: Any, axes: int) -> tuple[int, ...]:
    """One number for each axis."""
    return (int(given),) * axes if np.ndim(given) == 0 else tuple(int(n) for n in given)


def steps(stride: Any, dilation: Any, axes: int) -> dict[str, tuple[int, ...]]:
    """How far the filters move, and how far apart their entries are, along each axis."""
    return {"stride": pairs(stride, axes), "dilation": pairs(dilation, axes)}


def borders(mode: Any, size: Sequence[Any], dilation: Sequence[int]) -> Sides:
    """How many zeros stand before and behind each axis."""
    reach = [(k - 1) * d + 1 for k, d in zip(size, dilation, strict=True)]
    if mode == "valid":
        return [(0, 0)] * len(reach)
    if mode == "full":
        return [(k - 1, k - 1) for k in reach]
    if mode == "half":
        return [(half(k), half(k)) for k in reach]
    given = (mode,) * len(reach) if isinstance(mode, (int, np.integer)) else mode
    if not isinstance(given, (tuple, list)) or len(given) != len(reach):
        raise ValueError(f"invalid border_mode {mode!r}, which must be either 'valid', 'full', "
                         "'half', an integer or a tuple of them")  # fmt: skip
    return [tuple(n) if isinstance(n, (tuple, list)) else (n, n) for n in given]


def half(k: Any) -> Any:
    return library.floor_divide(k, 2) if isinstance(k, Expr) else k // 2


def padded(x: Expr, sides: Sides) -> Expr:
    zero = all(type(n) is int and n == 0 for side in sides for n in side)
    return x if zero else library.pad(x, [(0, 0), (0, 0), *sides])


def flipped(w: Expr, flip: bool, axes: int | None = None) -> Expr:
    """The filters in the order in which a convolution reads them."""
    axes = w.ndim - 2 if axes is None else axes
    return w[(..., *[slice(None, None, -1)] * axes)] if flip else w


def told(x: Any, shape: Any) -> Expr:
    """The array with the lengths that the program states; with conv.assert_shape they are
    compared when it runs."""
    x = expression(x)
    if shape is None or (x.type.known and not config.conv.assert_shape):
        return x
    known = [n if n is None or isinstance(n, Expr) else int(n) for n in shape]
    if config.conv.assert_shape:
        rows = zip(x.shape, known, strict=True)
        same = [ops.equal(n, m) for n, m in rows if m is not None]
        return Assertion(f"The shape of {x} is not {tuple(known)}.")(x, *same) if same else x
    if not all(n is None or isinstance(n, int) for n in known) or all(n is None for n in known):
        return x
    pairs_ = zip(known, x.shape, strict=True)
    return ops.reshape(x, tuple(m if n is None else n for n, m in pairs_))


def same_dtype(*operands: Expr) -> list[Expr]:
    """The operands in the dtype that all fit in."""
    dtype = np.result_type(*[a.dtype for a in operands])
    return [a if a.dtype == dtype else a.astype(dtype) for a in operands]


def general(
    x: Expr, w: Expr, mode: Any, stride: Any, flip: bool, dilation: Any, num_groups: int
) -> Expr:
    if x.ndim != w.ndim:
        raise TypeError(f"the images have {x.ndim} axes, the filters {w.ndim}")
    how = steps(stride, dilation, w.ndim - 2)
    around = padded(x, borders(mode, w.shape[2:], how["dilation"]))
    around, w = same_dtype(around, flipped(w, flip))
    return in_groups(correlate_images, (around, 1), (w, 0), num_groups, 1, **how)


def in_groups(product: Any, left: Part, right: Part, count: int, joined: int, **how: Any) -> Expr:
    """The product of each group with its own, joined along an axis. An operand comes with the
    axis of its channels."""
    if count == 1:
        return product(left[0], right[0], **how)
    parts = [product(each(*left, k, count), each(*right, k, count), **how) for k in range(count)]
    return library.concatenate(parts, axis=joined)


def each(x: Expr, axis: int, k: int, count: int) -> Expr:
    """The k-th of so many equal parts along an axis."""
    n = x.shape[axis]
    part = library.floor_divide(n, count) if isinstance(n, Expr) else n // count
    return x[(slice(None),) * axis + (slice(k * part, (k + 1) * part),)]


@lift
def signal_conv2d(
    input: Any,
    filters: Any,
    image_shape: Any = None,
    filter_shape: Any = None,
    border_mode: str = "valid",
    subsample: Any = (1, 1),
    **ignored: Any,
) -> Any:
    """The convolution of an image, or several, with a filter, or several; no channels."""
    x, w = expression(input), expression(filters)
    images = x if x.ndim == 3 else ops.expand_dims(x, axis=0)
    kernels = w if w.ndim == 3 else ops.expand_dims(w, axis=0)
    found = general(ops.expand_dims(images, axis=1), ops.expand_dims(kernels, axis=1), border_mode,
                    subsample, True, 1, 1)  # fmt: skip
    found = found if x.ndim == 3 else ops.squeeze(found[:1], axis=0)
    return found if w.ndim == 3 else found[(slice(None),) * (x.ndim - 2) + (0,)]
