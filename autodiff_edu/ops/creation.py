"""The leaves that a user writes: inputs of a stated type, and arrays of ones or zeros."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.broadcasting import broadcast_like
from ..expr import (
    OPERATIONS,
    Constant,
    Expr,
    Input,
    Shared,
    TensorType,
    as_dtype,
    constant,
    located,
    nearest,
    normalize_shape,
    register,
    shown,
)
from .lengths import told_length

dtype_of = located(as_dtype)
FACTS = ("positive", "nonnegative", "nonzero", "integer", "finite")


@located
def tensor(name: str, dtype: object = "float64", shape: Iterable[Any] = (), **facts: bool) -> Input:
    """An input array, with None for a length that is not known yet.

    Parameters
    ----------
    name : str
        How it is called in formulas, pictures and errors.
    dtype : dtype, default: 'float64'
        Of its value.
    shape : int or tuple, default: ()
        Its lengths, None where one is not known yet.
    **facts : bool
        Promises that simplification may use: positive, nonnegative, nonzero, integer,
        finite.

    Returns
    -------
    Input
        A leaf of the graph.

    Raises
    ------
    TypeError
        If the name is not a string, or a fact is none of these.

    Notes
    -----
    Nobody checks a promise when a function is called: with a p declared positive, p/p
    becomes 1, and at p = 0 or nan the answer is 1 too, without a word. Promise only what
    every value will keep; `stage.assumptions` lists the promises that a result rests on.

    Examples
    --------
    >>> p = ad.tensor("p", positive=True)
    >>> ad.simplify(p / p).output
    1
    """
    if not isinstance(name, str):
        raise TypeError(
            f"the name of an input is a string, not {shown(name)}: write {by_name(name)}"
        )
    for fact in facts:
        if fact not in FACTS:
            near = nearest(fact, (*FACTS, "dtype", "shape"))
            hint = f"write {near}=" if near else f"say {', '.join(FACTS)}"
            raise TypeError(f"{fact} is not a fact about numbers: {hint}")
    known = TensorType(dtype, normalize_shape(shape))
    return Input(name, known, frozenset(f for f, true in facts.items() if true))


def by_name(value: Any) -> str:
    """What to write where a value or a length stands in the place of a name."""
    if isinstance(value, Expr):
        return f"{value} itself"
    if isinstance(value, int):
        return f"ad.vector('x', shape={value})"
    return f"ad.constant({shown(value)}), or ad.shared({shown(value)}), for a value"


def scalar(name: str, dtype: object = "float64", **facts: bool) -> Input:
    """An input that is one number.

    Parameters
    ----------
    name : str
        How it is called in formulas, pictures and errors.
    dtype : dtype, default: 'float64'
        Of its value.
    **facts : bool
        Promises that nobody checks: see `tensor`.

    Returns
    -------
    Input
        A leaf of the graph.

    See Also
    --------
    tensor : An input of any shape.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.evaluate(x * x, {x: 3.0})
    np.float64(9.0)
    """
    return tensor(name, dtype, (), **facts)


def vector(name: str, dtype: object = "float64", shape: Any = None, **facts: bool) -> Input:
    """An input with one axis.

    Parameters
    ----------
    name : str
        How it is called in formulas, pictures and errors.
    dtype : dtype, default: 'float64'
        Of its value.
    shape : int or tuple, optional
        Its length, or None where it is not known yet.
    **facts : bool
        Promises that nobody checks: see `tensor`.

    Returns
    -------
    Input
        A leaf of the graph.

    See Also
    --------
    tensor : An input of any shape.

    Examples
    --------
    >>> ad.vector("x", shape=3).type
    float64(3,)
    """
    return tensor(name, dtype_of(dtype), with_axes(1, shape), **facts)


def matrix(name: str, dtype: object = "float64", shape: Any = None, **facts: bool) -> Input:
    """An input with two axes.

    Parameters
    ----------
    name : str
        How it is called in formulas, pictures and errors.
    dtype : dtype, default: 'float64'
        Of its value.
    shape : tuple, optional
        Its lengths, None where one is not known yet.
    **facts : bool
        Promises that nobody checks: see `tensor`.

    Returns
    -------
    Input
        A leaf of the graph.

    See Also
    --------
    tensor : An input of any shape.

    Examples
    --------
    >>> ad.matrix("A", shape=(None, 3)).type
    float64(?, 3)
    """
    return tensor(name, dtype_of(dtype), with_axes(2, shape), **facts)


def tensor3(name: str, dtype: object = "float64", shape: Any = None, **facts: bool) -> Input:
    """An input with three axes.

    Parameters
    ----------
    name : str
        How it is called in formulas, pictures and errors.
    dtype : dtype, default: 'float64'
        Of its value.
    shape : tuple, optional
        Its lengths, None where one is not known yet.
    **facts : bool
        Promises that nobody checks: see `tensor`.

    Returns
    -------
    Input
        A leaf of the graph.

    See Also
    --------
    tensor : An input of any shape.

    Examples
    --------
    >>> ad.tensor3("x", shape=(2, 3, 4)).type
    float64(2, 3, 4)
    """
    return tensor(name, dtype_of(dtype), with_axes(3, shape), **facts)


def shared(value: Any, name: str | None = None, shape: Any = None, dtype: object = None) -> Shared:
    """A leaf with a value of its own, which functions read and their `updates` change.

    Its type is that of the value.

    Parameters
    ----------
    value : array_like
        The first value.
    name : str, optional
        How it is called in formulas, pictures and errors.
    shape : tuple, optional
        Such as (None, 3), if later values may have other lengths; by default that of the
        value.
    dtype : dtype, optional
        By default that of the value.

    Returns
    -------
    Shared
        A leaf that holds its value.

    Raises
    ------
    DTypeError
        If the value is not an array of real numbers.
    ShapeError
        If the value has another shape than is stated.

    Examples
    --------
    >>> w = ad.shared(1.0, "w")
    >>> step = ad.function([], w, updates=[(w, 2 * w)])
    >>> step(), step(), w.get_value()
    (np.float64(1.0), np.float64(2.0), np.float64(4.0))
    """
    first = constant(value, dtype)
    lengths = first.type.shape if shape is None else with_axes(first.ndim, shape)
    return Shared(first.value, name, TensorType(first.dtype, lengths))


@located
def with_axes(ndim: int, shape: Any) -> tuple:
    """A shape of so many lengths; by default none is known."""
    shape = (None,) * ndim if shape is None else normalize_shape(shape)
    if len(shape) != ndim:
        raise ValueError(f"{ndim} lengths are needed, not {shape}: ad.tensor takes any number")
    return shape


# ---- arrays of one number


@register("full_like")
def full_like(x: Any, value: Any, dtype: object = None) -> Expr:
    """An array of x's shape, and of its dtype if none is given, with one value everywhere.

    Parameters
    ----------
    x : Expr or array_like
        An array.
    value : Expr or float
        What stands everywhere.
    dtype : dtype, optional
        By default that of x.

    Returns
    -------
    Expr
        An array of the shape of x.

    See Also
    --------
    numpy.full_like : The same for arrays.

    Examples
    --------
    >>> ad.evaluate(ad.full_like([1.0, 2.0], 7.0))
    array([7., 7.])
    """
    x = constant(x) if not isinstance(x, Expr) else x
    dtype = x.dtype if dtype is None else dtype
    if not isinstance(value, Expr):
        return broadcast_like(Constant(value, as_dtype(dtype)), x)
    return OPERATIONS["broadcast_to"](value.astype(dtype), x.shape)


@register("zeros_like")
def zeros_like(x: Any, dtype: object = None) -> Expr:
    """Zeros of x's shape.

    Parameters
    ----------
    x : Expr or array_like
        An array.
    dtype : dtype, optional
        By default that of x.

    Returns
    -------
    Expr
        An array of the shape of x.

    See Also
    --------
    numpy.zeros_like : The same for arrays.

    Examples
    --------
    >>> ad.evaluate(ad.zeros_like([1.0, 2.0]))
    array([0., 0.])
    """
    return full_like(x, 0, dtype)


@register("ones_like")
def ones_like(x: Any, dtype: object = None) -> Expr:
    """Ones of x's shape.

    Parameters
    ----------
    x : Expr or array_like
        An array.
    dtype : dtype, optional
        By default that of x.

    Returns
    -------
    Expr
        An array of the shape of x.

    See Also
    --------
    numpy.ones_like : The same for arrays.

    Examples
    --------
    >>> ad.evaluate(ad.ones_like([1.0, 2.0]))
    array([1., 1.])
    """
    return full_like(x, 1, dtype)


def full(shape: Any, value: Any, dtype: object = None) -> Expr:
    """An array of this shape, whose lengths may be expressions, with one value everywhere.

    Parameters
    ----------
    shape : int or tuple
        Its lengths, which may be expressions.
    value : Expr or float
        What stands everywhere.
    dtype : dtype, optional
        By default that of the value.

    Returns
    -------
    Expr
        An array of this shape.

    Raises
    ------
    TypeError
        If the lengths are not given together.

    See Also
    --------
    numpy.full : The same for arrays.

    Examples
    --------
    >>> ad.evaluate(ad.full(3, 7.0))
    array([7., 7., 7.])
    """
    value = value if isinstance(value, Expr) else constant(value)
    if isinstance(dtype, int):
        raise TypeError(f"the lengths are given together: write {(shape, dtype)}")
    value = value if dtype is None else OPERATIONS["astype"](value, dtype)
    told = tuple(
        [told_length(n) for n in (shape if isinstance(shape, (tuple, list)) else (shape,))]
    )
    if isinstance(value, Constant) and not any(isinstance(n, Expr) for n in told):
        return Constant(np.full(told, value.value))
    return OPERATIONS["broadcast_to"](value, told)


def zeros(shape: Any, dtype: object = "float64") -> Expr:
    """Zeros of this shape, whose lengths may be expressions.

    Parameters
    ----------
    shape : int or tuple
        Its lengths; a length may be an expression.
    dtype : dtype, default: 'float64'
        The dtype of the result.

    Returns
    -------
    Expr
        An array of this shape.

    See Also
    --------
    numpy.zeros : The same for arrays.

    Examples
    --------
    >>> ad.evaluate(ad.zeros(2))
    array([0., 0.])
    """
    return full(shape, 0, dtype)


def ones(shape: Any, dtype: object = "float64") -> Expr:
    """Ones of this shape, whose lengths may be expressions.

    Parameters
    ----------
    shape : int or tuple
        Its lengths; a length may be an expression.
    dtype : dtype, default: 'float64'
        The dtype of the result.

    Returns
    -------
    Expr
        An array of this shape.

    See Also
    --------
    numpy.ones : The same for arrays.

    Examples
    --------
    >>> ad.evaluate(ad.ones(2))
    array([1., 1.])
    """
    return full(shape, 1, dtype)


def eye(n: Any, m: Any = None, k: int = 0, dtype: object = "float64") -> Expr:
    """Ones on the k-th diagonal, zeros elsewhere; n and m may be expressions.

    Parameters
    ----------
    n : int or Expr
        How many rows.
    m : int or Expr, optional
        How many columns; by default as many.
    k : int, default: 0
        Which diagonal: above the main one if positive, below it if negative.
    dtype : dtype, default: 'float64'
        The dtype of the result.

    Returns
    -------
    Expr, shape (n, m)
        The matrix.

    See Also
    --------
    numpy.eye : The same for arrays.

    Examples
    --------
    >>> ad.evaluate(ad.eye(2))
    array([[1., 0.],
           [0., 1.]])
    """
    n, m = told_length(n), told_length(n if m is None else m)
    if not isinstance(n, Expr) and not isinstance(m, Expr):
        return Constant(np.eye(n, m, k, dtype=dtype))  # type: ignore[call-overload]
    rows, columns = (OPERATIONS["arange"](length) for length in (n, m))
    places = OPERATIONS["expand_dims"](rows + k, axis=1) == columns
    return OPERATIONS["astype"](places, dtype)
