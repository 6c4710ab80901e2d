"""Sums, products, means, extremes and their places, along axes."""

from collections.abc import Callable
from typing import Any

from ... import library, ops
from ...expr import Expr
from ...nested import custom_gradient
from ...ops.reduce import spread
from ..core import lift
from .elementwise import truth
from .leaves import expression
from .lengths import axes_of

# ---- extremes: each entry that ties has its whole slope, as Theano had it


def undivided(extreme: Callable[..., Expr]) -> Callable[..., Expr]:
    """The extreme, of which each entry at a tie has its whole slope."""

    def found(x: Expr, axis: Any = None, keepdims: bool = False) -> Any:
        which: dict[str, Any] = {"axis": axis, "keepdims": bool(keepdims)}
        out: Any = extreme(x, **which)
        return out, lambda ct: ops.where(x == spread(out, x, **which), spread(ct, x, **which), 0)

    found.__name__ = extreme.name  # type: ignore[attr-defined]
    return custom_gradient(found)


largest, smallest = undivided(ops.max), undivided(ops.min)


def all_axes(x: Expr, axis: Any) -> tuple[int, ...]:
    found = axes_of(axis, x.ndim)
    found = tuple(range(x.ndim)) if found is None else found
    return tuple(sorted((found,) if isinstance(found, int) else found))


@lift
def max(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The largest entry."""
    x = expression(x)
    return largest(x, axis=all_axes(x, axis), keepdims=keepdims)


@lift
def min(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The smallest entry."""
    x = expression(x)
    return smallest(x, axis=all_axes(x, axis), keepdims=keepdims)


def place(op: Callable[..., Expr], x: Any, axis: Any, keepdims: bool) -> Expr:
    x = expression(x)
    along = axes_of(axis, x.ndim)
    if isinstance(along, tuple) and len(along) == x.ndim:
        along = None
    if isinstance(along, tuple):
        if len(along) != 1:
            rest = tuple(k for k in range(x.ndim) if k not in along)
            turned = ops.transpose(x, (*rest, *along))
            shape = (*turned.shape[: len(rest)], ops.size(x, along))
            return op(ops.reshape(turned, shape), axis=-1)
        along = along[0]
    return op(x, axis=along, keepdims=bool(keepdims))


@lift
def argmax(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The place of the largest entry."""
    return place(library.argmax, x, axis, keepdims)


@lift
def argmin(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The place of the smallest entry."""
    return place(library.argmin, x, axis, keepdims)


@lift
def max_and_argmax(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The largest entry, and its place."""
    return [max.plain(a, axis, keepdims), argmax.plain(a, axis, keepdims)]


# ---- sums


def typed(result: Expr, dtype: Any) -> Expr:
    return result if dtype is None else result.astype(dtype)


@lift
def sum(
    input: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False, acc_dtype: Any = None
) -> Any:
    """The sum; `acc_dtype` is the dtype in which it is added up."""
    x = expression(input)
    x = x if acc_dtype is None else x.astype(acc_dtype)
    return typed(ops.sum(x, axis=axes_of(axis, x.ndim), keepdims=bool(keepdims)), dtype)


@lift
def prod(
    input: Any,
    axis: Any = None,
    dtype: Any = None,
    keepdims: bool = False,
    acc_dtype: Any = None,
    no_zeros_in_input: bool = False,
) -> Any:
    """The product."""
    x = expression(input)
    x = x if acc_dtype is None else x.astype(acc_dtype)
    return typed(library.prod(x, axis=axes_of(axis, x.ndim), keepdims=bool(keepdims)), dtype)


@lift
def mean(
    input: Any,
    axis: Any = None,
    dtype: Any = None,
    op: bool = False,
    keepdims: bool = False,
    acc_dtype: Any = None,
) -> Any:
    """The mean."""
    x = expression(input)
    x = x if dtype is None and acc_dtype is None else x.astype(acc_dtype or dtype)
    return typed(ops.mean(x, axis=axes_of(axis, x.ndim), keepdims=bool(keepdims)), dtype)


@lift
def var(
    input: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False, corrected: bool = False
) -> Any:
    """The mean square distance from the mean."""
    x = expression(input)
    along = all_axes(x, axis)
    centred = x - ops.mean(x, axis=along, keepdims=True)
    total = ops.sum(ops.square(centred), axis=along, keepdims=bool(keepdims))
    n = ops.size(x, along) - ddof
    return total / (n.astype(x.dtype) if isinstance(n, Expr) else float(n))


@lift
def std(
    input: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False, corrected: bool = False
) -> Any:
    """Its root."""
    return ops.sqrt(var.plain(input, axis, ddof, keepdims))


@lift
def all(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Are all entries different from zero?"""
    x = truth(expression(x))
    return ops.all(x, axis=axes_of(axis, x.ndim), keepdims=bool(keepdims))


@lift
def any(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Is an entry different from zero?"""
    x = truth(expression(x))
    return ops.any(x, axis=axes_of(axis, x.ndim), keepdims=bool(keepdims))


@lift
def ptp(a: Any, axis: Any = None) -> Any:
    """The distance between the largest entry and the smallest."""
    return max.plain(a, axis) - min.plain(a, axis)


@lift
def norm(x: Any, L: Any = 2, axis: Any = None, keepdims: bool = False) -> Any:
    """The L-norm of the entries, (Σ |x|^L)^(1/L)."""
    x = expression(x)
    along = axes_of(axis, x.ndim)
    how: dict[str, Any] = {"axis": along, "keepdims": bool(keepdims)}
    if isinstance(L, (int, float)) and L == 0:
        return ops.sum(ops.not_equal(x, 0), **how)
    if isinstance(L, (int, float)) and L == float("inf"):
        return max.plain(ops.abs(x), axis, keepdims)
    if isinstance(L, (int, float)) and L == 2:
        return ops.sqrt(ops.sum(ops.square(x), **how))
    return ops.power(ops.sum(ops.power(ops.abs(x), L), **how), 1.0 / L)


NAMES: dict[str, Any] = {
    f.__name__: f for f in (all, any, argmax, argmin, max, max_and_argmax, mean, min, prod, ptp,
                            std, sum, var)
}  # fmt: skip
