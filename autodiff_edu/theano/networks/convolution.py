"""Convolutions of Theano's: filters are flipped, borders and strides have its names."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import library, ops
from ...expr import Expr
from ...library.convolution import correlate_images, filters_from, images_from
from ..arrays.leaves import expression
from ..arrays.lengths import lengths_of, one
from ..core import lift

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


def flipped(w: Expr, flip: bool) -> Expr:
    """The filters in the order in which a convolution reads them."""
    return w[(..., *[slice(None, None, -1)] * (w.ndim - 2))] if flip else w


def told(x: Any, shape: Any) -> Expr:
    """The array with the lengths that the program states."""
    x = expression(x)
    if shape is None or x.type.known:
        return x
    known = [n if n is None or isinstance(n, Expr) else int(n) for n in shape]
    if not all(n is None or isinstance(n, int) for n in known) or all(n is None for n in known):
        return x
    pairs_ = zip(known, x.shape, strict=True)
    return ops.reshape(x, tuple(m if n is None else n for n, m in pairs_))


def general(
    x: Expr, w: Expr, mode: Any, stride: Any, flip: bool, dilation: Any, num_groups: int
) -> Expr:
    if x.ndim != w.ndim:
        raise TypeError(f"the images have {x.ndim} axes, the filters {w.ndim}")
    how = steps(stride, dilation, w.ndim - 2)
    around = padded(x, borders(mode, w.shape[2:], how["dilation"]))
    dtype = np.result_type(around.dtype, w.dtype)
    around, w = [a if a.dtype == dtype else a.astype(dtype) for a in (around, flipped(w, flip))]
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
def abstract_conv(
    input: Any,
    filters: Any,
    input_shape: Any = None,
    filter_shape: Any = None,
    border_mode: Any = "valid",
    subsample: Any = 1,
    filter_flip: bool = True,
    filter_dilation: Any = 1,
    num_groups: int = 1,
) -> Any:
    """The convolution over all axes but the first two."""
    w = told(filters, filter_shape)
    x = told(input, input_shape)
    return general(x, w, border_mode, subsample, filter_flip, filter_dilation, num_groups)


def conv2d(
    input: Any,
    filters: Any,
    input_shape: Any = None,
    filter_shape: Any = None,
    border_mode: Any = "valid",
    subsample: Any = (1, 1),
    filter_flip: bool = True,
    image_shape: Any = None,
    filter_dilation: Any = (1, 1),
    num_groups: int = 1,
    unshared: bool = False,
    **ignored: Any,
) -> Any:
    """The convolution of images (n, channels, rows, columns) with filters."""
    if unshared:
        raise NotImplementedError("conv2d with unshared filters is not there")
    if ignored:
        warnings.warn(f"conv2d ignores {', '.join(ignored)}", stacklevel=2)
    shape = image_shape if input_shape is None else input_shape
    return abstract_conv(input, filters, shape, filter_shape, border_mode, subsample, filter_flip,
                         filter_dilation, num_groups)  # fmt: skip


def conv3d(
    input: Any,
    filters: Any,
    input_shape: Any = None,
    filter_shape: Any = None,
    border_mode: Any = "valid",
    subsample: Any = (1, 1, 1),
    filter_flip: bool = True,
    filter_dilation: Any = (1, 1, 1),
    num_groups: int = 1,
) -> Any:
    """The same over three axes."""
    return abstract_conv(input, filters, input_shape, filter_shape, border_mode, subsample,
                         filter_flip, filter_dilation, num_groups)  # fmt: skip


@lift
def conv_grad_wrt_inputs(
    output_grad: Any,
    filters: Any,
    input_shape: Any,
    filter_shape: Any = None,
    border_mode: Any = "valid",
    subsample: Any = 1,
    filter_flip: bool = True,
    filter_dilation: Any = 1,
    num_groups: int = 1,
    unshared: bool = False,
) -> Any:
    """What a convolution hands back to its images: a transposed convolution."""
    ct, w = expression(output_grad), flipped(told(filters, filter_shape), filter_flip)
    how = steps(subsample, filter_dilation, w.ndim - 2)
    sides = borders(border_mode, w.shape[2:], how["dilation"])
    whole_shape = list(lengths_of(input_shape)) if isinstance(input_shape, Expr) else input_shape
    lengths = [one(n) for n in list(whole_shape)[2:]]
    whole = [n + a + b for n, (a, b) in zip(lengths, sides, strict=True)]
    found = in_groups(images_from, (ct, 1), (w, 0), num_groups, 1, lengths=whole, **how)
    key = tuple(slice(a, a + n) for n, (a, _) in zip(lengths, sides, strict=True))
    return found[(slice(None), slice(None), *key)]


@lift
def conv_grad_wrt_weights(
    input: Any,
    output_grad: Any,
    filter_shape: Any,
    input_shape: Any = None,
    border_mode: Any = "valid",
    subsample: Any = 1,
    filter_flip: bool = True,
    filter_dilation: Any = 1,
    num_groups: int = 1,
    unshared: bool = False,
) -> Any:
    """What a convolution hands back to its filters."""
    size = list(lengths_of(filter_shape))[2:]
    how = steps(subsample, filter_dilation, len(size))
    around = padded(expression(input), borders(border_mode, size, how["dilation"]))
    ct = expression(output_grad)
    found = in_groups(filters_from, (around, 1), (ct, 1), num_groups, 0, lengths=size, **how)
    return flipped(found, filter_flip)


def conv2d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    filter_shape: Any = None,
    border_mode: Any = "valid",
    input_dilation: Any = (1, 1),
    filter_flip: bool = True,
    filter_dilation: Any = (1, 1),
    num_groups: int = 1,
    unshared: bool = False,
) -> Any:
    """A transposed convolution."""
    return conv_grad_wrt_inputs(
        input, filters, output_shape, filter_shape, border_mode, input_dilation, filter_flip,
        filter_dilation, num_groups)  # fmt: skip


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


NAMES: dict[str, Any] = {
    "conv2d": conv2d, "conv3d": conv3d, "abstract_conv2d": conv2d,
    "conv2d_transpose": conv2d_transpose, "conv2d_grad_wrt_inputs": conv_grad_wrt_inputs,
    "conv3d_grad_wrt_inputs": conv_grad_wrt_inputs,
    "conv2d_grad_wrt_weights": conv_grad_wrt_weights,
    "conv3d_grad_wrt_weights": conv_grad_wrt_weights,
}  # fmt: skip
