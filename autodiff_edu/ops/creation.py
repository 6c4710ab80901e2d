"""Arrays of one number, and the identity matrix."""

from typing import Any

import numpy as np

from ..core.derivative_rules import broadcast_like
from ..expr import (
    OPERATIONS,
    Constant,
    Expr,
    as_dtype,
    constant,
    register,
)
from .lengths import told_length


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
