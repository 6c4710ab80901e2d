"""First states, which must have the type that a step gives.

A Python number takes the type of what it meets in a step. So a step is read with the smallest type
of the number's kind first; where it then gives a smallest type again, the number has met nothing
but other numbers, and takes NumPy's default for its kind.
"""

import numpy as np

from ...expr import Expr, ShapeError, at, constant
from .scan_op import alike
from .taps import Taps

SMALLEST: dict[type, np.dtype] = {int: np.dtype("int8"), float: np.dtype("float16")}


def opened(begin: Taps) -> Taps:
    """For a number 0, which fits, in the smallest type of its kind."""
    if begin.number is None:
        return begin
    return begin._replace(array=constant(0, SMALLEST[type(begin.number)]))


def is_open(begin: Taps | None) -> bool:
    """Is the type of a number still to be found?"""
    return begin is not None and begin.number is not None and is_smallest(begin.array)


def is_smallest(x: Expr) -> bool:
    return x.dtype in SMALLEST.values()


def by_default(begin: Taps) -> Taps:
    """A number that has met nothing but numbers, in NumPy's type for it."""
    return begin._replace(array=constant(begin.number)) if is_open(begin) else begin


def adopting(begin: Taps, y: Expr) -> Taps:
    """The first state in the type that a step gives it. Raises ShapeError where it has another."""
    one = begin.one
    if alike(one, y.type):
        return begin
    once = begin.array.type.shape in ((), y.type.shape)  # a state may grow at every step
    if begin.number is not None and once and y.type.known and fits(begin.number, y.dtype):
        return begin._replace(array=constant(np.full(y.shape, begin.number, y.dtype)))
    if np.result_type(one.dtype, y.dtype) == y.dtype and one.dtype != y.dtype:
        return begin._replace(array=begin.array.astype(y.dtype))
    raise ShapeError(
        f"a state is {one!r} before a step and {y.type!r} after it{at(y)}: begin with an array of "
        "the type that a step gives, ad.zeros(...) or .astype(...)"
    )


def fits(number: int | float, dtype: np.dtype) -> bool:
    """Is nothing lost of the number in this type?"""
    return np.can_cast(np.min_scalar_type(number), dtype)
