"""Blocks: joining and parting along named directions, rows put in or left out, quarter turns."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..expr import Expr, at, operands, register
from ..ops.lengths import one_axis
from ..ops.shape import broadcast_to, expand_dims, moveaxis, ravel, squeeze, transpose
from .arrange import at_least, concatenate, cut, known_length, split
from .diagonals import diag
from .moving import flip

__all__ = [
    "block", "compress", "delete", "diagflat", "dsplit", "dstack", "hsplit", "insert", "rot90",
    "unstack", "vsplit",
]  # fmt: skip

# ---- joining


@register("dstack")
def dstack(arrays: Sequence[Any]) -> Expr:
    """Arrays one behind the other along their third axis.

    Parameters
    ----------
    arrays : list of Expr or array_like
        Arrays of one shape.

    Returns
    -------
    Expr
        The arrays along the third axis.

    Examples
    --------
    >>> ad.evaluate(ad.dstack([[1.0, 2.0], [3.0, 4.0]]))
    array([[[1., 3.],
            [2., 4.]]])
    """
    return concatenate([deep(x) for x in operands(tuple(arrays), "dstack")], axis=2)


def deep(x: Expr) -> Expr:
    """x with at least three axes, the new ones as in np.atleast_3d."""
    return expand_dims(x, axis={0: (0, 1, 2), 1: (0, 2), 2: (2,)}[x.ndim]) if x.ndim < 3 else x


@register("block")
def block(rows: Any) -> Expr:
    """A matrix from nested lists of blocks: the innermost side by side, the outer ones below.

    Parameters
    ----------
    rows : list
        Nested lists of matrices, as they are to stand.

    Returns
    -------
    Expr
        The whole matrix.

    Examples
    --------
    >>> ad.evaluate(ad.block([[np.eye(2), np.zeros((2, 1))]]))
    array([[1., 0., 0.],
           [0., 1., 0.]])
    """
    return joined_block(rows, nesting(rows))


def nesting(rows: Any) -> int:
    return 1 + max(map(nesting, rows)) if isinstance(rows, list) else 0


def joined_block(rows: Any, depth: int) -> Expr:
    if not isinstance(rows, list):
        return operands((rows,), "block")[0]
    parts = [joined_block(row, depth - 1) for row in rows]
    most = max(depth, *[x.ndim for x in parts])
    parts = [expand_dims(x, axis=tuple(range(most - x.ndim))) if x.ndim < most else x
             for x in parts]  # fmt: skip
    return concatenate(parts, axis=-depth)


# ---- parting


@register("unstack")
def unstack(x: Any, axis: int = 0) -> tuple[Expr, ...]:
    """The slices of x along an axis, one by one.

    Parameters
    ----------
    x : Expr or array_like
        An array of a known length along the axis.
    axis : int, default: 0
        Along which.

    Returns
    -------
    tuple of Expr
        The slices.

    Raises
    ------
    ShapeError
        If the length along the axis is not known.

    Examples
    --------
    >>> x = ad.matrix("x", shape=(2, 3))
    >>> [row.type for row in ad.unstack(x)]
    [float64(3,), float64(3,)]
    """
    (x,) = operands((x,), "unstack")
    k = one_axis(x.type, axis)
    n = known_length(x, k, "unstack")
    return tuple(squeeze(cut(x, k, j, j + 1), axis=k) for j in range(n))


@register("hsplit")
def hsplit(x: Any, sections: Any) -> list[Expr]:
    """Parts of x along its second axis, of a vector along its only one.

    Returns
    -------
    list of Expr
        The parts.

    Examples
    --------
    >>> ad.evaluate(ad.hsplit(ad.arange(4), 2))
    [array([0, 1]), array([2, 3])]
    """
    (x,) = operands((x,), "hsplit")
    return split(x, sections, axis=1 if x.ndim > 1 else 0)


@register("vsplit")
def vsplit(x: Any, sections: Any) -> list[Expr]:
    """Parts of x along its first axis.

    Parameters
    ----------
    x : Expr or array_like
        An array of two axes or more.

    Returns
    -------
    list of Expr
        The parts.

    Examples
    --------
    >>> [part.type for part in ad.vsplit(ad.matrix("x", shape=(4, 2)), 2)]
    [float64(2, 2), float64(2, 2)]
    """
    return split(x, sections, axis=0)


@register("dsplit")
def dsplit(x: Any, sections: Any) -> list[Expr]:
    """Parts of x along its third axis.

    Parameters
    ----------
    x : Expr or array_like
        An array of three axes or more.

    Returns
    -------
    list of Expr
        The parts.

    Examples
    --------
    >>> x = ad.tensor3("x", shape=(2, 2, 4))
    >>> [part.type for part in ad.dsplit(x, 2)]
    [float64(2, 2, 2), float64(2, 2, 2)]
    """
    return split(x, sections, axis=2)


# ---- rows put in and left out


@register("delete")
def delete(x: Any, places: Any, axis: int | None = None) -> Expr:
    """x without these places along an axis.

    Parameters
    ----------
    places : int or list of int
        Which to leave out.
    axis : int, optional
        Along which; by default all entries row by row.

    Returns
    -------
    Expr
        What is left.

    Raises
    ------
    TypeError
        If a place is an expression.

    Examples
    --------
    >>> ad.evaluate(ad.delete(ad.arange(4), 1))
    array([0, 2, 3])
    """
    (x,) = operands((x,), "delete")
    x, axis = (ravel(x), 0) if axis is None else (x, axis)
    k = one_axis(x.type, axis)
    places = known_places(places, "delete", "x[ad.arange(len(x)) != k]")
    kept = np.delete(np.arange(known_length(x, k, "delete")), places)
    return x[(slice(None),) * k + (kept,)]


def known_places(places: Any, name: str, instead: str) -> Any:
    """Places that are numbers. Raises TypeError for expressions, and says what to write instead."""
    met = [places, *places] if isinstance(places, (list, tuple)) else [places]
    for e in met:
        if isinstance(e, Expr):
            raise TypeError(f"{name} takes places that are numbers, not the expression {e}{at(e)}: "
                            f"write {instead}")  # fmt: skip
    return places


@register("insert")
def insert(x: Expr, place: Any, values: Any, axis: int | None = None) -> Expr:
    """x with values put in before a place along an axis.

    Parameters
    ----------
    x : Expr
        An array.
    place : int, slice or list of int
        Before which place or places of x.
    values : Expr or array_like
        What is put in. At one place, given as a number, the first axis of an array with all axes
        of x counts what is put in; in a list, that is the axis itself.
    axis : int, optional
        Along which; by default all entries row by row.

    Returns
    -------
    Expr
        A longer array.

    Raises
    ------
    TypeError
        If a place is an expression.

    Examples
    --------
    >>> ad.evaluate(ad.insert(ad.arange(3), 1, 7))
    array([0, 7, 1, 2])
    """
    x, axis = (ravel(x), 0) if axis is None else (x, axis)
    x, values = operands((x, values), "insert")
    k = one_axis(x.type, axis)
    place = known_places(place, "insert", "ad.concatenate([x[:k], ad.array([value]), x[k:]])")
    n = known_length(x, k, "insert")
    values = at_least(x.ndim, values)
    values = values if np.ndim(place) or isinstance(place, slice) else moveaxis(values, 0, k)
    places = np.atleast_1d(np.arange(n)[place] if isinstance(place, slice) else place)
    count = known_length(values, k, "insert") if places.size == 1 else places.size
    order = np.insert(np.arange(n), place, np.arange(n, n + count))  # of x, then of the values
    new = broadcast_to(values.astype(x.dtype), (*x.shape[:k], count, *x.shape[k + 1 :]))
    if places.size != 1:
        return concatenate([x, new], axis=k)[(slice(None),) * k + (order,)]
    first = int(np.argmax(order >= n))
    return concatenate([cut(x, k, None, first), new, cut(x, k, first, None)], axis=k)


@register("compress")
def compress(condition: Any, x: Any, axis: int | None = None) -> Expr:
    """The places along an axis at which a known condition holds.

    Parameters
    ----------
    condition : array_like
        Truth values that are known now, one for each place.
    axis : int, optional
        Along which; by default all entries row by row.

    Returns
    -------
    Expr
        The places that are kept.

    Examples
    --------
    >>> ad.evaluate(ad.compress([True, False, True], [1.0, 2.0, 3.0]))
    array([1., 3.])
    """
    x = operands((x,), "compress")[0]
    x, axis = (ravel(x), 0) if axis is None else (x, axis)
    return x[(slice(None),) * one_axis(x.type, axis) + (np.flatnonzero(condition),)]


# ---- turns


@register("rot90")
def rot90(x: Any, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Expr:
    """x turned by k quarters from the first of two axes towards the second.

    Parameters
    ----------
    x : Expr or array_like
        An array of two axes or more.
    k : int, default: 1
        How many quarters.
    axes : tuple of int, default: (0, 1)
        From which axis towards which.

    Returns
    -------
    Expr
        The array, turned.

    Raises
    ------
    ValueError
        If both axes are the same.

    Examples
    --------
    >>> x = ad.matrix("x")
    >>> ad.evaluate(ad.rot90(x), {x: [[1.0, 2.0], [3.0, 4.0]]})
    array([[2., 4.],
           [1., 3.]])
    """
    (x,) = operands((x,), "rot90")
    a, b = (one_axis(x.type, n) for n in axes)
    if a == b:
        raise ValueError(f"rot90 turns from one axis towards another, not {axes}: write flip")
    order = list(range(x.ndim))
    order[a], order[b] = b, a
    turned = [
        lambda: x,
        lambda: transpose(flip(x, b), tuple(order)),
        lambda: flip(x, (a, b)),
        lambda: flip(transpose(x, tuple(order)), b),
    ]
    return turned[k % 4]()


@register("diagflat")
def diagflat(x: Any, k: int = 0) -> Expr:
    """The entries of x, row by row, on the k-th diagonal of a matrix of zeros.

    Parameters
    ----------
    k : int, default: 0
        Which diagonal: above the main one if positive, below it if negative.

    Returns
    -------
    Expr
        The matrix.

    Examples
    --------
    >>> ad.evaluate(ad.diagflat([1.0, 2.0], k=1))
    array([[0., 1., 0.],
           [0., 0., 2.],
           [0., 0., 0.]])
    """
    return diag(ravel(operands((x,), "diagflat")[0]), k)
