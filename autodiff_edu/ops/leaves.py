"""The leaves that a user writes: inputs of a stated type, and arrays of ones or zeros."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..expr import Constant, Expr, Input, TensorType
from .fit import stretch

FACTS = ("positive", "nonnegative", "nonzero", "integer", "finite")


def tensor(name: str, dtype: object = "float64", shape: Iterable[Any] = (), **facts: bool) -> Input:
    """An input array, with None for a length that is not known yet.

    Facts are promises that simplification may use: positive, nonnegative, nonzero, integer,
    finite, each True or False.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of an input is a string, not {name!r}")
    for fact in facts:
        if fact not in FACTS:
            raise TypeError(f"{fact} is not a fact about numbers: say {', '.join(FACTS)}")
    return Input(name, TensorType(dtype, shape), frozenset(f for f, true in facts.items() if true))


def scalar(name: str, dtype: object = "float64", **facts: bool) -> Input:
    """An input that is one number."""
    return tensor(name, dtype, (), **facts)


def vector(name: str, dtype: object = "float64", shape: Any = None, **facts: bool) -> Input:
    """An input with one axis."""
    return tensor(name, dtype, with_axes(1, shape), **facts)


def matrix(name: str, dtype: object = "float64", shape: Any = None, **facts: bool) -> Input:
    """An input with two axes."""
    return tensor(name, dtype, with_axes(2, shape), **facts)


def tensor3(name: str, dtype: object = "float64", shape: Any = None, **facts: bool) -> Input:
    """An input with three axes."""
    return tensor(name, dtype, with_axes(3, shape), **facts)


def with_axes(ndim: int, shape: Any) -> tuple:
    shape = (None,) * ndim if shape is None else shape
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    if len(shape) != ndim:
        raise ValueError(f"{ndim} lengths are needed, not {shape}: ad.tensor takes any number")
    return shape


def zeros_like(x: Expr) -> Expr:
    """Zeros of x's shape and dtype."""
    return stretch(Constant(np.zeros((), x.dtype)), x)


def ones_like(x: Expr) -> Expr:
    """Ones of x's shape and dtype."""
    return stretch(Constant(np.ones((), x.dtype)), x)
