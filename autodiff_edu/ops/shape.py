"""Operations that move numbers about without changing them: other shapes, other axes."""

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import Any

import numpy as np

from ..expr import (
    Expr,
    LazyModule,
    ShapeError,
    TensorType,
    as_dtype,
    operands,
    register,
    shown,
    spell,
)
from .batch import after_leading, check_lengths
from .declare import op
from .lengths import alone, fill, listed, normal_axes, numbered, read_shape, size, unfilled

jnp = LazyModule("jax.numpy")

# ---- shapes


def reshaped(t: TensorType, *lengths: TensorType, shape: tuple) -> TensorType:
    if shape.count(-1) > 1:
        raise ShapeError("only one length can be left to be inferred, as -1")
    if None not in shape and t.known:
        shape = np.empty(tuple(map(int, t.shape)), dtype="V0").reshape(shape).shape  # type: ignore
    return TensorType(t.dtype, [None if n == -1 else n for n in shape])


def inferred(t: TensorType, *lengths: TensorType, shape: tuple) -> dict[str, tuple]:
    """The shape without -1, where what that stands for is known already."""
    others = prod(n for n in shape if n not in (-1, None))
    if t.known and None not in shape and shape.count(-1) == 1 and others:
        n, left = divmod(prod(t.shape), others)  # type: ignore[arg-type]
        shape = shape if left else tuple(n if m == -1 else m for m in shape)
    return {"shape": shape}


def of_one(x: Expr, shape: tuple, lengths: Sequence[Expr]) -> tuple[Any, ...]:
    """The shape of one example among those that x has along its first axis. What -1 stands for is
    computed from the other lengths, since there may be no example."""
    wanted = unfilled(shape, lengths)
    if -1 not in shape or x.type.shape[0] or 0 in shape:
        return wanted
    left = size(x, range(1, x.ndim))
    for n, m in zip(shape, wanted, strict=True):
        left = left if n in (-1, 1) else left // m
    return tuple(left if n == -1 else m for n, m in zip(shape, wanted, strict=True))


@op(
    view=True,
    linear=(0,),
    reads=read_shape,
    normal=inferred,
    type=reshaped,
    pullback=lambda ct, x, *rest, shape: alone(reshape(ct, x.shape), rest[:-1]),
    batch=lambda inputs, flags, shape: reshape(
        inputs[0], (inputs[0].shape[0], *of_one(inputs[0], shape, inputs[1:]))
    ),
    picks=True,
    drawn=1,
)
def reshape(x, *lengths, shape):
    """The entries of x, row by row, in another shape.

    Parameters
    ----------
    *lengths : int or Expr
        The lengths, if they are given one by one.
    shape : int or tuple, optional
        The lengths, which may be expressions; one may be -1, and is what is left.

    Returns
    -------
    Expr
        The same entries in this shape.

    Raises
    ------
    ValueError
        If the numbers of entries differ.

    Examples
    --------
    >>> ad.evaluate(ad.reshape([1.0, 2.0, 3.0, 4.0], (2, 2)))
    array([[1., 2.],
           [3., 4.]])
    """
    return np.reshape(x, fill(shape, lengths))


def broadcasted(t: TensorType, *lengths: TensorType, shape: tuple) -> TensorType:
    pairs = [*zip(reversed(t.shape), reversed(shape))]
    apart = [sorted((n, m)) for n, m in pairs if n not in (None, 1, m) and m is not None]
    if apart or t.ndim > len(shape):
        why = f": lengths {apart[0][0]} and {apart[0][1]} meet" if apart else ""
        raise ShapeError(f"{spell(t.shape)} cannot be broadcast to {spell(shape)}{why}")
    return TensorType(t.dtype, shape)


def each_spread(inputs: Sequence[Expr], flags: Sequence[bool], shape: tuple) -> Expr:
    """In a batch, in which the lengths must be the same for all."""
    check_lengths("what is spread", flags[1:])
    x = inputs[0]
    lengths = (x.shape[0], *unfilled(shape, inputs[1:]))
    return broadcast_to(after_leading(x, len(shape) - x.ndim + 1), lengths)


