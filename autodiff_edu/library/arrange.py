"""Putting arrays together, taking them apart, and moving their entries about."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..expr import Expr, LazyModule, ShapeError, TensorType, constant, operands, register
from ..ops.batch import every
from ..ops.declare import op
from ..ops.index import ALL, between, part
from ..ops.lengths import one_axis
from ..ops.shape import expand_dims, ravel

__all__ = [
    "append", "array", "array_split", "column_stack", "concatenate", "hstack", "split", "stack",
    "vstack",
]  # fmt: skip

jnp = LazyModule("jax.numpy")


def along(axis: int, start: Any, stop: Any = None, step: Any = None) -> tuple:
    """The stored key of a slice along one axis."""
    return (ALL,) * axis + ((start, stop, step),)


def cut(x: Expr, axis: int, start: Any, stop: Any = None, step: Any = None) -> Expr:
    """The slice start:stop:step along one axis."""
    return part(x, along(axis, start, stop, step) + (ALL,) * (x.ndim - axis - 1))


# ---- joining


def joined(*types: TensorType, axis: int) -> tuple:
    """All lengths equal, but for those along the axis, which add up."""
    first, *rest = types
    for t in rest:
        pairs = [(n, m) for k, (n, m) in enumerate(zip(first.shape, t.shape)) if k != axis]
        if t.ndim != first.ndim or any(None not in p and p[0] != p[1] for p in pairs):
            raise ShapeError("all lengths but those along the axis must be equal")
    lengths = [[t.shape[k] for t in types] for k in range(first.ndim)]
    total = None if None in lengths[axis] else sum(map(int, lengths[axis]))  # type: ignore[arg-type]
    return tuple(
        total if k == axis else next((n for n in ns if n is not None), None)
        for k, ns in enumerate(lengths)
    )


def parts(ct: Expr, *rest: Expr, axis: int) -> list[Expr]:
    """The slices of a cotangent that belong to the operands."""
    found: list[Expr] = []
    start: Any = 0
    for x in rest[:-1]:
        stop = start + x.shape[axis] if found else x.shape[axis]
        known = isinstance(stop, int)
        found.append(cut(ct, axis, start, stop) if known else between(ct, start, stop, axis=axis))
        start = stop
    return found


def check_listed(arrays: Any, axis: Any, name: str) -> None:
    """Raises TypeError for arrays that are given one by one."""
    if isinstance(axis, Expr) or isinstance(arrays, Expr) and not arrays.ndim:
        raise TypeError(f"{name} takes its arrays in one list: write ad.{name}([x, y])")


def read_list(arrays: Any, axis: int | None = 0) -> tuple[tuple, dict[str, Any]]:
    check_listed(arrays, axis, "concatenate")
    given = operands(tuple(arrays), "concatenate")
    if not given:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        given, axis = tuple(map(ravel, given)), 0
    return given, {"axis": axis}


def without_empty(arrays: Sequence[Any], axis: int) -> Any:
    """`concatenate` for JAX: a part of no length may make XLA 0.10 end the process."""
    return jnp.concatenate([x for x in arrays if x.shape[axis]] or arrays[:1], axis)


@op(
    label="join",
    linear=True,
    reads=read_list,
    normal=lambda *types, axis: {"axis": one_axis(types[0], axis)},
    type=joined,
    pullback=parts,
    batch=lambda inputs, flags, axis: concatenate(every(inputs, flags), axis=axis + 1),
    targets={"jax": lambda *arrays, axis=0: without_empty(arrays, axis)},
)
def concatenate(*arrays, axis=0):
    """Arrays one after the other along an axis.

    Parameters
    ----------
    arrays : list of Expr or array_like
        Arrays of equal lengths but along the axis.
    axis : int, default: 0
        Along which; with None, all are taken row by row first.

    Raises
    ------
    ShapeError
        If the other lengths differ.

    Examples
    --------
    >>> ad.evaluate(ad.concatenate([[1.0], [2.0, 3.0]]))
    array([1., 2., 3.])
    """
    return np.concatenate(arrays, axis=axis)


@register("stack")
def stack(arrays: Sequence[Any], axis: int = 0) -> Expr:
    """Arrays of one shape, side by side along a new axis.

    Parameters
    ----------
    arrays : list of Expr or array_like
        Arrays of one shape.
    axis : int, default: 0
        The place of the new axis.

    Returns
    -------
    Expr
        All arrays in one.

    Raises
    ------
    ShapeError
        If the shapes differ.

    Examples
    --------
    >>> ad.evaluate(ad.stack([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 2.],
           [3., 4.]])
    """
    check_listed(arrays, axis, "stack")
    given = operands(tuple(arrays), "stack")
    shapes = {x.type.shape for x in given}
    if len({len(s) for s in shapes}) > 1:
        raise ShapeError(f"stack needs arrays of one shape, not of {shapes}")
    return concatenate([expand_dims(x, axis=axis) for x in given], axis=axis)


@register("array")
def array(rows: Any, dtype: Any = None) -> Expr:
    """An expression from lists, nested as NumPy's are, of expressions and numbers.

    Parameters
    ----------
    rows : list
        Lists, nested to any depth, of expressions and numbers.
    dtype : dtype, optional
        The dtype of the result; by default that of the entries together.

    Returns
    -------
    Expr
        An array whose shape is that of the lists.

    See Also
    --------
    numpy.array : The same for numbers.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.evaluate(ad.array([[x, 1.0], [2.0, x * x]]), {x: 3.0})
    array([[3., 1.],
           [2., 9.]])
    """
    if isinstance(rows, Expr):
        found = rows
    elif isinstance(rows, (list, tuple)) and any(map(has_expression, rows)):
        found = stack(operands(tuple(array(row) if isinstance(row, (list, tuple)) else row
                                     for row in rows), "array"))  # fmt: skip
    else:
        return constant(rows, dtype)
    return found if dtype is None else found.astype(dtype)


def has_expression(rows: Any) -> bool:
    if isinstance(rows, (list, tuple)):
        return any(map(has_expression, rows))
    return isinstance(rows, Expr)


@register("hstack")
def hstack(arrays: Sequence[Any]) -> Expr:
    """Arrays side by side along their second axis; rows one after the other.

    Parameters
    ----------
    arrays : list of Expr or array_like
        Arrays of equal lengths but along that axis.

    Returns
    -------
    Expr
        One array.

    Examples
    --------
    >>> ad.evaluate(ad.hstack([[1.0], [2.0, 3.0]]))
    array([1., 2., 3.])
    """
    given = [at_least(1, x) for x in operands(tuple(arrays), "hstack")]
    return concatenate(given, axis=1 if given and given[0].ndim > 1 else 0)


@register("vstack")
def vstack(arrays: Sequence[Any]) -> Expr:
    """Arrays one below the other; rows become matrices first.

    Parameters
    ----------
    arrays : list of Expr or array_like
        Rows or matrices of as many columns.

    Returns
    -------
    Expr
        A matrix.

    Examples
    --------
    >>> ad.evaluate(ad.vstack([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 2.],
           [3., 4.]])
    """
    return concatenate([at_least(2, x) for x in operands(tuple(arrays), "vstack")], axis=0)


@register("column_stack")
def column_stack(arrays: Sequence[Any]) -> Expr:
    """Vectors as the columns of a matrix.

    Parameters
    ----------
    arrays : list of Expr or array_like
        Vectors, or matrices whose columns are taken.

    Returns
    -------
    Expr
        A matrix.

    Examples
    --------
    >>> ad.evaluate(ad.column_stack([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 3.],
           [2., 4.]])
    """
    given = operands(tuple(arrays), "column_stack")
    return concatenate([at_least(2, x).T if x.ndim < 2 else x for x in given], axis=1)


@register("append")
def append(x: Any, values: Any, axis: int | None = None) -> Expr:
    """Two arrays, one after the other.

    Parameters
    ----------
    values : Expr or array_like
        What follows x.
    axis : int, optional
        Along which; by default both are taken row by row.

    Returns
    -------
    Expr
        The entries of x, then the values.

    Examples
    --------
    >>> ad.evaluate(ad.append([1.0, 2.0], [3.0]))
    array([1., 2., 3.])
    """
    arrays = [e if isinstance(e, Expr) else np.asarray(e) for e in (x, values)]
    return concatenate(arrays, axis=axis)


def at_least(ndim: int, x: Expr) -> Expr:
    return expand_dims(x, axis=tuple(range(ndim - x.ndim))) if x.ndim < ndim else x


# ---- parting


@register("split")
def split(x: Any, sections: int | Sequence[int], axis: int = 0) -> list[Expr]:
    """Equal parts of x along an axis, or the parts between these places.

    Parameters
    ----------
    sections : int or list of int
        Into how many equal parts, or before which places to cut.
    axis : int, default: 0
        Along which.

    Returns
    -------
    list of Expr
        The parts.

    Raises
    ------
    ShapeError
        If the parts cannot be equal, or the length along the axis is not known.

    Examples
    --------
    >>> ad.evaluate(ad.split(ad.arange(4), 2))
    [array([0, 1]), array([2, 3])]
    """
    (x,) = operands((x,), "split")
    n = known_length(x, axis, "split")
    if isinstance(sections, int) and n % sections:
        raise ShapeError(f"{n} entries do not make {sections} equal parts: use ad.array_split")
    return array_split(x, sections, axis)


@register("array_split")
def array_split(x: Any, sections: int | Sequence[int], axis: int = 0) -> list[Expr]:
    """Parts of x along an axis, as equal as they can be, or the parts between these places.

    Parameters
    ----------
    axis : int, default: 0
        Along which.

    Returns
    -------
    list of Expr
        The parts.

    Raises
    ------
    ShapeError
        If the length along the axis is not known.

    Examples
    --------
    >>> ad.evaluate(ad.array_split(ad.arange(5), 2))
    [array([0, 1, 2]), array([3, 4])]
    """
    (x,) = operands((x,), "array_split")
    k = one_axis(x.type, axis)
    n = known_length(x, k, "array_split")
    if isinstance(sections, int):
        sizes = [n // sections + (j < n % sections) for j in range(sections)]
        sections = np.cumsum(sizes)[:-1].tolist()
    bounds = [None, *sections, None]  # type: ignore[misc]
    return [cut(x, k, a, b) for a, b in zip(bounds, bounds[1:])]


def known_length(x: Expr, axis: int, name: str) -> int:
    n = x.type.shape[one_axis(x.type, axis)]
    if n is None:
        raise ShapeError(f"{name} needs the length of {x} along axis {axis}: declare it")
    return n
