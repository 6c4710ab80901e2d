"""Correlation of images and filters of any sizes, over any number of axes, and its adjoints.

    correlate_images(x, w)        Σ x[n, c, i·stride + j·dilation] w[f, c, j]
    images_from(ct, w, lengths)   its adjoint in x
    filters_from(x, ct, lengths)  its adjoint in w

Each is linear in both operands, and the derivatives of each are the other two. `lengths` are those
of what is made, over the axes of the images; they may be known only when the program runs.
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ..expr import Expr, LazyModule, ShapeError, TensorType
from ..ops.declare import op
from ..ops.lengths import fill

jax, jnp = LazyModule("jax"), LazyModule("jax.numpy")

# letters: x images, w filters, ct what the correlation gives, n m k lengths


def placed(n: int | None, k: int | None, stride: int, dilation: int) -> int | None:
    """How many places a filter of length k has on n entries."""
    if n is None or k is None:
        return None
    reach = (k - 1) * dilation + 1
    if n < reach:
        raise ShapeError(f"a filter of length {reach} does not fit onto {n} entries")
    return (n - reach) // stride + 1


def typed(a: TensorType, b: TensorType, shape: Sequence[int | None]) -> TensorType:
    return TensorType(np.result_type(a.dtype, b.dtype), shape)


def correlated(x: TensorType, w: TensorType, stride: tuple, dilation: tuple) -> TensorType:
    return typed(x, w, correlated_shape(x.shape, w.shape, stride, dilation))


def correlated_shape(x: tuple, w: tuple, stride: tuple, dilation: tuple) -> tuple:
    """The shape for these of images and filters. Raises ShapeError where they do not fit."""
    if len(x) != len(stride) + 2 or len(w) != len(x):
        raise ShapeError(f"images and filters have {len(stride) + 2} axes each")
    if None not in (x[1], w[1]) and x[1] != w[1]:
        raise ShapeError(f"the images have {x[1]} channels, the filters {w[1]}")
    steps = zip(x[2:], w[2:], stride, dilation, strict=True)
    return (x[0], w[0], *[placed(*each) for each in steps])


def read_lengths(
    a: Any, b: Any, *unknown: Any, lengths: Sequence[Any], stride: tuple, dilation: tuple
) -> tuple[tuple, dict]:
    """Lengths that are expressions are operands."""
    given = [n for n in lengths if isinstance(n, Expr)]
    known = tuple(None if n is None or isinstance(n, Expr) else int(n) for n in lengths)
    return (a, b, *unknown, *given), {"lengths": known, "stride": stride, "dilation": dilation}


def meeting(
    lengths: Sequence[int | None],
    images: Sequence[int | None],
    filters: Sequence[int | None],
    ct: TensorType,
    stride: tuple,
    dilation: tuple,
) -> Sequence[int | None]:
    """These lengths. Raises ShapeError where filters have not as many places on images as ct."""
    steps = zip(images, filters, stride, dilation, ct.shape[2:], strict=True)
    for n, k, s, d, given in steps:
        wanted = placed(n, k, s, d)
        if None not in (wanted, given) and wanted != given:
            raise ShapeError(
                f"a filter of length {k} has {wanted} places on {n} entries, not {given}"
            )
    return lengths


def windows_at(offset: tuple, places: Sequence[int], stride: tuple, dilation: tuple) -> Any:
    """The slices of the entries that one entry of the filter meets, from place to place."""
    rows = zip(offset, places, stride, dilation, strict=True)
    return tuple(slice(o * d, o * d + (n - 1) * s + 1, s) for o, n, s, d in rows)


def seen(x: np.ndarray, size: Sequence[int], stride: tuple, dilation: tuple) -> np.ndarray:
    """A view of all windows: (n, c, places..., size...)."""
    reach = [(k - 1) * d + 1 for k, d in zip(size, dilation, strict=True)]
    axes = tuple(range(2, x.ndim))
    wide = np.lib.stride_tricks.sliding_window_view(x, reach, axes)
    steps = tuple(slice(None, None, s) for s in stride) + tuple(
        slice(None, None, d) for d in dilation
    )
    return wide[(slice(None), slice(None), *steps)]


# ---- for JAX


def correlate_by_jax(x: Any, w: Any, *, stride: tuple, dilation: tuple) -> Any:
    dtype = jnp.result_type(x, w)
    how = {"window_strides": stride, "padding": "VALID", "rhs_dilation": dilation}
    return jax.lax.conv_general_dilated(x.astype(dtype), w.astype(dtype), **how)


def images_by_jax(ct: Any, w: Any, *unknown: Any, lengths: Any, **how: Any) -> Any:
    shape = (ct.shape[0], w.shape[1], *fill(lengths, unknown))
    return transposed(lambda x: correlate_by_jax(x, w, **how), shape, ct, w)


def filters_by_jax(x: Any, ct: Any, *unknown: Any, lengths: Any, **how: Any) -> Any:
    shape = (ct.shape[1], x.shape[1], *fill(lengths, unknown))
    return transposed(lambda w: correlate_by_jax(x, w, **how), shape, ct, x)


def transposed(linear: Callable, shape: tuple, ct: Any, other: Any) -> Any:
    """The adjoint of a linear function at ct. JAX has that of floats alone."""
    dtype = jnp.result_type(ct, other)
    floats = dtype if jnp.issubdtype(dtype, jnp.floating) else jnp.dtype("float64")
    return jax.vjp(linear, jnp.zeros(shape, floats))[1](ct.astype(floats))[0].astype(dtype)


# ---- the operations


def correlation_pullback(ct: Expr, x: Expr, w: Expr, out: Expr, **how: Any) -> tuple:
    return (images_from(ct, w, lengths=x.shape[2:], **how),
            filters_from(x, ct, lengths=w.shape[2:], **how))  # fmt: skip


@op(
    multilinear=True,
    type=correlated,
    targets={"jax": correlate_by_jax},
    pullback=correlation_pullback,
    cost=lambda x, w, out, **how: 2 * prod(out) * prod(w[1:]),
)
def correlate_images(x, w, *, stride, dilation):
    """For each filter and place the sum of products with the images."""
    correlated_shape(x.shape, w.shape, stride, dilation)
    axes = range(2, x.ndim)
    windows = seen(x, w.shape[2:], stride, dilation)
    inner = [x.ndim + k - 2 for k in axes]
    found = np.tensordot(windows, w, ([1, *inner], [1, *axes]))
    return np.ascontiguousarray(np.moveaxis(found, -1, 1))


@op(
    multilinear=True,
    targets={"jax": images_by_jax},
    cost=lambda ct, w, *others, **how: 2 * prod(ct) * prod(w[1:]),
    reads=read_lengths,
    type=lambda ct, w, *_, lengths, stride, dilation: typed(
        ct,
        w,
        (ct.shape[0], w.shape[1], *meeting(lengths, lengths, w.shape[2:], ct, stride, dilation)),
    ),
    pullback=lambda g, ct, w, *rest, lengths, stride, dilation: (
        correlate_images(g, w, stride=stride, dilation=dilation),
        filters_from(g, ct, lengths=w.shape[2:], stride=stride, dilation=dilation),
        *[None] * (len(rest) - 1),
    ),
)
def images_from(ct, w, *unknown, lengths, stride, dilation):
    """The filters, put down at each place as often as is said there, and added up."""
    told = fill(lengths, unknown)
    out = np.zeros((ct.shape[0], w.shape[1], *told), np.result_type(ct, w))
    for offset in np.ndindex(*w.shape[2:]):
        key = (slice(None), slice(None), *windows_at(offset, ct.shape[2:], stride, dilation))
        part = np.tensordot(ct, w[(slice(None), slice(None), *offset)], (1, 0))
        out[key] += np.moveaxis(part, -1, 1)
    return out


@op(
    multilinear=True,
    targets={"jax": filters_by_jax},
    cost=lambda x, ct, *others, **how: 2 * prod(ct) * prod(others[-1][1:]),
    reads=read_lengths,
    type=lambda x, ct, *_, lengths, stride, dilation: typed(
        x,
        ct,
        (ct.shape[1], x.shape[1], *meeting(lengths, x.shape[2:], lengths, ct, stride, dilation)),
    ),
    pullback=lambda g, x, ct, *rest, lengths, stride, dilation: (
        images_from(ct, g, lengths=x.shape[2:], stride=stride, dilation=dilation),
        correlate_images(x, g, stride=stride, dilation=dilation),
        *[None] * (len(rest) - 1),
    ),
)
def filters_from(x, ct, *unknown, lengths, stride, dilation):
    """For each entry of the filters the sum of products of what they gave and what they met."""
    size = fill(lengths, unknown)
    reach = [(n - 1) * s + (k - 1) * d + 1
             for n, s, k, d in zip(ct.shape[2:], stride, size, dilation, strict=True)]  # fmt: skip
    kept = x[(slice(None), slice(None), *[slice(0, n) for n in reach])]
    windows = seen(kept, size, stride, dilation)
    places = list(range(2, ct.ndim))
    return np.tensordot(ct, windows, ([0, *places], [0, *places]))
