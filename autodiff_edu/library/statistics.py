"""Statistics: spread, weighted means, correlation, and sums that pass over what is not a number."""

from collections.abc import Callable
from typing import Any

from ..expr import Expr, operands, register
from ..ops import (
    astype,
    broadcast_to,
    expand_dims,
    logical_not,
    max,
    mean,
    min,
    outer,
    size,
    sqrt,
    square,
    sum,
    transpose,
    where,
)
from ..ops.lengths import normal_axes
from .arrange import stack
from .diagonals import diagonal
from .rounding import isnan


@register("var")
def var(x: Expr, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Expr:
    """The mean square distance from the mean; the sum is divided by n − ddof."""
    far = square(x - mean(x, axis=axis, keepdims=True))
    if not ddof:
        return mean(far, axis=axis, keepdims=keepdims)
    return sum(far, axis=axis, keepdims=keepdims) / count_less(far, axis, ddof)


def count_less(x: Expr, axis: Any, ddof: float) -> Any:
    """n − ddof, in the dtype of x where n is known to the program alone."""
    n = size(x, axis)
    return (n.astype(x.dtype) if isinstance(n, Expr) else n) - ddof


@register("std")
def std(x: Expr, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Expr:
    """The square root of the variance, with the slope inf where that is 0."""
    return sqrt(var(x, axis, ddof=ddof, keepdims=keepdims))


@register("ptp")
def ptp(x: Expr, axis: Any = None, keepdims: bool = False) -> Expr:
    """The largest entry less the smallest."""
    which = {"axis": axis, "keepdims": keepdims}
    return max(x, **which) - min(x, **which)


@register("average")
def average(x: Expr, axis: Any = None, weights: Any = None, keepdims: bool = False) -> Expr:
    """The mean, or the weighted mean."""
    which = {"axis": axis, "keepdims": keepdims}
    if weights is None:
        return mean(x, **which)
    x, weights = operands((x, weights), "average")
    if weights.ndim != x.ndim:  # one weight for each place along the axis
        if weights.ndim != 1 or not isinstance(axis, int):
            raise TypeError(f"weights of type {weights.type!r} for {x.type!r}: give as many axes, "
                            "or a vector and the axis along which it weighs")  # fmt: skip
        (k,) = normal_axes(x.type, axis)
        weights = expand_dims(weights, axis=tuple(j for j in range(x.ndim) if j != k))
    weights = broadcast_to(weights, x.shape)
    return sum(x * weights, **which) / sum(weights, **which)


@register("cov")
def cov(m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None) -> Expr:
    """The covariances of the rows of m, or of two vectors; divided by n − 1, or n with bias."""
    m = operands((m,), "cov")[0] if y is None else stack([m, y])
    m = m if m.ndim == 2 else expand_dims(m, axis=0)
    m = m if rowvar else transpose(m)
    ddof = (0 if bias else 1) if ddof is None else ddof
    far = m - mean(m, axis=1, keepdims=True)
    found = far @ transpose(far) / (size(m, 1) - ddof)
    return found if found.type.shape != (1, 1) else found[0, 0]


@register("corrcoef")
def corrcoef(x: Any, y: Any = None, rowvar: bool = True) -> Expr:
    """The correlations of the rows of x, or of two vectors."""
    c = cov(x, y, rowvar)
    deviation = sqrt(diagonal(c))
    return c / outer(deviation, deviation)


# ---- what is not a number left out


@register("nansum")
def nansum(x: Expr, axis: Any = None, keepdims: bool = False) -> Expr:
    """The sum of the entries that are numbers."""
    return sum(where(isnan(x), 0, x), axis=axis, keepdims=keepdims)


@register("nanmean")
def nanmean(x: Expr, axis: Any = None, keepdims: bool = False) -> Expr:
    """The mean of the entries that are numbers."""
    there = astype(logical_not(isnan(x)), x.dtype)
    which = {"axis": axis, "keepdims": keepdims}
    return nansum(x, **which) / sum(there, **which)


@register("nanvar")
def nanvar(x: Expr, axis: Any = None, ddof: float = 0, keepdims: bool = False) -> Expr:
    """The variance of the entries that are numbers."""
    there = astype(logical_not(isnan(x)), x.dtype)
    far = square(where(isnan(x), 0, x - nanmean(x, axis, True)))
    which = {"axis": axis, "keepdims": keepdims}
    return sum(far, **which) / (sum(there, **which) - ddof)


@register("nanstd")
def nanstd(x: Expr, axis: Any = None, ddof: float = 0, keepdims: bool = False) -> Expr:
    """The square root of the variance of the entries that are numbers."""
    return sqrt(nanvar(x, axis, ddof, keepdims))


def passing_over(extreme: Callable[..., Expr], instead: float) -> Callable[..., Expr]:
    def found(x: Expr, axis: Any = None, keepdims: bool = False) -> Expr:
        return extreme(where(isnan(x), instead, x), axis=axis, keepdims=keepdims)

    found.__doc__ = f"The {extreme.name} of the entries that are numbers."  # type: ignore
    return found


nanmax = register("nanmax")(passing_over(max, float("-inf")))
nanmin = register("nanmin")(passing_over(min, float("inf")))
