"""NumPy's short forms: functions that are written in terms of our operations, one line each."""

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from ..expr import OPERATIONS, Expr, constant, operands
from ..ops.arithmetic import add, power
from ..ops.comparison import equal, where
from ..ops.getitem import true_places
from ..ops.lengths import one_axis, size
from ..ops.reduce import all, sum
from ..ops.shape import astype, broadcast_to, moveaxis, ravel
from .arrange import at_least
from .blocks import deep
from .moving import flip
from .order import quantile, searchsorted
from .rounding import isclose, isinf, isnan, trunc


def atleast(ndim: int) -> Callable[..., Any]:
    """np.atleast_1d and its kin: new axes in front (for three axes the last one behind)."""

    def each(*arrays: Any) -> Any:
        given = operands(arrays, f"atleast_{ndim}d")
        found = [deep(x) if ndim == 3 else at_least(ndim, x) for x in given]
        return found[0] if len(found) == 1 else tuple(found)

    return each


def broadcast_arrays(*arrays: Any) -> tuple[Expr, ...]:
    """The arrays, each repeated to the shape that all of them have in common."""
    given = operands(arrays, "broadcast_arrays")
    shape = reduce(add, given).shape
    return tuple(broadcast_to(x, shape) for x in given)


def as_float(x: Expr) -> Expr:
    """x in the dtype in which NumPy's functions for floats compute it, a short one for short
    whole numbers."""
    return x if x.type.is_float else astype(x, np.fabs(np.ones(1, x.dtype)).dtype)


def fraction_and_whole(x: Any) -> tuple[Expr, Expr]:
    """np.modf: what is behind the point and what is before it, both floats."""
    x = as_float(*operands((x,), "modf"))
    whole = trunc(x)
    return where(isinf(x), 0, x - whole), whole


def choose(condition: Any, *both: Any) -> Any:
    """np.where: a choice or, without one, the places where the condition holds."""
    return where(condition, *both) if both else nonzero(condition)


def copy(x: Expr) -> Expr:
    """x itself, as expressions never change.

    Parameters
    ----------
    x : Expr
        An array.

    Returns
    -------
    Expr
        The same.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> x.copy() is x
    True
    """
    return x


def nonzero(x: Expr) -> tuple[Expr, ...]:
    """The places of the entries that are not zero, a vector for each axis.

    Parameters
    ----------
    x : Expr
        An array.

    Returns
    -------
    tuple of Expr
        Whole numbers; how many is known when the program runs.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(x.nonzero(), {x: [0.0, 2.0, 3.0]})
    array([1, 2])
    """
    return tuple(true_places(x != 0, x))


def nan_to_num(
    x: Expr, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Expr:
    """x with numbers in the place of nan and of infinities, by default the largest."""
    if not x.type.is_float:
        return x
    most = float(np.finfo(x.dtype).max)
    high, low = most if posinf is None else posinf, -most if neginf is None else neginf
    return where(isnan(x), nan, where(equal(x, np.inf), high, where(equal(x, -np.inf), low, x)))


def array_equal(x: Any, y: Any) -> Expr:
    """Whether both have one shape and equal entries."""
    x, y = operands((x, y), "array_equal")
    lengths = zip(x.type.shape, y.type.shape)
    if x.ndim != y.ndim or any(None not in (m, n) and m != n for m, n in lengths):
        return constant(np.False_)
    return all(equal(x, y))


def rollaxis(x: Expr, axis: int, start: int = 0) -> Expr:
    """x with an axis moved before the one that is at start."""
    start = start + x.ndim if start < 0 else start
    return moveaxis(x, axis, start - (one_axis(x.type, axis) < start))


def hundredths(q: Any) -> Any:
    """Python's numbers stay weak."""
    return q / 100 if isinstance(q, (int, float)) else np.asarray(q) / 100


FUNCTIONS: dict[str, Callable[..., Any]] = {
    # what is known of an array
    "shape": lambda x: x.shape,
    "ndim": lambda x: x.ndim,
    "size": lambda x, axis=None: size(x, axis),
    "iscomplexobj": lambda x: False,
    "result_type": lambda *xs: np.result_type(*[getattr(x, "dtype", x) for x in xs]),
    # entries
    "fabs": lambda x: abs(as_float(*operands((x,), "fabs"))),
    "float_power": lambda x, y: power(*[e.astype("float64") for e in operands((x, y), "power")]),
    "copy": copy,
    "imag": lambda x: x * 0,
    "array_equal": array_equal,
    "allclose": lambda x, y, rtol=1e-05, atol=1e-08: all(isclose(x, y, rtol, atol)),
    "divmod": lambda x, y: (x // y, x % y),
    "modf": fraction_and_whole,
    "nan_to_num": nan_to_num,
    "where": choose,
    "nonzero": nonzero,
    "flatnonzero": lambda x: nonzero(ravel(x))[0],
    # sums
    "count_nonzero": lambda x, axis=None, **how: sum(x != 0, axis=axis, **how),
    "percentile": lambda x, q, axis=None, keepdims=False: quantile(
        x, hundredths(q), axis, keepdims
    ),
    "digitize": lambda x, bins, right=False: searchsorted(bins, x, right=not right),
    # shapes
    "atleast_1d": atleast(1),
    "atleast_2d": atleast(2),
    "atleast_3d": atleast(3),
    "broadcast_arrays": broadcast_arrays,
    "rollaxis": rollaxis,
    # arrangements
    "fliplr": lambda x: flip(x, 1),
    "flipud": lambda x: flip(x, 0),
}
OPERATIONS |= {name: FUNCTIONS[name] for name in ("copy", "divmod", "nonzero")}
