"""What a mode promises of the two sides of a rule, put to numbers.

ieee   equal, but for the sign of a zero
safe   where the left is finite, the right is equal up to rounding; where it is not, they are equal,
       unless an overflow inside made the left what it is (an inf that was given counts as huge);
       a formula made stable may get a value for other reasons, but no number from a nan; a rule
       that changes the order of operations may lose a value to an overflow on the way
real   equal up to rounding where both are finite, at numbers of moderate size, unless numbers
       become too large or too small on the way

Rounding is what the left varies by when its inputs and all that is computed on the way are off by
their last digit: where terms cancel that is much, elsewhere little.

Letters: L R values of the left and right side, one row a point.
"""

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from ...expr import Constant, Expr, Input, postorder, text
from ...ops import cast
from .instances import Use
from .points import SEED, Draws, point, points, thresholds

ROUNDS = 16  # random roundings of the left side
SLACK = 16  # times the largest difference that they made, and its last digit
BELOW = 1e-8  # part of the largest number; inf is taken for that when one asks what overflows

Ways = Callable[[tuple[int, ...]], Any]


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
        where = f" at {at}" if at else ""
        if left == right:  # where the very last differ depends on the processor
            where *= bool(np.any(clear(self.left, self.right)))
            return f"{self.equation} is wrong in the last digits{where}"
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


class Compared:
    """Both sides of one use of a rule, at the simplest, or given, points where it may be used."""

    def __init__(self, use: Use, needs: bool = True, draws: Draws | None = None):
        self.before, self.after = use.before, use.after
        self.stabilises, self.reorders = use.stabilises, use.reorders
        conditions = use.needs if needs else ()
        nodes = postorder([self.before, self.after, *conditions])
        inputs = [n for n in postorder([self.before]) if isinstance(n, Input)]
        self.together = all(map(of_numbers, nodes))
        self.draws = draws or points(inputs, not self.together, thresholds(self.before))
        if not self.together:
            self.draws = accepted(self.before, self.draws)
        self.size = len(next(iter(self.draws.values()), [None]))
        if self.together:  # numbers in a row, too: NumPy has x ** 0.5 of its own for one number
            self.draws |= {n: np.full(self.size, n.value) for n in nodes if isinstance(n, Constant)}
        self.exact = any(map(has_exact_zeros, nodes))
        self.L, self.R = self.column(self.before), self.column(self.after)
        self.inside = np.full(self.size, True)
        for c in conditions:
            self.inside &= per_point(self.column(c), np.all)
            for x in c.inputs:  # a condition speaks of numbers
                self.inside &= per_point(self.column(x) == self.column(x), np.all)

    def column(self, node: Expr, rows: Any = slice(None), ways: Ways | None = None) -> np.ndarray:
        """Its value at each of these points."""
        draws = {i: v[rows] for i, v in self.draws.items()}
        n = len(np.arange(self.size)[rows])
        with np.errstate(all="ignore"):
            if self.together:
                return np.broadcast_to(computed(node, draws, ways), (n,))
            return np.stack([computed(node, point(draws, k), ways) for k in range(n)])

    def first(self, mode: str) -> Counterexample | None:
        """The simplest point at which the promise of a mode is broken; for a mode that allows no
        rounding, one that is more than rounding, or than a few last digits, if there is any."""
        gross = self.gross("real" if self.exact else mode)
        k = next((k for k in places(gross) if self.counts(k, mode)), None)
        if k is None and mode == "ieee" and not self.exact:
            differ = [clear(self.L, self.R), ~self.same]
            k = next((k for v in differ for k in places(self.inside & per_point(v, np.any))), None)
        if k is None:
            return None
        where = {str(i.name): v for i, v in point(self.draws, k).items() if isinstance(i, Input)}
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
        at, finite = point(self.draws, k), np.isfinite(self.L[k])
        if mode == "ieee":
            return True
        if mode == "real":
            sides = (self.before, self.after)
            return all(map(moderate, at.values())) and not any(overflows(n, at) for n in sides)
        if finite.all():
            lost = self.reorders and overflows(self.after, at)
            return not lost and not overflows(self.before, at, under="ignore")
        if self.stabilises:
            given = any(np.isnan(v).all() for v in at.values())
            return given and bool(np.isfinite(self.R[k]).any())
        return not overflows(self.before, at)

    @cached_property
    def same(self) -> np.ndarray:
        return (self.L == self.R) | ((self.L != self.L) & (self.R != self.R))

    @cached_property
    def apart(self) -> np.ndarray:
        """Where do the sides differ by more than rounding?"""
        apart = clear(self.L, self.R)
        with np.errstate(all="ignore"):
            gap = np.abs(wide(self.R) - wide(self.L))
            if rows := places(per_point(apart & np.isfinite(gap), np.any)):
                apart[rows] = gap[rows] > SLACK * (last_digit(self.L[rows]) + self.spread(rows))
        return apart

    def spread(self, rows: list[int]) -> np.ndarray:
        """How far the left side is off at points when all is rounded up, or down, or at random."""
        rng, left, found = np.random.default_rng(SEED), wide(self.L[rows]), []
        for choices in ([1.0], [-1.0], *[[1.0, -1.0]] * ROUNDS):
            column = self.column(self.before, rows, partial(rng.choice, choices))
            found.append(np.abs(wide(column) - left))
        return np.nan_to_num(np.max(found, axis=0), nan=np.inf)

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
    return not n.ndim and n.dtype.kind in "fb" and (not n.op or n.op.elementwise or n.op is cast)


