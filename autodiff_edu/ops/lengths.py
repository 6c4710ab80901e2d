"""Lengths and axes, and shapes that contain them.

A shape that contains expressions is stored with None in their places, and the expressions
themselves are operands: reshape(x, n; shape=(None, 3)).
"""

from collections.abc import Sequence
from math import prod
from operator import index as whole
from typing import Any

import numpy as np

from ..expr import UNTYPED, Constant, Expr, TensorType, located, operands, register, shown
from ..expr import length as known_length
from .declare import op

WHOLE = "a length is a whole number, the same for every value of the input"


# ---- lengths


@op(nondifferentiable=WHOLE, type=lambda t, axis: TensorType("int64"), cost=0, free=True)
def length(x, *, axis):
    """The length of x along an axis, where it is not known before the program runs."""
    return np.int64(np.shape(x)[axis])


@op(
    nondifferentiable=WHOLE,
    type=lambda n, m: TensorType("int64"),
    targets={"jax": lambda n, m: n},
    cost=0,
    free=True,
)
def common_length(n, m):
    """The one length of two axes, of which only the program knows. Raises ValueError if they
    differ: NumPy refuses them, too. JAX cannot ask, where they are traced."""
    if n != m:
        raise ValueError(f"the lengths {n} and {m} differ: give axes of the same length")
    return n


@op(
    nondifferentiable=WHOLE,
    label="0…n−1",
    type=lambda n: TensorType("int64", (None,)),
    lengths=(0,),
    cost=0,
)
def count(n):
    """0, 1, …, n − 1."""
    return np.arange(n)


@register("arange")
def arange(start: Any, stop: Any = None, step: Any = 1) -> Expr:
    """The numbers start, start + step, … below stop; each may be an expression, a whole number.

    Parameters
    ----------
    start : int, float or Expr
        The first; the stop, if it is alone.
    stop : int, float or Expr, optional
        Before which to end.
    step : int, float or Expr, default: 1
        From one to the next.

    Returns
    -------
    Expr
        A vector.

    See Also
    --------
    numpy.arange : The same for arrays.

    Examples
    --------
    >>> ad.evaluate(ad.arange(2, 8, 2))
    array([2, 4, 6])
    """
    start, stop = (0, start) if stop is None else (start, stop)
    if not any(isinstance(n, Expr) for n in (start, stop, step)):
        return Constant(np.arange(start, stop, step))
    by_one, from_zero = (type(n) is int and n == m for n, m in ((step, 1), (start, 0)))
    n = stop if from_zero else stop - start
    numbers = count(n if by_one else -(-n // step))
    numbers = numbers if by_one else numbers * step
    return numbers if from_zero else numbers + start


@register("size")
def size(x: Any, axis: int | Sequence[int] | None = None) -> int | Expr:
    """The number of entries of x, along these axes: an int where it is known.

    Parameters
    ----------
    x : Expr or array_like
        An array.
    axis : int or list of int, optional
        Along which; by default all.

    Returns
    -------
    int or Expr
        The product of these lengths.

    See Also
    --------
    numpy.size : The same for arrays.

    Examples
    --------
    >>> ad.size(ad.matrix("x", shape=(2, 3)))
    6
    """
    (x,) = operands((x,), "size")
    axes = normal_axes(x.type, axis)
    total: Any = prod(n for n in (x.type.shape[k] for k in axes) if n is not None)
    for k in axes:
        if x.type.shape[k] is None:
            total = (
                length(x, axis=k) * total
                if isinstance(total, Expr) or total != 1
                else length(x, axis=k)
            )
    return total


def positions(x: Expr, axis: int) -> Expr:
    """0, 1, …, n − 1 for the n places along an axis of x."""
    n = x.type.shape[axis]
    return count(length(x, axis=axis)) if n is None else Constant(np.arange(n))


def normal_axes(t: TensorType, axis: int | Sequence[int] | None) -> tuple[int, ...]:
    """Axes as NumPy's users write them, as increasing numbers from 0."""
    if axis is None:
        return tuple(range(t.ndim))
    return tuple(sorted(numbered(axis, t.ndim)))


def axes_as_given(t: TensorType, axis: int | Sequence[int] | None) -> tuple[int, ...]:
    """The same, in the order in which they are given."""
    return numbered(range(t.ndim) if axis is None else axis, t.ndim)


def one_axis(t: TensorType, axis: int) -> int:
    """The one axis along which something is done, as a number from 0. Raises TypeError for a list
    of axes, of which the others would be forgotten."""
    return numbered(axis_number(axis), t.ndim)[0]


def listed(axis: Any) -> tuple:
    """One axis or several as a tuple."""
    if type(axis) is tuple:
        return axis
    one = isinstance(axis, (int, np.integer)) or not np.iterable(axis)
    return (axis,) if one else tuple(axis)


def numbered(axis: int | Sequence[int], ndim: int) -> tuple[int, ...]:
    """Axes as numbers from 0, in the order in which they are given; NumPy's own is five times as
    slow. Raises AxisError, TypeError for what is no whole number, and ValueError for an axis that
    is given twice."""
    given = listed(axis)
    found = tuple([k + ndim if k < 0 else k for k in map(axis_number, given)])
    different = set(found)
    if not different.issubset(range(ndim)):
        wrong = next(k for k, j in zip(given, found, strict=True) if not 0 <= j < ndim)
        raise np.exceptions.AxisError(wrong, ndim)
    if len(different) != len(found):
        raise ValueError(f"an axis is given twice in {shown(given)}")
    return found


def axis_number(axis: Any) -> int:
    if type(axis) is int:
        return axis
    try:
        if not isinstance(axis, (bool, np.bool_)):  # older versions of NumPy take theirs for 1
            return whole(axis)
    except TypeError:
        pass
    raise TypeError(f"an axis is one whole number such as 0 or -1, not {shown(axis)}")


# ---- shapes as arguments


def read_shape(x: Any, *lengths: Any, shape: Any = None, order: str = "C") -> tuple[tuple, dict]:
    """x and its new shape, written (x, (2, n)) or (x, 2, n)."""
    if order != "C":
        raise TypeError(f'not order={order!r}: for "F" write np.reshape(x.T, shape[::-1]).T')
    if shape is None:
        shape = (
            lengths[0] if len(lengths) == 1 and isinstance(lengths[0], (tuple, list)) else lengths
        )
    given = shape if isinstance(shape, (tuple, list)) else (shape,)
    found = [-1 if type(n) is int and n == -1 else told_length(n) for n in given]
    unknown = [n for n in found if isinstance(n, Expr)]
    return (x, *unknown), {"shape": tuple([None if isinstance(n, Expr) else n for n in found])}


@located
def told_length(n: Any) -> int | Expr:
    """A length of a new array: a number, or an expression for one."""
    if isinstance(n, Expr) and (n.type is UNTYPED or (n.dtype.kind in "iu" and not n.ndim)):
        return n
    return known_length(n, "an expression for one")


def fill(shape: tuple, lengths: Sequence[Any]) -> tuple[int, ...]:
    """The stored shape with its missing lengths put in."""
    given = iter(lengths)
    return tuple(int(next(given)) if n is None else n for n in shape)


def unfilled(shape: tuple, lengths: Sequence[Any]) -> tuple[Any, ...]:
    """The stored shape with expressions for its missing lengths."""
    given = iter(lengths)
    return tuple(next(given) if n is None else n for n in shape)


def alone(ct: Expr, lengths: Sequence[Expr]) -> tuple:
    """A cotangent for the first operand and none for the lengths."""
    return (ct, *[None] * len(lengths))
