"""The leaves that a user writes: inputs of a stated type, and arrays of ones or zeros."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..expr import (
    OPERATIONS,
    Constant,
    Expr,
    Input,
    Shared,
    TensorType,
    constant,
    located,
    normalize_shape,
    register,
)
from .broadcasting import broadcast_like
from .lengths import told_length

FACTS = ("positive", "nonnegative", "nonzero", "integer", "finite")


@located
def tensor(name: str, dtype: object = "float64", shape: Iterable[Any] = (), **facts: bool) -> Input:
    """An input array, with None for a length that is not known yet.

    Facts are promises that simplification may use: positive, nonnegative, nonzero, integer,
    finite, each True or False. Nobody checks them when a function is called: with a p declared
    positive, p/p becomes 1, and at p = 0 or nan the answer is 1 too, without a word. Promise only
    what every value will keep; `stage.assumptions` lists the promises that a result rests on.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of an input is a string, not {name!r}")
    for fact in facts:
        if fact not in FACTS:
            raise TypeError(f"{fact} is not a fact about numbers: say {', '.join(FACTS)}")
    known = TensorType(dtype, normalize_shape(shape))
    return Input(name, known, frozenset(f for f, true in facts.items() if true))


def scalar(name: str, dtype: object = "float64", **facts: bool) -> Input:
    """An input that is one number. Its facts are promises that nobody checks: see `tensor`."""
    return tensor(name, dtype, (), **facts)


def vector(name: str, dtype: object = "float64", shape: Any = None, **facts: bool) -> Input:
    """An input with one axis; facts as for `tensor`."""
    return tensor(name, dtype, with_axes(1, shape), **facts)


def matrix(name: str, dtype: object = "float64", shape: Any = None, **facts: bool) -> Input:
    """An input with two axes; facts as for `tensor`."""
    return tensor(name, dtype, with_axes(2, shape), **facts)


def tensor3(name: str, dtype: object = "float64", shape: Any = None, **facts: bool) -> Input:
    """An input with three axes; facts as for `tensor`."""
    return tensor(name, dtype, with_axes(3, shape), **facts)


def shared(value: Any, name: str | None = None, shape: Any = None, dtype: object = None) -> Shared:
    """A leaf with a value of its own, which functions read and their `updates` change.

    Its type is that of the value; a shape such as (None, 3) lets later values have other lengths.
    Raises DTypeError, ShapeError.
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
    """An array of x's shape, and of its dtype if none is given, with one value everywhere."""
    x = constant(x) if not isinstance(x, Expr) else x
    dtype = x.dtype if dtype is None else dtype
    if not isinstance(value, Expr):
        return broadcast_like(Constant(value, np.dtype(dtype)), x)  # type: ignore
    return OPERATIONS["broadcast_to"](value.astype(dtype), x.shape)


@register("zeros_like")
def zeros_like(x: Any, dtype: object = None) -> Expr:
    """Zeros of x's shape."""
    return full_like(x, 0, dtype)


@register("ones_like")
def ones_like(x: Any, dtype: object = None) -> Expr:
    """Ones of x's shape."""
    return full_like(x, 1, dtype)


def full(shape: Any, value: Any, dtype: object = None) -> Expr:
    """An array of this shape, whose lengths may be expressions, with one value everywhere."""
    value = value if isinstance(value, Expr) else constant(value)
    value = value if dtype is None else OPERATIONS["astype"](value, dtype)
    told = tuple(
        [told_length(n) for n in (shape if isinstance(shape, (tuple, list)) else (shape,))]
    )
    if isinstance(value, Constant) and not any(isinstance(n, Expr) for n in told):
        return Constant(np.full(told, value.value))
    return OPERATIONS["broadcast_to"](value, told)


def zeros(shape: Any, dtype: object = "float64") -> Expr:
    """Zeros of this shape, whose lengths may be expressions."""
    return full(shape, 0, dtype)


def ones(shape: Any, dtype: object = "float64") -> Expr:
    """Ones of this shape, whose lengths may be expressions."""
    return full(shape, 1, dtype)


def eye(n: Any, m: Any = None, k: int = 0, dtype: object = "float64") -> Expr:
    """Ones on the k-th diagonal, zeros elsewhere; n and m may be expressions."""
    n, m = told_length(n), told_length(n if m is None else m)
    if not isinstance(n, Expr) and not isinstance(m, Expr):
        return Constant(np.eye(n, m, k, dtype=dtype))  # type: ignore[call-overload]
    rows, columns = (OPERATIONS["arange"](length) for length in (n, m))
    places = OPERATIONS["expand_dims"](rows + k, axis=1) == columns
    return OPERATIONS["astype"](places, dtype)