@op(
    view=True,
    label="spread",
    linear=(0,),
    spreads=True,
    reads=read_shape,
    type=broadcasted,
    pullback=lambda ct, x, *rest, shape: alone(ct, rest[:-1]),
    batch=lambda inputs, flags, shape: each_spread(inputs, flags, shape),
    cores=lambda *ndims: [0] * (len(ndims) + 1),
    picks=True,
    drawn=1,
    overlaps=True,
)
def broadcast_to(x, *lengths, shape):
    """x repeated along new axes and along axes of length 1.

    Parameters
    ----------
    *lengths : int or Expr
        The lengths, if they are given one by one.
    shape : int or tuple, optional
        The lengths, which may be expressions.

    Returns
    -------
    Expr
        An array of this shape.

    Raises
    ------
    ShapeError
        If x does not fit into the shape.

    Examples
    --------
    >>> ad.evaluate(ad.broadcast_to([1.0, 2.0], (2, 2)))
    array([[1., 2.],
           [1., 2.]])
    """
    return np.broadcast_to(x, fill(shape, lengths))[()]


# ---- axes


def permuted(t: TensorType, axes: tuple | None) -> dict[str, tuple]:
    axes = tuple(range(t.ndim))[::-1] if axes is None else axes
    if len(axes) != t.ndim:
        raise ValueError(f"{len(axes)} axes in their new order for {t.ndim} axes: name each once")
    return {"axes": numbered(axes, t.ndim)}


def read_axes(x: Any, *axes: Any) -> tuple[tuple, dict[str, Any]]:
    """The axes written (x, (1, 0)), (x, 1, 0), or not at all for all in reverse."""
    if len(axes) == 1 and not isinstance(axes[0], int):
        axes = axes[0]
    return (x,), {"axes": tuple(axes) or None if axes is not None else None}


@op(
    view=True,
    label="·ᵀ",
    linear=True,
    reads=lambda x, *args, axes=(): read_axes(x, *args or (axes,)),
    normal=permuted,
    type=lambda t, axes: TensorType(t.dtype, [t.shape[k] for k in axes]),
    pullback=lambda ct, x, out, axes: (transpose(ct, tuple(np.argsort(axes).tolist())),),
    batch=lambda inputs, flags, axes: transpose(inputs[0], (0, *[k + 1 for k in axes])),
    picks=True,
)
def transpose(x, *, axes=None):
    """x with its axes in another order, by default the reverse.

    Parameters
    ----------
    *args : int or tuple of int
        The axes of x in their new order.
    axes : tuple of int, default: ()
        The same by name.

    Returns
    -------
    Expr
        The same entries, with the lengths in that order.

    Raises
    ------
    ValueError
        If the axes are not those of x, each once.

    Examples
    --------
    >>> ad.evaluate(ad.transpose([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 3.],
           [2., 4.]])
    """
    return np.transpose(x, axes)


@register("moveaxis")
def moveaxis(x: Any, source: int | Sequence[int], destination: int | Sequence[int]) -> Expr:
    """x with axes moved to other places, the rest in their order.

    Parameters
    ----------
    x : Expr or array_like
        An array.
    source : int or list of int
        Which axes.
    destination : int or list of int
        Where they are to stand.

    Returns
    -------
    Expr
        The same entries.

    See Also
    --------
    numpy.moveaxis : The same for arrays.

    Examples
    --------
    >>> ad.moveaxis(ad.tensor3("x", shape=(2, 3, 4)), 0, -1).type
    float64(3, 4, 2)
    """
    (x,) = operands((x,), "moveaxis")
    came = numbered(source, x.ndim)
    goes = numbered(destination, x.ndim)
    rest = [k for k in range(x.ndim) if k not in came]
    for place, axis in sorted(zip(goes, came, strict=True)):
        rest.insert(place, axis)
    return transpose(x, tuple(rest)) if rest != list(range(x.ndim)) else x


def new_axes(t: TensorType, axis: Any) -> dict[str, tuple]:
    axes = listed(axis)
    total = t.ndim + len(axes)
    return {"axis": tuple(sorted(numbered(axes, total)))}


def expanded(t: TensorType, axis: tuple[int, ...]) -> TensorType:
    lengths = iter(t.shape)
    total = range(t.ndim + len(axis))
    return TensorType(t.dtype, [1 if k in axis else next(lengths) for k in total])


@op(
    view=True,
    free=True,
    linear=True,
    normal=new_axes,
    type=expanded,
    pullback=lambda ct, x, out, axis: (squeeze(ct, axis=axis),),
    picks=True,
)
def expand_dims(x, *, axis):
    """x with new axes of length 1.

    Parameters
    ----------
    axis : int or tuple of int
        The places of the new axes in the result.

    Returns
    -------
    Expr
        The same entries, with a length of 1 at these places.

    Examples
    --------
    >>> ad.expand_dims(ad.vector("x", shape=3), axis=0).type
    float64(1, 3)
    """
    x = np.asarray(x)
    return x[key_of_new_axes(x.ndim, axis)]


