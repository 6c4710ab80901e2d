"""More entries around an array: a number, or entries of its own."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..expr import Expr, operands, register
from ..ops.comparison import clip, maximum, minimum
from ..ops.creation import full
from ..ops.index import embed
from ..ops.lengths import arange
from .arrange import concatenate
from .rounding import remainder

__all__ = ["pad"]

BY_PLACE = ("edge", "reflect", "symmetric", "wrap")  # modes that repeat entries of the array


@register("pad")
def pad(x: Any, pad_width: Any, mode: str = "constant", constant_values: Any = 0) -> Expr:
    """An array with more entries around it.

    Parameters
    ----------
    pad_width : int, Expr or list of tuple
        How many before and after, for all axes or for each; a number may be an expression.
    mode : {'constant', 'edge', 'reflect', 'symmetric', 'wrap'}, default: 'constant'
        A number, or entries of x.
    constant_values : float or Expr, default: 0
        The number.

    Returns
    -------
    Expr
        A longer array.

    Raises
    ------
    ValueError
        If a width is negative or the mode is none of these.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.pad(x, 1), {x: [1.0, 2.0]})
    array([0., 1., 2., 0.])
    """
    (x,) = operands((x,), "pad")
    widths = each_side(pad_width, x.ndim)
    unknown = any(isinstance(n, Expr) for side in widths for n in side)
    if any(n < 0 for side in widths for n in side if not isinstance(n, Expr)):
        raise ValueError(f"pad takes widths of 0 or more, not {pad_width}")
    if mode not in ("constant", *BY_PLACE):
        raise ValueError(f"pad takes the modes constant, {', '.join(BY_PLACE)} here, not {mode!r}")
    if mode != "constant":
        return padded_by_itself(x, widths, mode)
    if unknown or isinstance(constant_values, Expr) or np.count_nonzero(constant_values):
        return framed(x, widths, constant_values)
    key = tuple((a, -b or None, None) for a, b in widths)
    return embed(x, tuple(n + a + b for n, (a, b) in zip(x.shape, widths)), key=key)


def each_side(given: Any, ndim: int) -> list[list[Any]]:
    """Widths before and after for each axis, broadcast as NumPy does it.

    A width may be an expression: so it is places in a list of the widths that are broadcast.
    """
    if isinstance(given, Mapping):
        each = [given.get(k, given.get(k - ndim, 0)) for k in range(ndim)]
        given = [n if isinstance(n, (list, tuple)) else (n, n) for n in each]
    widths: list[Any] = []

    def numbered(item: Any) -> Any:
        item = item.tolist() if isinstance(item, (np.ndarray, np.generic)) else item
        if isinstance(item, (list, tuple)):
            return [numbered(each) for each in item]
        widths.append(item)
        return len(widths) - 1

    return [[widths[k] for k in row] for row in np.broadcast_to(numbered(given), (ndim, 2))]


def padded_by_itself(x: Expr, widths: Sequence[Sequence[Any]], mode: str) -> Expr:
    for k, (a, b) in enumerate(widths):
        n = x.shape[k]
        told = not any(isinstance(m, Expr) for m in (n, a, b))
        if told and not (a or b):
            continue
        places: Any = (
            np.pad(np.arange(n), (a, b), mode=mode)  # type: ignore[call-overload]
            if told else repeated(arange(n + a + b) - a, n, mode)
        )  # fmt: skip
        x = x[(slice(None),) * k + (places,)]
    return x


def repeated(k: Expr, n: Any, mode: str) -> Expr:
    """Which of n entries stands in the places k, before the first and after the last one too."""
    if mode == "edge":
        return clip(k, 0, n - 1)
    if mode == "wrap":
        return remainder(k, n)
    period = 2 * n if mode == "symmetric" else maximum(2 * n - 2, 1)
    there = remainder(k, period)
    return minimum(there, period - there - (mode == "symmetric"))


def framed(x: Expr, widths: Sequence[Sequence[int]], value: Any) -> Expr:
    value = value if isinstance(value, Expr) else np.asarray(value)
    pairs = [(value, value)] * x.ndim if not value.ndim else np.broadcast_to(value, (x.ndim, 2))
    for k, both in enumerate(pairs):
        edges = [full((*x.shape[:k], n, *x.shape[k + 1 :]), v, x.dtype)
                 for n, v in zip(widths[k], both)]  # fmt: skip
        x = concatenate([edges[0], x, edges[1]], axis=k)
    return x
