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


def pairs(given: Any, axes: int) -> tuple[int, ...]:
    """One number for each axis."""
    return (int(given),) * axes if np.ndim(given) == 0 else tuple(int(n) for n in given)


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
    axes = w.ndim - 2
    if x.ndim != w.ndim:
        raise TypeError(f"the images have {x.ndim} axes, the filters {w.ndim}")
    how = {"stride": pairs(stride, axes), "dilation": pairs(dilation, axes)}
    around = padded(x, borders(mode, w.shape[2:], how["dilation"]))
    dtype = np.result_type(around.dtype, w.dtype)
    around, w = [a if a.dtype == dtype else a.astype(dtype) for a in (around, flipped(w, flip))]
    if num_groups == 1:
        return correlate_images(around, w, **how)
    found = []
    for k in range(num_groups):
        channels = each(around, 1, k, num_groups)
        found.append(correlate_images(channels, each(w, 0, k, num_groups), **how))
    return library.concatenate(found, axis=1)


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
    axes = w.ndim - 2
    how = {"stride": pairs(subsample, axes), "dilation": pairs(filter_dilation, axes)}
    sides = borders(border_mode, w.shape[2:], how["dilation"])
    whole_shape = list(lengths_of(input_shape)) if isinstance(input_shape, Expr) else input_shape
    lengths = [one(n) for n in list(whole_shape)[2:]]
    whole = [n + a + b for n, (a, b) in zip(lengths, sides, strict=True)]
    parts = []
    for k in range(num_groups):
        alone = num_groups == 1
        g = ct if alone else each(ct, 1, k, num_groups)
        f = w if alone else each(w, 0, k, num_groups)
        parts.append(images_from(g, f, lengths=whole, **how))
    found = parts[0] if num_groups == 1 else library.concatenate(parts, axis=1)
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
    axes = len(size)
    how = {"stride": pairs(subsample, axes), "dilation": pairs(filter_dilation, axes)}
    around = padded(expression(input), borders(border_mode, size, how["dilation"]))
    ct = expression(output_grad)
    parts = [filters_from(each(around, 1, k, num_groups) if num_groups > 1 else around,
                          each(ct, 1, k, num_groups) if num_groups > 1 else ct, lengths=size, **how)
             for k in range(num_groups)]  # fmt: skip
    found = parts[0] if num_groups == 1 else library.concatenate(parts, axis=0)
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
        input,
        filters,
        output_shape,
        filter_shape,
        border_mode,
        input_dilation,
        filter_flip,
        filter_dilation,
        num_groups,
    )


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
