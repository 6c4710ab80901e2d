"""Images made larger, on straight lines between their pixels."""

from math import gcd
from typing import Any

from ... import library, ops
from ...expr import Expr
from ..arrays import elementwise
from ..arrays.creation import arange
from ..arrays.leaves import expression
from ..core import lift


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
    pixels. Either way of Theano's, by one kernel or by two, gives these values. A frac_ratio
    (p, q) makes them p/q times as large; a pair of them is for rows and columns."""
    if ratio is None and frac_ratio is None:
        raise ValueError("bilinear_upsampling takes ratio=: how many times as large")
    x = expression(input)
    times = pair(frac_ratio) if ratio is None else [(int(ratio), 1)] * 2
    rows, columns = [
        between(n, *t).astype(x.dtype) for n, t in zip(x.shape[2:], times, strict=True)
    ]
    return library.einsum("rj,ncjk,sk->ncrs", rows, x, columns)


def pair(frac_ratio: Any) -> list[tuple[int, int]]:
    """The fractions for rows and for columns, in lowest terms."""
    if not isinstance(frac_ratio, tuple):
        raise ValueError(f"frac_ratio is a tuple (p, q), not {frac_ratio!r}")
    both = frac_ratio if isinstance(frac_ratio[0], tuple) else (frac_ratio, frac_ratio)
    return [(p // gcd(p, q), q // gcd(p, q)) for p, q in both]


def between(n: Any, p: int, q: int) -> Expr:
    """The weights of n pixels in ⌈n·p/q⌉ pixels: place i lies at (i·q - ⌊(p - 1)/2⌋)/p."""
    count = n * p + (q - 1)
    count = library.floor_divide(count, q) if isinstance(n, Expr) else count // q
    place = (ops.arange(count) * q - (p - 1) // 2) / p
    place = ops.expand_dims(ops.clip(place, 0.0, n - 1.0), axis=1)
    return ops.maximum(1.0 - ops.abs(place - ops.arange(n)), 0.0)


NAMES: dict[str, Any] = {
    f.__name__: f for f in (bilinear_kernel_1D, bilinear_kernel_2D, bilinear_upsampling)
}  # fmt: skip
