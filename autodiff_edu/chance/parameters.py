"""What a user says of a draw, read and checked: its size, its parameters, its stream's seed."""

from collections.abc import Sequence
from operator import index
from typing import Any

import numpy as np

from ..expr import (
    OPERATIONS,
    DTypeError,
    Expr,
    ShapeError,
    broadcast_shapes,
    located,
    operands,
    shown,
    spell,
)

Lengths = tuple[Any, ...]  # ints, and expressions for what is not known yet

# ---- size


def shape_of(parameter: Any) -> Lengths:
    return parameter.shape if isinstance(parameter, Expr) else np.shape(parameter)


def told(lengths: Lengths) -> tuple[int | None, ...]:
    """The lengths as a type has them, with None for expressions."""
    return tuple([None if isinstance(n, Expr) else n for n in lengths])


@located
def sized(size: Any, shapes: Sequence[Lengths]) -> Lengths:
    """The lengths of a draw whose parameters have these shapes. Raises TypeError, ShapeError."""
    if size is None:
        return common(shapes)
    given = size if isinstance(size, (tuple, list)) else (size,)
    found = tuple([length(n) for n in given])
    for shape in shapes:
        if not fits(told(shape), told(found)):
            raise ShapeError(f"size={spell(told(found))} does not hold a parameter of shape "
                             f"{spell(told(shape))}: size is the shape of the whole "
                             "result")  # fmt: skip
    return found


def common(shapes: Sequence[Lengths]) -> Lengths:
    """The lengths on which shapes agree when they are broadcast."""
    met = broadcast_shapes(*map(told, shapes))
    places = range(-len(met), 0)
    return tuple([unknown(shapes, k) if n is None else n for k, n in zip(places, met)])


def unknown(shapes: Sequence[Lengths], k: int) -> Expr:
    return next(s[k] for s in shapes if len(s) >= -k and isinstance(s[k], Expr))


def fits(shape: tuple, size: tuple) -> bool:
    pairs = zip(shape[::-1], size[::-1], strict=False)
    return len(shape) <= len(size) and all(n in (1, None, m) or m is None for n, m in pairs)


def length(n: Any) -> Any:
    """One length of a size: a whole number from 0 on, or an expression for one."""
    if isinstance(n, Expr) and n.dtype.kind in "iu" and not n.ndim:
        return n
    try:
        whole = index(n)
    except TypeError:
        raise TypeError(f"the lengths in size are whole numbers, which {n!r} is not") from None
    if whole < 0:
        raise ValueError(f"the lengths in size are not negative, and {whole} is")
    return whole


# ---- parameters


@located
def single_or_double(dtype: Any) -> str:
    if np.dtype(dtype) not in (np.float64, np.float32):
        raise DTypeError(f"draws are float64 or float32, not {dtype}: cast them by .astype")
    return np.dtype(dtype).name


@located
def spread(z: Expr, loc: Any, scale: Any) -> Expr:
    """loc + scale·z."""
    if not isinstance(scale, Expr) and np.any(np.less(scale, 0)):
        raise ValueError(f"a scale is not negative, and {scale} is")
    return moved(z, loc, scale)


def moved(z: Expr, start: Any, length: Any) -> Expr:
    """start + length·z; a start of 0 and a length of 1 are left out."""
    z = z if is_plain(length, 1) else length * z
    return z if is_plain(start, 0) else start + z


def is_plain(x: Any, number: float) -> bool:
    return isinstance(x, (int, float)) and x == number


@located
def whole(x: Any) -> Any:
    """A bound of integers. Raises DTypeError for one that is not made of whole numbers, and
    ValueError for one that is beyond those of 64 bits."""
    bound = x if isinstance(x, (int, Expr)) else np.asarray(x)
    if not isinstance(bound, int) and bound.dtype.kind not in "iu":
        raise DTypeError(f"integers lie between whole numbers, and {x} is {bound.dtype}")
    if isinstance(bound, int) and abs(bound) > 2**63:
        raise ValueError(f"integers are int64, and {x} is beyond them: draw them in two parts")
    return bound


def population(a: Any, name: str) -> tuple[Expr | None, Any]:
    """The rows of a and how many there are; of a whole number, no rows but that many."""
    if not shape_of(a):
        return None, a
    (rows,) = operands((a,), name)
    return rows, rows.shape[0]


@located
def few(count: Any, n: Any) -> Any:
    """How many are chosen of n without replacement. Raises ValueError for more than there are."""
    if not isinstance(count, Expr) and not isinstance(n, Expr) and count > n:
        raise ValueError(f"choice without replacement takes at most all {n}, and not {count}")
    return count


def one_for_each(n: Any, p: Any) -> Expr:
    """Probabilities along their last axis for n places. Raises ShapeError for another number."""
    (p,) = operands((p,), "choice")
    if not p.ndim or None in (p.type.shape[-1], *told((n,))):
        return OPERATIONS["broadcast_to"](p, (*p.shape[:-1], n)) if p.ndim else p
    if p.type.shape[-1] != n:
        raise ShapeError(f"{p.type.shape[-1]} probabilities for {n} places: give one for each")
    return p


@located
def seeded(seed: Any) -> np.ndarray:
    """The state before the first call: two words that the seed determines, and 0 calls."""
    try:
        number = index(seed)
    except TypeError:
        raise TypeError(
            f"a seed is a whole number, which {shown(seed)} is not: a stream is to give the same "
            "draws again"
        ) from None
    if number < 0:
        raise ValueError(f"a seed is not negative, and {number} is")
    return np.append(np.random.SeedSequence(number).generate_state(2, np.uint64), np.uint64(0))
