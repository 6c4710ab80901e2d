"""What a mode promises of the two sides of a rule, put to numbers.

ieee   equal, but for the sign of a zero
safe   where the left is finite, the right is equal up to rounding; if numbers on the way to the
       left become too large or too small, its error may be 8 times that of the left, at most, and
       rounding. Where the left is not finite, they are equal, unless an overflow inside made the
       left what it is (an inf that was given counts as huge); a formula made stable may get a
       value for other reasons, but no number from a nan
real   equal up to rounding where both are finite, at numbers of moderate size, unless numbers
       become too large or too small on the way

Rounding is what the left varies by when its inputs and all that is computed on the way are off by
their last digit: where terms cancel that is much, elsewhere little.

Letters: L R values of the left and right side, one row a point.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ...expr import Constant, Expr, Input, cached_property, postorder, text
from ...ops import cast, power
from .instances import Use
from .points import SEED, Draws, point, points, thresholds
from .truth import errors, passes_end, true_value
from .values import (
    SLACK,
    Ways,
    at_random,
    clear,
    computed,
    last_digit,
    moderate,
    near_end,
    overflows,
    stacked,
    tried,
    wide,
)

ROUNDS = 16  # random roundings of the left side
LOGS = 4 * SLACK  # of a formula made stable: what was a factor may have become a logarithm
TIMES = 8  # the error of the left side; so large may that of the right side be


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
        self.use, self.before, self.after = use, use.before, use.after
        self.stabilises, self.exempt = use.stabilises, use.exempt
        self.moderate = use.stabilises or use.reorders
        self.slack = LOGS if use.stabilises else SLACK
        conditions = use.needs if needs else ()
        nodes = postorder([self.before, self.after, *conditions])
        inputs = [n for n in postorder([self.before]) if isinstance(n, Input)]
        self.together, self.ndim = all(map(entry_by_entry, nodes)), max(n.ndim for n in nodes)
        many = self.ndim == 0 and all(n.dtype.kind in "fb" for n in nodes) and self.together
        self.draws = draws or points(inputs, many, thresholds(self.before))
        values = list[Any]()
        if not self.together:
            self.draws, values = accepted(self.before, self.draws)
        self.size = len(next(iter(self.draws.values()), [None]))
        if self.together:  # numbers in a row, too: NumPy has x ** 0.5 of its own for one number
            constants = [n for n in nodes if isinstance(n, Constant)]
            self.draws |= {n: np.full((self.size, *n.shape), n.value) for n in constants}
        self.exact = any(map(has_exact_zeros, nodes))
        self.L = stacked(values) if values else self.column(self.before)
        self.R = self.column(self.after)
        self.inside = np.full(self.size, True)
        for c in conditions:
            self.inside &= per_point(self.column(c), np.all)
            for v in map(self.column, c.inputs):  # a condition speaks of numbers
                self.inside &= per_point(v == v, np.all)

    def column(
        self, node: Expr, rows: Any = slice(None), ways: Ways | None = None, exact: bool = False
    ) -> np.ndarray:
        """Its value at each of these points, nan where NumPy refuses; `ways` as in `computed`."""
        draws = {i: v[rows] for i, v in self.draws.items()}
        n = len(np.arange(self.size)[rows])
        with np.errstate(all="ignore"):
            if self.together:
                lines = {i: in_line(v, self.ndim) for i, v in draws.items()}
                found = computed(node, lines, ways, exact)
                return np.reshape(found, (n, *np.shape(found)[1 + self.ndim - node.ndim :]))
            return stacked([tried(node, point(draws, k), ways, exact) for k in range(n)])

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
        at = point(self.draws, k)
        if mode == "ieee":
            return True
        if mode == "real":
            sides = (self.before, self.after)
            return all(map(moderate, at.values())) and not any(overflows(n, at) for n in sides)
        return self.breaks(k, at) and not self.is_excused(k, at)

    def breaks(self, k: int, at: Mapping[Expr, Any]) -> bool:
        """Does mode safe forbid this difference, but for an overflow of the right side alone?"""
        if np.isfinite(self.L[k]).all():
            return not (overflows(self.before, at) and self.is_true(k, at))
        if self.stabilises:
            given = any(np.isnan(v).all() for v in at.values())
            return given and bool(np.isfinite(self.R[k]).any())
        return not overflows(self.before, at)

    def is_excused(self, k: int, at: Mapping[Expr, Any]) -> bool:
        """Does the right side overflow, or underflow, where the law of products allows it: by a
        factor that it takes for 1, or where it is not asked? Of a formula made stable it is enough
        that the left side comes so near the end."""
        if not (self.exempt or self.moderate) or not overflows(self.after, at):
            return False
        if self.stabilises:
            return self.exempt or self.nears_end(k, at)
        return self.exempt or not passes_end(self.before, self.after, at)

    def nears_end(self, k: int, at: Mapping[Expr, Any]) -> bool:
        """Comes a value of the left side near the largest or the smallest number at this point?"""
        if self.together:
            return bool(self.near_end[k])
        return any(map(np.any, near_end(self.before, at)))

    @cached_property
    def near_end(self) -> np.ndarray:
        """At which points? All of them are computed together."""
        lines = {i: in_line(v, self.ndim) for i, v in self.draws.items()}
        each = [per_point(near, np.any) for near in near_end(self.before, lines)]
        return np.any([np.full(self.size, False), *each], axis=0)

    def is_true(self, k: int, at: Mapping[Expr, Any]) -> bool:
        """Is the right side as near to the truth as the left, but for rounding? What has no true
        value may differ where an overflow made the left what it is."""
        true = true_value(self.before, at)
        if true is None:
            return overflows(self.before, at, under="ignore")
        off = self.off[k] if self.together else self.spread([k])[0]
        room = self.slack * (last_digit(self.L[k]) + off)
        with np.errstate(over="ignore"):
            allowed = TIMES * errors(self.L[k], true) + room
        return bool(np.all(errors(self.R[k], true) <= allowed))

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
                room = self.slack * (last_digit(self.L[rows]) + self.spread(rows))
                apart[rows] = gap[rows] > room
        return apart

    @cached_property
    def off(self) -> dict[int, np.ndarray]:
        """How far the left side is off at points where only the right may be inf: all at once."""
        rows = places(self.gross("safe") & per_point(np.isfinite(self.L), np.all))
        return dict(zip(rows, self.spread(rows), strict=True))

    def spread(self, rows: list[int]) -> np.ndarray:
        """How far the left side is off at points when all is rounded up, or down, or at random.

        (-1) ** 2 has no value when its 2 is rounded. There only what is computed is rounded.
        """
        found = self.rounded(rows)
        if lost := places(per_point(np.isnan(found), np.any)):
            again = self.rounded([rows[k] for k in lost], exact=True)
            found[lost] = np.where(np.isnan(found[lost]), again, found[lost])
        return np.nan_to_num(found, nan=np.inf)

    def rounded(self, rows: list[int], exact: bool = False) -> np.ndarray:
        """The largest difference that rounding made, of exact inputs or of any."""
        rng, left, found = np.random.default_rng(SEED), wide(self.L[rows]), []
        ways: list[Ways] = [lambda shape: 1.0, lambda shape: -1.0]
        for way in (*ways, *[at_random(rng)] * ROUNDS):
            column = self.column(self.before, rows, way, exact)
            refused = column.shape != left.shape  # at each of these points
            found.append(np.full_like(left, np.nan) if refused else np.abs(wide(column) - left))
        return np.asarray(np.max(found, axis=0))

    @property
    def compared(self) -> int:
        """The number of points at which both sides are finite."""
        finite = np.isfinite(self.L) & np.isfinite(self.R)
        return int(np.sum(self.inside & per_point(finite, np.all)))


def accepted(node: Expr, draws: Draws) -> tuple[Draws, list[Any]]:
    """The points at which NumPy does not refuse to compute a node, as 2 ** -1 of integers, and the
    values there."""
    with np.errstate(all="ignore"):
        values = [tried(node, point(draws, k)) for k in range(len(next(iter(draws.values()), ())))]
    fine = [k for k, value in enumerate(values) if value is not None]
    return {i: v[fine] for i, v in draws.items()}, [values[k] for k in fine]


def entry_by_entry(n: Expr) -> bool:
    """Is it computed so, and thus at many points as at one? NumPy refuses 2 ** -1 of integers."""
    refused = n.op is power and n.dtype.kind != "f"
    return n.dtype.kind in "fbiu" and not refused and (not n.op or n.op.elementwise or n.op is cast)


def in_line(v: np.ndarray, ndim: int) -> np.ndarray:
    """A value for each point, with axes of length 1 before its own, which meet those of others."""
    return v.reshape(len(v), *[1] * (1 + ndim - v.ndim), *v.shape[1:])


def places(v: np.ndarray) -> list[int]:
    return [int(k) for k in np.flatnonzero(v)]


def per_point(v: np.ndarray, reduce: Any) -> np.ndarray:
    return np.asarray(reduce(v, axis=tuple(range(1, v.ndim))))


def has_exact_zeros(n: Expr) -> bool:
    """Is it zero where differentiation proves it to be?"""
    return n.exact if isinstance(n, Constant) else n.op is not None and n.op.exact_zeros