@cache
def key_of_new_axes(ndim: int, axis: tuple[int, ...]) -> tuple:
    """The index that puts them in: quicker than NumPy's function, which checks much."""
    return tuple(None if k in axis else slice(None) for k in range(ndim + len(axis)))


def unit_axes(t: TensorType, axis: Any) -> dict[str, tuple]:
    ones = tuple(k for k, n in enumerate(t.shape) if n == 1)
    if axis is None and None in t.shape and not ones:
        raise ShapeError(f"which lengths of {spell(t.shape)} are 1 is not known yet: give axis=")
    axes = ones if axis is None else normal_axes(t, axis)
    for k in axes:
        if t.shape[k] != 1:
            raise ShapeError(f"axis {k} of {spell(t.shape)} is not known to have length 1")
    return {"axis": axes}


@op(
    view=True,
    linear=True,
    normal=unit_axes,
    type=lambda t, axis: TensorType(t.dtype, [n for k, n in enumerate(t.shape) if k not in axis]),
    pullback=lambda ct, x, out, axis: (expand_dims(ct, axis=axis),),
    picks=True,
)
def squeeze(x, *, axis=None):
    """x without these axes, which have length 1.

    Parameters
    ----------
    axis : int or tuple of int, optional
        Which; by default all that have length 1.

    Returns
    -------
    Expr
        The same entries, without the lengths of 1.

    Raises
    ------
    ValueError
        If one of the axes is longer than 1.

    Examples
    --------
    >>> ad.squeeze(ad.matrix("x", shape=(3, 1)), axis=1).type
    float64(3,)
    """
    return np.squeeze(x, axis)[()]


@register("ravel")
def ravel(x: Expr, order: str = "C") -> Expr:
    """The entries of x in one row: row by row or, with order="F", column by column.

    Parameters
    ----------
    x : Expr
        An array.
    order : {'C', 'F'}, default: 'C'
        Row by row, or column by column.

    Returns
    -------
    Expr
        A vector.

    Raises
    ------
    ValueError
        If order is neither.

    See Also
    --------
    numpy.ravel : The same for arrays.

    Examples
    --------
    >>> x = ad.matrix("x")
    >>> ad.evaluate(ad.ravel(x), {x: [[1.0, 2.0], [3.0, 4.0]]})
    array([1., 2., 3., 4.])
    """
    if order not in ("C", "F"):
        raise ValueError(f"order is C or F here, where memory has no layout, not {shown(order)}")
    return reshape(transpose(x) if order == "F" else x, (-1,))


# ---- dtypes


@op(
    view=True,
    label="{dtype}",
    linear=True,
    type=lambda t, dtype: TensorType(dtype, t.shape),
    pullback=lambda ct, x, out, dtype: (ct,),
    batch=lambda inputs, flags, dtype: cast(inputs[0], dtype=dtype),
    facts={"integer": "first"},
    exact_facts={"nonnegative": "first"},
)
def cast(x, *, dtype):
    """x rounded to a floating point dtype."""
    return np.asarray(x, dtype)[()]


def truncated(x: Any, dtype: np.dtype) -> Any:
    """`truncate` for JAX, where a negative number becomes 0 if the dtype has no sign."""
    return (x.astype("int64") if dtype.kind == "u" and x.dtype.kind == "f" else x).astype(dtype)


@op(
    label="{dtype}",
    nondifferentiable="a whole number or a truth value does not vary continuously",
    type=lambda t, dtype: TensorType(dtype, t.shape),
    batch=lambda inputs, flags, dtype: truncate(inputs[0], dtype=dtype),
    cost=0,
    targets={"jax": lambda x, *, dtype: truncated(jnp.asarray(x), np.dtype(dtype))},
)
def truncate(x, *, dtype):
    """x cut to an integer or boolean dtype."""
    return np.asarray(x).astype(dtype)[()]


@register("astype")
def astype(x: Any, dtype: object, copy: bool = True) -> Expr:
    """x in another dtype. Derivatives pass if it is a floating point one.

    Parameters
    ----------
    x : Expr or array_like
        An array.
    dtype : dtype
        The new one.
    copy : bool, default: True
        Has no effect; accepted as NumPy's astype accepts it.

    Returns
    -------
    Expr
        An array of the same shape.

    Examples
    --------
    >>> ad.astype(ad.vector("x", shape=3), "float32").type
    float32(3,)
    """
    (x,) = operands((x,), "astype")
    wanted = as_dtype(dtype)
    convert = cast if wanted.kind == "f" else truncate
    return x if wanted == x.dtype else convert(x, dtype=wanted.name)
