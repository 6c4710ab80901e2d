"""NumPy's functions that leave entries out or pick some: written in terms of our operations."""

from collections.abc import Callable, Sequence
from math import pi
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import numpy as np

from ..expr import OPERATIONS, Expr, operands
from ..ops.arithmetic import power
from ..ops.comparison import logical_and, maximum, where
from ..ops.declare import real
from ..ops.lengths import one_axis
from ..ops.reduce import all, sum
from ..ops.shape import moveaxis, ravel, reshape, squeeze
from .aliases import FUNCTIONS
from .arrange import concatenate, stack
from .cumulative import cumprod, cumsum, prod
from .grids import linspace
from .order import argmax, argmin, argsort, diff, sort, take_along_axis
from .rounding import floor, isnan, remainder, select


def without_nan(function: Callable[..., Expr], neutral: float) -> Callable[..., Expr]:
    """A function of what is left where nan is put aside."""

    def skipping(x: Any, axis: Any = None, **options: Any) -> Expr:
        (x,) = operands((x,), function.__name__)
        return function(where(isnan(x), neutral, x) if x.type.is_float else x, axis=axis, **options)

    return skipping


# ---- numbers at distances


def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, axis: int = 0) -> Expr:
    """num numbers from start to stop with equal quotients; both have one sign."""
    start, stop = real(operands((start, stop), "geomspace"))
    part = linspace(0.0, 1.0, num, endpoint)
    part = reshape(part, (num, *[1] * max(start.ndim, stop.ndim)))
    numbers = start * power(stop / start, part)
    return moveaxis(numbers, 0, axis) if axis else numbers


def unwrap(p: Any, discont: Any = None, axis: int = -1, period: float = 2 * pi) -> Expr:
    """Angles without the jumps of a period; a jump below discont stays."""
    (p,) = real(operands((p,), "unwrap"))
    axis = one_axis(p.type, axis)
    steps, most = diff(p, axis=axis), 0.5 * period
    short = remainder(steps + most, period) - most
    short = where(logical_and(short == -most, steps > 0), most, short)
    turns = where(abs(steps) < (most if discont is None else discont), 0, short - steps)
    first = (slice(None),) * axis + (slice(0, 1),)
    return p + concatenate([0 * p[first], cumsum(turns, axis=axis)], axis=axis)


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Expr:
    """The differences of neighbours among all entries, between what else is rows."""
    (x,) = operands((ary,), "ediff1d")
    rows = tuple([e for e in (to_begin, diff(ravel(x)), to_end) if e is not None])
    return concatenate([ravel(part) for part in operands(rows, "ediff1d")])


# ---- order without nan


def nanquantile(x: Any, q: Any, axis: int | None = None, keepdims: bool = False) -> Expr:
    """The quantile of the entries that are not nan, along one axis or of all; nan if all are."""
    (x,) = real(operands((x,), "nanquantile"))
    if np.ndim(q):
        return stack([nanquantile(x, one, axis, keepdims) for one in q])
    along = 0 if axis is None else one_axis(x.type, axis)
    ordered = sort(ravel(x) if axis is None else x, axis=along)  # nan comes last
    count = sum(~isnan(ordered), axis=along, keepdims=True)
    place = maximum((count - 1) * q, 0.0)
    low = floor(place)
    pair = [take_along_axis(ordered, k.astype("int64"), axis=along) for k in (low, -floor(-place))]
    middle = where(place == low, pair[0], pair[0] + (place - low) * (pair[1] - pair[0]))
    if axis is None:
        return reshape(middle, (1,) * x.ndim if keepdims else ())
    return middle if keepdims else squeeze(middle, axis=along)


def partition(x: Any, kth: Any, axis: int | None = -1, kind: str = "introselect") -> Expr:
    """All entries in order: one of the arrangements that a partition may have."""
    return sort(x, axis=axis)


# ---- picked entries


def choose(a: Any, choices: Sequence[Any]) -> Expr:
    """For each entry of a, a whole number, the entry of the choice with that number."""
    (a,) = operands((a,), "choose")
    return select([a == k for k in range(len(choices))], list(choices))


def extract(condition: Any, arr: Any) -> Expr:
    """The entries where the condition holds, as a vector."""
    condition, arr = operands((condition, arr), "extract")
    return ravel(arr)[ravel(condition) != 0]


# ---- numbers for the letters of einsum

LETTERS = ascii_uppercase + ascii_lowercase  # in NumPy's order for the numbers 0 to 51


def in_letters(*args: Any) -> tuple[str, tuple]:
    """The subscripts in letters and the operands of x, [0, 1], y, [1, 2], [0, 2]."""
    lists = [
        "".join("..." if n is Ellipsis else LETTERS[n] for n in axes)
        for axes in (*args[1::2], *args[-1:][: len(args) % 2])
        if isinstance(axes, (list, tuple))
        and not [n for n in axes if n is not Ellipsis and n not in range(52)]
    ]
    if len(lists) != (len(args) + 1) // 2:
        raise TypeError(
            "einsum takes its subscripts as a string, 'ij,jk->ik', or as lists of the numbers 0 to "
            "51 behind the operands, x, [0, 1], y, [1, 2], [0, 2]"
        )
    arrays = args[0 : len(args) // 2 * 2 : 2]
    names = lists[: len(arrays)]
    return ",".join(names) + "".join(f"->{result}" for result in lists[len(names) :]), arrays


FUNCTIONS |= {
    "geomspace": geomspace,
    "unwrap": unwrap,
    "ediff1d": ediff1d,
    "nanprod": without_nan(prod, 1),
    "nancumsum": without_nan(cumsum, 0),
    "nancumprod": without_nan(cumprod, 1),
    "nanargmax": without_nan(argmax, -np.inf),
    "nanargmin": without_nan(argmin, np.inf),
    "nanquantile": nanquantile,
    "nanpercentile": lambda x, q, axis=None, keepdims=False: nanquantile(
        x, np.asarray(q) / 100, axis, keepdims
    ),
    "nanmedian": lambda x, axis=None, keepdims=False: nanquantile(x, 0.5, axis, keepdims),
    "partition": partition,
    "argpartition": lambda x, kth, axis=-1, kind="introselect": argsort(x, axis=axis),
    "choose": choose,
    "extract": extract,
    "argwhere": lambda x: stack(OPERATIONS["nonzero"](x), axis=1),
    "isposinf": lambda x: x == np.inf,
    "isneginf": lambda x: x == -np.inf,
    "array_equiv": lambda x, y: all(x == y),
}