def places(v: np.ndarray) -> list[int]:
    return [int(k) for k in np.flatnonzero(v)]


def per_point(v: np.ndarray, reduce: Any) -> np.ndarray:
    return np.asarray(reduce(v, axis=tuple(range(1, v.ndim))))


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


def computed(node: Expr, at: Mapping[Any, Any], ways: Ways | None = None) -> Any:
    """The value of a node; with a way to choose 1 or -1 for each entry, all is off by that many
    units in its last digit."""
    values = dict(at)
    if ways is not None:
        values |= {i: moved(v, ways, 0) for i, v in at.items() if isinstance(i, Input)}
    for n, perform, inputs, static, view in program(node):
        if n not in values and perform is None:
            values[n] = n.value
        elif n not in values:
            v = perform(*[values[i] for i in inputs], **static)
            values[n] = v if ways is None or view else moved(v, ways, 1)
    return values[node]


@lru_cache(8)
def program(node: Expr) -> list[tuple]:
    """Each node that this one needs, and how it is computed: the same at a thousand points."""
    return [
        (n, n.op and n.op.perform, n.inputs, dict(n.static), n.op and n.op.view)
        for n in postorder([node])
    ]


def moved(v: Any, ways: Ways, least: int) -> Any:
    """v off by its last digit; a zero that was computed, by the smallest number."""
    if getattr(v, "dtype", np.dtype(int)).kind != "f":
        return v
    about, side = np.finfo(v.dtype), np.asarray(ways(np.shape(v)), v.dtype)
    return np.asarray(v * (1 + side * about.eps) + side * least * about.smallest_subnormal)[()]


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


def overflows(node: Expr, at: Mapping[Expr, Any], under: Any = "raise") -> bool:
    """Does the value of a node pass through numbers too large, or too small, to be held?"""
    held = {i: in_reach(v) for i, v in at.items()}
    try:
        with np.errstate(over="raise", under=under, divide="ignore", invalid="ignore"):
            computed(node, held)
    except FloatingPointError:
        return True
    except ValueError:  # a matrix that has no inverse
        return False
    return False


def has_exact_zeros(n: Expr) -> bool:
    """Is it zero where differentiation proves it to be?"""
    return n.exact if isinstance(n, Constant) else n.op is not None and n.op.exact_zeros
