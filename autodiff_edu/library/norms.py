"""Lengths of vectors and sizes of matrices, as numpy.linalg measures them."""

from math import inf
from typing import Any

import numpy as np

from ..core.derivative_rules import broadcast_like
from ..expr import Constant, Expr, LazyModule, operands, register
from ..ops.comparison import where
from ..ops.cost import each_entry
from ..ops.declare import op
from ..ops.lengths import numbered
from ..ops.radial import along
from ..ops.reduce import normalize_static, reduced, spread
from ..ops.shape import expand_dims, moveaxis, squeeze
from .decompositions import svdvals
from .linalg import inv

__all__ = ["condition_number", "matrix_norm", "norm", "vector_norm"]

jnp = LazyModule("jax.numpy")
FLOATS = [np.finfo(name) for name in ("float16", "float32", "float64")]
LEAST: dict[Any, float] = {limits.dtype: float(limits.tiny / limits.eps) for limits in FLOATS}


def nonzero(out: Expr) -> Expr:
    """The length, and 1 where it is 0: there the slope is 0, as that of |x| is."""
    return where(out == 0, 1, out)


def over_axes(ct: Expr, x: Expr, out: Expr, **which: Any) -> Expr:
    """ct · x / ‖x‖, and 0 where x is 0; (ct / ‖x‖) · x, where ‖x‖ is a factor of ct."""

    def smooth(k: Any) -> Expr:
        k = k if isinstance(k, Expr) else Constant(float(k), out.dtype)
        return spread(broadcast_like(k, out), x, **which) * x

    def plain(rest: Expr) -> Expr:
        return spread(rest, x, **which) * (x / spread(nonzero(out), x, **which))

    return along(ct, out, smooth, plain)


def in_range(total: Any) -> bool:
    """Are these sums of squares finite, and none so small that squares have lost digits?"""
    least = LEAST.get(getattr(total, "dtype", None))
    if least is None or not total.size:
        return True
    if not total.ndim:
        return least < float(total) < inf
    return bool(total.min() > least and total.max() < inf)


def scaled_norm(x: Any, axis: Any, keepdims: bool) -> Any:
    """`norm2` by x over a power of two near its largest entry, a division that rounds nothing."""
    top = np.max(np.abs(x), axis=axis, keepdims=True, initial=0)
    k = np.where(np.isfinite(top), np.frexp(top)[1], 0)
    length = np.sqrt(np.square(np.ldexp(x, -k)).sum(axis=axis, keepdims=keepdims))
    return np.ldexp(length, k if keepdims else np.squeeze(k, axis))


def always_scaled(x: Any, axis: Any, keepdims: bool) -> Any:
    """`norm2` for JAX, by x over its largest entry: JAX's powers of two overflow at the ends of the
    range."""
    top = jnp.max(jnp.abs(x), axis=axis, keepdims=True, initial=0)
    top = jnp.where(jnp.isfinite(top) & (top > 0), top, 1)
    length = jnp.sqrt(jnp.sum(jnp.square(x / top), axis=axis, keepdims=keepdims))
    return length * (top if keepdims else jnp.squeeze(top, axis))


@op(
    label="‖·‖",
    normal=normalize_static,
    type=reduced,
    pullback=lambda ct, x, out, **which: (over_axes(ct, x, out, **which),),
    pushforward=lambda t, x, out, **which: ((x / spread(nonzero(out), x, **which)) * t[0]).sum(
        **which
    ),
    cost=each_entry(2),
    facts={"nonnegative": "always"},
    exact_facts={"nonnegative": "finite"},
    kinks={"all entries are 0": "0 for each of them"},
    targets={"jax": lambda x, *, axis=None, keepdims=False: always_scaled(x, axis, keepdims)},
)
def norm2(x, *, axis=None, keepdims=False):
    """√Σx² over axes, with the slope 0 at 0. Squares neither overflow nor underflow."""
    total = np.sum(np.square(x), axis=axis, keepdims=keepdims)
    return np.sqrt(total) if in_range(total) else scaled_norm(x, axis, keepdims)


def as_float(x: Expr) -> Expr:
    return x if x.type.is_float else x.astype("float64")


