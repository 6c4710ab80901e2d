"""Fourier transforms of real arrays over all axes but the first. As in Theano, a complex number is
the last axis: its real and its imaginary part."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import ops
from ...expr import Expr, TensorType
from ..core import lift
from ..core.own_op import own
from .leaves import expression


def axes_of(x: np.ndarray) -> tuple[int, ...]:
    return tuple(range(1, x.ndim))


def pairs(z: np.ndarray, dtype: Any) -> np.ndarray:
    return np.stack([z.real, z.imag], axis=-1).astype(dtype)


def complexes(x: np.ndarray) -> np.ndarray:
    return x[..., 0] + 1j * x[..., 1]


def half(n: int | None) -> int | None:
    return None if n is None else n // 2 + 1


def spectrum(t: TensorType, *_: TensorType) -> TensorType:
    return TensorType(t.dtype, (*t.shape[:-1], half(t.shape[-1]), 2))


def signal(t: TensorType, *_: TensorType) -> TensorType:
    return TensorType(t.dtype, (*t.shape[:-2], None))


@own(type=spectrum, linear=(0,), pullback=lambda ct, x, out: (untransform(ct, x.shape[-1]),))
def transform(x):
    """Σₓ x e^(-iωx), for one half of the frequencies of the last axis."""
    return pairs(np.fft.rfftn(x, axes=axes_of(x)), x.dtype)


@own(type=signal, linear=(0,), pullback=lambda ct, z, n, out: (transform(ct), None))
def untransform(z, n):
    """The transpose of the transform: Σ over the frequencies that it has of Re(z e^(iωx))."""
    z, n = complexes(z), int(n)
    whole = np.zeros((*z.shape[:-1], n), z.dtype)
    whole[..., : z.shape[-1]] = z
    axes = axes_of(whole)
    return np.fft.ifftn(whole, axes=axes, norm="forward").real


def scale(lengths: Sequence[Any], norm: Any, whole: Any) -> Any:
    """What Theano's norm multiplies the plain sum by; `whole` is that of None."""
    count: Any = 1
    for n in lengths:
        count = count * n
    if norm == "ortho":
        return 1.0 / ops.sqrt(count)
    if norm not in (None, "no_norm"):
        raise ValueError(f"Invalid value {norm} for norm, must be None, 'ortho' or 'no_norm'")
    return 1.0 if norm == "no_norm" or not whole else 1.0 / count


@lift
def rfft(inp: Any, norm: str | None = None) -> Any:
    """The transform of each x[k], (..., n // 2 + 1, 2) for a last axis of n."""
    x = expression(inp)
    found = transform(x)
    return scaled(found, scale(x.shape[1:], norm, False))


@lift
def irfft(inp: Any, norm: str | None = None, is_odd: bool = False) -> Any:
    """The real arrays of which these are the transforms; is_odd says so of their last axis."""
    if is_odd not in (True, False):
        raise ValueError(f"Invalid value {is_odd} for is_odd, must be True or False")
    z = expression(inp)
    n = 2 * (z.shape[-2] - 1) + int(is_odd)
    place = ops.arange(z.shape[-2])
    alone = ops.equal(place, 0) if is_odd else ops.equal(place % (z.shape[-2] - 1), 0)
    weights = ops.expand_dims(ops.where(alone, 1.0, 2.0), axis=1).astype(z.dtype)
    return scaled(untransform(weights * z, n), scale((*z.shape[1:-2], n), norm, True))


def scaled(x: Expr, by: Any) -> Expr:
    return x * (by.astype(x.dtype) if isinstance(by, Expr) else by)


NAMES: dict[str, Any] = {"rfft": rfft, "irfft": irfft}
