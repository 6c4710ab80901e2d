"""What a mode promises of the two sides of a rule, put to numbers.

ieee   equal, but for the sign of a zero
safe   where the left is finite, the right is equal up to rounding; where it is not, they are equal,
       unless an overflow inside made the left inf or nan (an inf that was given counts as huge);
       a formula made stable may get a value for other reasons, but not from a nan
real   equal up to rounding wherever both are finite

Rounding is what the left varies by when its inputs and all that is computed on the way are off by
their last digit: where terms cancel that is much, elsewhere little.

Letters: L R values of the left and right side, one row a point.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..expr import Constant, Expr, Input, postorder, text
from .instances import Use
from .simplest import SEED, Draws, point, points

ROUNDS = 8  # random roundings of the left side
SLACK = 16  # times the largest difference that they made
BELOW = 1e-8  # part of the largest number; inf is taken for that when one asks what overflows

Rng = np.random.Generator


class Counterexample(NamedTuple):
    """A point at which a rule changes more than a mode allows. `where` names the values of the
    inputs; `left` and `right` are those of the two sides."""

    before: Expr
    after: Expr
    where: Mapping[str, Any]
    left: Any
    right: Any

    def __repr__(self) -> str:
        at = ", ".join(f"{name} = {number(v)}" for name, v in self.where.items())
        left, right = number(self.left), number(self.right)
        if left == right:
            left, right = repr(self.left.tolist()), repr(self.right.tolist())
        where = f" at {at}" if at else ""
        return f"{self.equation} is wrong{where}: left {left}, right {right}"

    @property
    def equation(self) -> str:
        return f"{text(self.before)} → {text(self.after)}"


def number(v: Any) -> str:
    """A value in a few words."""
    v = np.asarray(v)
    if not v.ndim:
        return f"{v:.6g}" if v.dtype.kind == "f" else str(v)
    if v.size and all(number(e) == number(v.flat[0]) for e in v.flat):
        return f"{number(v.flat[0])} everywhere"
    return " ".join(np.array2string(v, precision=4, separator=", ", threshold=20).split())


class Sides:
    """Both sides of one use of a rule, at the points at which its conditions hold."""

    def __init__(self, use: Use, needs: bool = True):
        self.stabilises, self.before, self.after = use[:3]
        conditions = use.needs if needs else ()
        nodes = postorder([self.before, self.after, *conditions])
        inputs = [n for n in postorder([self.before]) if isinstance(n, Input)]
        self.together = all(map(of_numbers, nodes))
        self.draws: Draws = points(inputs, not self.together)
        if not self.together:
            self.draws = accepted(self.before, self.draws)
        self.size = len(next(iter(self.draws.values()), [None]))
        self.exact = any(isinstance(n, Constant) and n.exact for n in nodes)
        self.L, self.R = self.column(self.before), self.column(self.after)
        self.inside = np.full(self.size, True)
        for c in conditions:
            self.inside &= per_point(self.column(c), np.all)

    def column(self, node: Expr, rng: Rng | None = None) -> np.ndarray:
        """Its value at each point, perhaps with random roundings."""
        with np.errstate(all="ignore"):
            if self.together:
                return np.broadcast_to(computed(node, self.draws, rng), (self.size,))
            rows = [computed(node, point(self.draws, k), rng) for k in range(self.size)]
        return np.stack(rows)

    def first(self, mode: str) -> Counterexample | None:
        """The simplest point at which the promise of a mode is broken; for a mode that allows no
        rounding, one that is more than rounding if there is any."""
        gross = self.gross("real" if self.exact else mode)
        k = next((k for k in places(gross) if self.counts(k, mode)), None)
        if k is None and mode == "ieee" and not self.exact:
            k = next(iter(places(self.inside & per_point(~self.same, np.any))), None)
        if k is None:
            return None
        where = {str(i.name): v for i, v in point(self.draws, k).items()}
        return Counterexample(self.before, self.after, where, self.L[k], self.R[k])

    def gross(self, mode: str) -> np.ndarray:
        """The points at which the sides differ by more than rounding, as far as a mode cares."""
        finite, also = np.isfinite(self.L), np.isfinite(self.R)
        wrong = self.apart & finite & also
        if mode != "real":
            wrong |= ~self.same & ~(finite & also)
        return self.inside & per_point(wrong, np.any)

    def counts(self, k: int, mode: str) -> bool:
        """May nothing excuse the difference at this point?"""
        finite = np.isfinite(self.L[k])
        if mode != "safe" or (finite & (self.apart[k] | ~np.isfinite(self.R[k]))).any():
            return True
        at = point(self.draws, k)
        if self.stabilises:
            return any(np.isnan(v).all() for v in at.values())
        return not overflows(self.before, at)

    @cached_property
    def same(self) -> np.ndarray:
        equal = self.L == self.R
        return equal | ((self.L != self.L) & (self.R != self.R))

    @cached_property
    def apart(self) -> np.ndarray:
        """Where do the sides differ by more than rounding?"""
        with np.errstate(all="ignore"):
            gap = np.abs(wide(self.R) - wide(self.L))
            rounding = SLACK * last_digit(self.L)
            if (gap > rounding).any():
                rounding = rounding + SLACK * self.spread()
            return gap > rounding

    def spread(self) -> np.ndarray:
        """How far the left side is off when all is rounded at random."""
        rng = np.random.default_rng(SEED)
        moved = [np.abs(wide(self.column(self.before, rng)) - wide(self.L)) for _ in range(ROUNDS)]
        return np.nan_to_num(np.max(moved, axis=0), nan=np.inf)

    @property
    def compared(self) -> int:
        """The number of points at which both sides are finite."""
        finite = np.isfinite(self.L) & np.isfinite(self.R)
        return int(np.sum(self.inside & per_point(finite, np.all)))


def accepted(node: Expr, draws: Draws) -> Draws:
    """The points at which NumPy does not refuse to compute a node, as 2 ** -1 of integers."""
    fine = []
    for k in range(len(next(iter(draws.values()), ()))):
        try:
            with np.errstate(all="ignore"):
                computed(node, point(draws, k))
        except ValueError:
            continue
        fine.append(k)
    return {i: v[fine] for i, v in draws.items()}


def of_numbers(n: Expr) -> bool:
    """Is it a number, that many numbers may take the place of?"""
    elementwise = n.op is None or n.op.elementwise or n.op.name == "cast"
    return elementwise and not n.ndim and n.dtype.kind in "fb"


def places(v: np.ndarray) -> list[int]:
    found: list[int] = np.flatnonzero(v).tolist()
    return found


def per_point(v: np.ndarray, reduce: Any) -> np.ndarray:
    found: np.ndarray = reduce(v, axis=tuple(range(1, v.ndim)))
    return found


def wide(v: np.ndarray) -> np.ndarray:
    return v.astype("longdouble")


def last_digit(v: np.ndarray) -> np.ndarray:
    if v.dtype.kind != "f":
        return np.zeros(v.shape, "longdouble")
    about = np.finfo(v.dtype)
    return np.abs(wide(v)) * about.eps + about.smallest_subnormal


def computed(node: Expr, at: Mapping[Any, Any], rng: Rng | None = None) -> Any:
    """The value of a node; with a generator, rounded at random on the way."""
    values = {
        i: v if rng is None or v.dtype.kind != "f" else moved(v, rng, 0) for i, v in at.items()
    }
    for n in postorder([node]):
        if n in values:
            continue
        if n.op is None:
            values[n] = n.value
            continue
        v = n.op.perform(*[values[i] for i in n.inputs], **dict(n.static))
        inexact = rng is not None and getattr(n.type, "is_float", False) and not n.op.view
        values[n] = moved(v, rng, 1) if inexact else v
    return values[node]


def moved(v: Any, rng: Any, least: int) -> Any:
    """v off by up to its last digit; a zero that was computed, by the smallest number."""
    about = np.finfo(v.dtype)
    u = rng.uniform(-1, 1, np.shape(v)).astype(v.dtype)
    off = np.where(u > 0, 1, -1) * least * about.smallest_subnormal
    return np.asarray(v * (1 + u * about.eps) + off, v.dtype)[()]


def in_reach(v: Any) -> Any:
    """A large number for each inf."""
    if v.dtype.kind != "f":
        return v
    most = np.finfo(v.dtype).max * v.dtype.type(BELOW)
    return np.where(np.isinf(v), np.copysign(most, v), v)[()]


def overflows(node: Expr, at: Mapping[Input, Any]) -> bool:
    """Does the value of a node pass through numbers too large, or too small, to be held?"""
    held = {i: in_reach(v) for i, v in at.items()}
    try:
        with np.errstate(over="raise", under="raise", divide="ignore", invalid="ignore"):
            computed(node, held)
    except FloatingPointError:
        return True
    return False