@register("vector_norm")
def vector_norm(x: Any, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Expr:
    """(Σ|x|^ord)^(1/ord) over axes, the largest |x| for inf, the number of nonzero x for 0.

    Parameters
    ----------
    ord : int or float, default: 2
        Which norm: a power, inf, -inf or 0.

    Returns
    -------
    Expr
        The norms, without the axes.

    Raises
    ------
    ValueError
        If ord is the norm of a matrix.

    See Also
    --------
    numpy.linalg.vector_norm : The same for arrays.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.vector_norm(x), {x: [3.0, 4.0]})
    np.float64(5.0)
    """
    (x,) = operands((x,), "vector_norm")
    x, which = as_float(x), {"axis": axis, "keepdims": keepdims}
    if isinstance(ord, str):
        raise ValueError(f"{ord!r} is the norm of a matrix: give norm two axes, or ord a number")
    if ord in (None, 2):
        return norm2(x, **which)
    if ord in (inf, -inf):
        return abs(x).max(**which) if ord > 0 else abs(x).min(**which)
    if ord == 0:
        return (x != 0).astype(x.dtype).sum(**which)
    if ord == 1:
        return abs(x).sum(**which)
    total = (abs(x) ** ord).sum(**which)
    if ord < 0:
        return total ** (1 / ord)
    return where(total == 0, 0, where(total == 0, 1, total) ** (1 / ord))  # no 0·inf at 0


def across(x: Expr, ord: Any, axes: tuple[int, int]) -> Expr:
    """The matrix norm over two axes, which keep the length 1."""
    if ord in (None, "fro"):
        return norm2(x, axis=axes, keepdims=True)
    if ord in (1, -1, inf, -inf):
        inner, outer = axes if abs(ord) == 1 else axes[::-1]
        sums = abs(x).sum(axis=inner, keepdims=True)
        pick = sums.max if ord > 0 else sums.min
        return pick(axis=outer, keepdims=True)
    if ord not in (2, -2, "nuc"):
        raise ValueError(f"the norms of a matrix are 'fro', 'nuc', 1, 2, inf and -1, -2, -inf, "
                         f"not {ord!r}")  # fmt: skip
    s = svdvals(moveaxis(x, axes, (-2, -1)))
    return expand_dims(s.sum(axis=-1) if ord == "nuc" else s[..., 0 if ord == 2 else -1], axis=axes)


@register("matrix_norm")
def matrix_norm(x: Any, *, keepdims: bool = False, ord: Any = "fro") -> Expr:
    """The norm of each matrix: of its entries for "fro", else of its singular values or sums.

    Parameters
    ----------
    x : Expr or array_like, shape (..., m, n)
        Matrices.
    keepdims : bool, default: False
        Whether the two axes stay, with length 1.
    ord : {'fro', 'nuc', 1, -1, 2, -2, inf, -inf}, default: 'fro'
        Which norm.

    Returns
    -------
    Expr, shape (...)
        A number for each matrix.

    Raises
    ------
    ValueError
        If ord is none of these.

    See Also
    --------
    numpy.linalg.matrix_norm : The same for arrays.

    Examples
    --------
    >>> x = ad.matrix("x")
    >>> ad.evaluate(ad.matrix_norm(x), {x: [[3.0, 0.0], [0.0, 4.0]]})
    np.float64(5.0)
    """
    return norm(x, ord, (-2, -1), keepdims)


@register("norm")
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Expr:
    """The norm of vectors along one axis, of matrices along two, or of all entries together.

    Parameters
    ----------
    ord : int, float or str, optional
        Which norm, as for NumPy; by default the root of the sum of squares.
    axis : int or tuple of int, optional
        One axis for vectors, two for matrices; by default all entries together.

    Returns
    -------
    Expr
        The norms.

    Raises
    ------
    ValueError
        If there are more than two axes, or ord is no norm of what they hold.

    See Also
    --------
    numpy.linalg.norm : The same for arrays.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.norm(x), {x: [3.0, 4.0]})
    np.float64(5.0)
    """
    (x,) = operands((x,), "norm")
    if axis is None and (ord is None or x.ndim == 1):
        return vector_norm(x, ord=ord, keepdims=keepdims)
    given = range(x.ndim) if axis is None else axis if np.ndim(axis) else [axis]
    axes = numbered(given, x.ndim)
    if len(axes) == 1:
        return vector_norm(x, axis=axes, ord=ord, keepdims=keepdims)
    if len(axes) != 2:
        raise ValueError(f"norm takes one axis or two, not {len(axes)}: write vector_norm")
    found = across(as_float(x), ord, axes)
    return found if keepdims else squeeze(found, axis=axes)


@register("cond")
def condition_number(x: Any, p: Any = None) -> Expr:
    """The largest singular value over the smallest, or the norm of x times that of its inverse.

    Parameters
    ----------
    x : Expr or array_like, shape (..., m, n)
        Matrices, square ones where p is neither None nor 2 nor -2.
    p : {None, 'fro', 'nuc', 1, -1, 2, -2, inf, -inf}, optional
        Which norm; by default 2, for which it is that quotient. For -2 it is the inverse of it.

    Returns
    -------
    Expr, shape (...)
        The condition number of each.

    Raises
    ------
    ValueError
        If p is none of these.

    See Also
    --------
    numpy.linalg.cond : The same for arrays.

    Examples
    --------
    >>> x = ad.matrix("x", shape=(2, 2))
    >>> ad.evaluate(ad.condition_number(x), {x: [[3.0, 0.0], [0.0, 1.0]]})
    np.float64(3.0)
    """
    if p in (None, 2, -2):
        s = svdvals(x)
        return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    return matrix_norm(x, ord=p) * matrix_norm(inv(x), ord=p)
