"""`theano.tensor.nnet.abstract_conv`: convolutions, and what they hand back."""

import warnings
from typing import Any

from ...expr import Expr
from ...library.convolution import filters_from, images_from
from ..arrays.leaves import as_tensor_variable, expression
from ..arrays.lengths import lengths_of, one
from ..core import lift
from . import unshared as own_filters
from .convolution import borders, flipped, general, in_groups, padded, same_dtype, steps, told


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
    unshared: bool = False,
) -> Any:
    """The convolution over all axes but the first two."""
    w = told(filters, filter_shape)
    x = told(input, input_shape)
    if unshared:
        return own_filters.product(x, w, border_mode, subsample, filter_flip, filter_dilation,
                                   num_groups)  # fmt: skip
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
    if ignored:
        warnings.warn(f"conv2d ignores {', '.join(ignored)}", stacklevel=2)
    shape = image_shape if input_shape is None else input_shape
    return abstract_conv(input, filters, shape, filter_shape, border_mode, subsample, filter_flip,
                         filter_dilation, num_groups, unshared)  # fmt: skip


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
    ct = expression(output_grad)
    axes = ct.ndim - 2
    ct, w = same_dtype(ct, flipped(told(filters, filter_shape), filter_flip, axes))
    how = steps(subsample, filter_dilation, axes)
    sides = borders(border_mode, w.shape[-axes:], how["dilation"])
    whole_shape = list(lengths_of(input_shape)) if isinstance(input_shape, Expr) else input_shape
    lengths = [one(n) for n in list(whole_shape)[2:]]
    whole = [n + a + b for n, (a, b) in zip(lengths, sides, strict=True)]
    product = own_filters.images if unshared else images_from
    found = in_groups(product, (ct, 1), (w, 0), num_groups, 1, lengths=whole, **how)
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
    ct = expression(output_grad)
    axes = ct.ndim - 2
    several = isinstance(filter_shape, Expr)
    size = lengths_of(filter_shape)[2:] if several else lengths_of(list(filter_shape)[-axes:])
    how = steps(subsample, filter_dilation, axes)
    around = padded(told(input, input_shape), borders(border_mode, size, how["dilation"]))
    around, ct = same_dtype(around, ct)
    product = own_filters.filters if unshared else filters_from
    found = in_groups(product, (around, 1), (ct, 1), num_groups, 0, lengths=list(size), **how)
    return flipped(found, filter_flip, axes)


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
        filter_dilation, num_groups, unshared)  # fmt: skip


def separable(axes: int) -> Any:
    """A convolution of each channel for itself, then one of single pixels."""
    once = (1,) * axes

    def separable_conv(
        input: Any,
        depthwise_filters: Any,
        pointwise_filters: Any,
        num_channels: int,
        input_shape: Any = None,
        depthwise_filter_shape: Any = None,
        pointwise_filter_shape: Any = None,
        border_mode: Any = "valid",
        subsample: Any = once,
        filter_flip: bool = True,
        filter_dilation: Any = once,
    ) -> Any:
        each = abstract_conv(
            input, depthwise_filters, input_shape, depthwise_filter_shape, border_mode, subsample,
            filter_flip, filter_dilation, num_channels)  # fmt: skip
        return abstract_conv(each, pointwise_filters, None, pointwise_filter_shape)

    separable_conv.__name__, separable_conv.__doc__ = f"separable_conv{axes}d", separable.__doc__
    return separable_conv


def causal_conv1d(
    input: Any,
    filters: Any,
    filter_shape: Any,
    input_shape: Any = None,
    subsample: Any = 1,
    filter_flip: bool = True,
    filter_dilation: Any = 1,
    num_groups: int = 1,
    unshared: bool = False,
) -> Any:
    """The convolution of sequences (n, channels, steps): an entry sees itself and what was before
    it."""
    x, w = as_tensor_variable(input), as_tensor_variable(filters)
    if x.ndim != 3 or w.ndim != 3:
        raise ValueError(f"causal_conv1d takes 3D input and filters, not {x.ndim}D and {w.ndim}D")
    before = (filter_shape[2] - 1) * filter_dilation
    found = abstract_conv(
        x.dimshuffle(0, 1, 2, "x"), w.dimshuffle(0, 1, 2, "x"), None, None,
        ((before, 0), (0, 0)), (subsample, 1), filter_flip, (filter_dilation, 1), num_groups,
        unshared)  # fmt: skip
    return found.dimshuffle(0, 1, 2)


NAMES: dict[str, Any] = {
    "conv2d": conv2d, "conv3d": conv3d, "abstract_conv2d": conv2d,
    "conv2d_transpose": conv2d_transpose, "conv2d_grad_wrt_inputs": conv_grad_wrt_inputs,
    "conv3d_grad_wrt_inputs": conv_grad_wrt_inputs,
    "conv2d_grad_wrt_weights": conv_grad_wrt_weights,
    "conv3d_grad_wrt_weights": conv_grad_wrt_weights,
    "causal_conv1d": causal_conv1d, "separable_conv2d": separable(2),
    "separable_conv3d": separable(3),
}  # fmt: skip
