"""Kernels that draw straight lines, filters of one channel, and shapes known beforehand."""

from typing import Any

from ... import library, ops
from ...expr import Expr
from ..arrays import elementwise
from ..arrays.creation import arange
from ..arrays.leaves import expression
from ..core import lift
from .convolution import conv2d


def separable_conv2d(
    input: Any,
    depthwise_filters: Any,
    pointwise_filters: Any,
    num_channels: int,
    input_shape: Any = None,
    depthwise_filter_shape: Any = None,
    pointwise_filter_shape: Any = None,
    border_mode: Any = "valid",
    subsample: Any = (1, 1),
    filter_flip: bool = True,
    filter_dilation: Any = (1, 1),
) -> Any:
    """A convolution of each channel for itself, then one of single pixels."""
    each = conv2d(
        input,
        depthwise_filters,
        input_shape,
        depthwise_filter_shape,
        border_mode,
        subsample,
        filter_flip,
        None,
        filter_dilation,
        num_groups=num_channels,
    )
    return conv2d(each, pointwise_filters, None, pointwise_filter_shape, filter_flip=filter_flip)


def bilinear_kernel_1D(ratio: Any, normalize: bool = True) -> Any:
    """1, 2, …, ratio, …, 2, 1, over the ratio."""
    n = arange(1, 2 * ratio)
    row = ratio - elementwise.SAME["abs_"](n - ratio)
    row = elementwise.cast(row, "floatX")
    return row / elementwise.cast(ratio, "floatX") if normalize else row


def bilinear_kernel_2D(ratio: Any, normalize: bool = True) -> Any:
    """The same in both directions."""
    row = bilinear_kernel_1D(ratio, normalize)
    return row.dimshuffle("x", 0) * row.dimshuffle(0, "x")


@lift
def bilinear_upsampling(
    input: Any,
    ratio: Any = None,
    frac_ratio: Any = None,
    batch_size: Any = None,
    num_input_channels: Any = None,
    use_1D_kernel: bool = True,
) -> Any:
    """Images (n, channels, rows, columns), `ratio` times as large, on straight lines between the
    pixels. Either way of Theano's, by one kernel or by two, gives these values."""
    if frac_ratio is not None:
        raise NotImplementedError("bilinear_upsampling has no frac_ratio: write a whole ratio=")
    if ratio is None:
        raise ValueError("bilinear_upsampling takes ratio=: how many times as large")
    x, ratio = expression(input), int(ratio)
    rows, columns = [between(n, ratio).astype(x.dtype) for n in x.shape[2:]]
    return library.einsum("rj,ncjk,sk->ncrs", rows, x, columns)


def between(n: Any, ratio: int) -> Expr:
    """The weights of n pixels in n·ratio pixels: place i lies at (i - ⌊(ratio - 1)/2⌋)/ratio."""
    place = (ops.arange(n * ratio) - (ratio - 1) // 2) / ratio
    place = ops.expand_dims(ops.clip(place, 0.0, n - 1.0), axis=1)
    return ops.maximum(1.0 - ops.abs(place - ops.arange(n)), 0.0)


def get_conv_output_shape(
    image_shape: Any, kernel_shape: Any, border_mode: Any, subsample: Any,
    filter_dilation: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """The shape of what a convolution gives; None where a length is not known."""
    dilation = filter_dilation or (1,) * len(subsample)
    found = [image_shape[0], kernel_shape[0]]
    rows = zip(image_shape[2:], kernel_shape[2:], subsample, dilation, strict=True)
    for k, (n, size, step, d) in enumerate(rows):
        if n is None or size is None:
            found.append(None)
            continue
        reach = (size - 1) * d + 1
        mode = border_mode[k] if isinstance(border_mode, (tuple, list)) else border_mode
        pad = {"valid": 0, "full": reach - 1, "half": reach // 2}.get(mode, mode)
        before, after = pad if isinstance(pad, (tuple, list)) else (pad, pad)
        found.append((n + before + after - reach) // step + 1)
    return tuple(found)


NAMES: dict[str, Any] = {
    f.__name__: f for f in (bilinear_kernel_1D, bilinear_kernel_2D, bilinear_upsampling,
                            get_conv_output_shape, separable_conv2d)
}  # fmt: skip
