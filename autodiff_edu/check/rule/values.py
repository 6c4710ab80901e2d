"""The value of a node at a point: as it is, off by its last digits, or with what overflows."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from ...expr import Expr, Input, postorder
from ...rewrite.algebra.law import MODERATE

SLACK = 16  # times what rounding makes of a value, or its last digit: so much two ways may differ
BELOW = 1e-8  # part of the largest number; inf is taken for that when one asks what overflows

Ways = Callable[[tuple[int, ...]], Any]


def wide(v: np.ndarray) -> np.ndarray:
    return v.astype("longdouble")


def last_digit(v: np.ndarray) -> np.ndarray:
    if v.dtype.kind != "f":
        return np.zeros(v.shape, "longdouble")
    about = np.finfo(v.dtype)
    return np.abs(wide(v)) * about.eps + about.smallest_subnormal


@np.errstate(all="ignore")
def clear(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Where do these differ by more than a few last digits?"""
    return np.asarray(np.abs(wide(right) - wide(left)) > SLACK * last_digit(left))


def tried(node: Expr, *given: Any) -> Any:
    """The value of a node, or None where NumPy refuses to compute it, as a singular inverse."""
    try:
        return computed(node, *given)
    except ValueError:
        return None


def stacked(values: list[Any]) -> np.ndarray:
    """Values in a row, with nan for None."""
    shape = next((np.shape(v) for v in values if v is not None), ())
    rows = [np.full(shape, np.nan) if v is None else v for v in values]
    return np.stack(rows) if rows else np.empty((0, *shape))


def computed(
    node: Expr, at: Mapping[Any, Any], ways: Ways | None = None, exact: bool = False
) -> Any:
    """The value of a node; with a way to choose 1 or -1 for each entry, all is off by that many
    units in its last digit, but for the inputs where they are exact."""
    return all_computed(node, at, ways, exact)[node]


def all_computed(
    node: Expr, at: Mapping[Any, Any], ways: Ways | None = None, exact: bool = False
) -> dict[Any, Any]:
    """The values of a node and of all that it needs."""
    values = dict(at)
    if ways is not None and not exact:
        values |= {i: moved(v, ways, 0) for i, v in at.items() if isinstance(i, Input)}
    for n, perform, inputs, static, view in program(node):
        if n not in values and perform is None:
            values[n] = n.value
        elif n not in values:
            operands = [values[i] for i in inputs]
            off = mixed if n.op.core else moved
            if ways is not None and n.op.core and not exact:
                operands = [mixed(v, ways) for v in operands]
            v = perform(*operands, **static)
            values[n] = v if ways is None or view else off(v, ways, 1)
    return values


@lru_cache(8)
def program(node: Expr) -> list[tuple]:
    """Each node that this one needs, and how it is computed: the same at a thousand points."""
    return [
        (n, n.op and n.op.perform, n.inputs, dict(n.static), n.op and n.op.view)
        for n in postorder([node])
    ]


def at_random(rng: np.random.Generator) -> Ways:
    """1 or -1 for each entry, at random: rng.choice takes three times as long."""
    return lambda shape: np.where(rng.random(shape) < 0.5, 1.0, -1.0)


def moved(v: Any, ways: Ways, least: int) -> Any:
    """v off by its last digit; a zero that was computed, by the smallest number."""
    if getattr(v, "dtype", np.dtype(int)).kind != "f":
        return v
    about, side = np.finfo(v.dtype), np.asarray(ways(np.shape(v)), v.dtype)
    return np.asarray(v * (1 + side * about.eps) + side * least * about.smallest_subnormal)[()]


def mixed(v: Any, ways: Ways, least: int = 0) -> Any:
    """v off by the last digit of its largest entry: LAPACK mixes all rows of a matrix."""
    if not v.size or v.dtype.kind != "f":
        return v
    about, side = np.finfo(v.dtype), np.asarray(ways(np.shape(v)), v.dtype)
    return v + side * (about.eps * np.max(np.abs(v)) + least * about.smallest_subnormal)


def in_reach(v: Any) -> Any:
    """A large number for each inf."""
    if v.dtype.kind != "f":
        return v
    most = np.finfo(v.dtype).max * v.dtype.type(BELOW)
    return np.where(np.isinf(v), np.copysign(most, v), v)[()]


def moderate(v: Any) -> bool:
    """Are these numbers, and their fourth powers, far from the largest and the smallest?"""
    if v.dtype.kind != "f":
        return True
    about, size = np.finfo(v.dtype), np.abs(v)
    return bool(np.all((size == 0) | ((size > about.tiny**0.25) & (size < about.max**0.25))))


def near_end(node: Expr, at: Mapping[Expr, Any]) -> list[np.ndarray]:
    """Where do values come near the largest or the smallest number, so that a factor which the law
    of products takes for 1 leads past it? An answer for each of those that a node needs."""
    with np.errstate(all="ignore"):
        values = [np.asarray(v) for v in all_computed(node, at).values()]
    return [is_near_end(v) for v in values if v.dtype.kind == "f"]


def is_near_end(v: np.ndarray) -> np.ndarray:
    about, size, factor = np.finfo(v.dtype), np.abs(v), 2.0**MODERATE
    large = (size > about.max / factor) & (size <= about.max)
    return large | (size < about.tiny * factor) & (size > 0)


def overflows(node: Expr, at: Mapping[Expr, Any], under: Any = "raise") -> bool:
    """Does the value of a node pass through numbers too large, or too small, to be held?"""
    held = {i: in_reach(v) for i, v in at.items()}
    try:
        with np.errstate(over="raise", under=under, divide="ignore", invalid="ignore"):
            values = all_computed(node, held)
    except FloatingPointError:
        return True
    except ValueError:  # a matrix that has no inverse
        return False
    return not all(np.isfinite(v).all() for n, v in values.items() if n.op and n.op.core)
