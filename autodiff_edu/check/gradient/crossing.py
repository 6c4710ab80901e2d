"""Functions that branch: each point has its own path, and a step may cross from one to another.

A guard of a path is crossed where a moved point answers it otherwise. If the value is continuous
there, that is a kink like others. If it jumps, differences across it tell nothing of the slope:
they are taken on the path of the point itself, as far as its formula goes.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...expr import HOOKS, Expr, Input, cached_property, constant, evaluate, evaluate_all
from .differences import ROUNDING, Entry, Line, Place, Projection, Values, rounding, step

HALVINGS = 60  # until two points are next to each other


class Guard(NamedTuple):
    """The fields of a guard that are used here."""

    condition: Expr
    answer: Any
    place: Any
    numbers: tuple


class Formula(NamedTuple):
    """What a function computes on one path."""

    output: Expr
    inputs: Sequence[Input]
    guards: Sequence[Guard]

    def at(self, values: Values) -> Any:
        return evaluate(self.output, self.given(values))

    def given(self, values: Values) -> dict[Expr, Any]:
        return dict(zip(self.inputs, values, strict=True))

    def other_answer(self, values: Values) -> Guard | None:
        """The first guard that these values answer otherwise."""
        try:
            known = evaluate_all([g.condition for g in self.guards], self.given(values))
        except Exception:  # a later question has no answer where an earlier one differs
            known = {}
        for g in self.guards:
            value = known[g.condition] if known else evaluate(g.condition, self.given(values))
            if np.any(np.asarray(value) != g.answer):
                return g
        return None


class Branching:
    """A Python function of arrays, traced anew for each path that a point takes.

    Parameters
    ----------
    function : callable
        It takes expressions and returns one.
    point : list of array
        Where its gradient is checked.
    """

    def __init__(self, function: Callable[..., Any], point: Values):
        self.function, self.point = function, point
        self.formula = self.traced(point)
        self.others: list[Formula] = []

    def traced(self, values: Values) -> Formula:
        output, inputs, guards = HOOKS["formula_at"](self.function, tuple(values))
        return Formula(output if isinstance(output, Expr) else constant(output), inputs, guards)

    def __call__(self, values: Values) -> Any:
        """The value on the path of these; nan where another path than the point's has an error."""
        if self.formula.other_answer(values) is None:
            return self.formula.at(values)
        try:
            return self.other(values).at(values)
        except Exception:  # of the function itself, such as that of an assertion
            return np.full(self.shape, np.nan)

    def other(self, values: Values) -> Formula:
        """The formula on the path of these values, which is not the point's."""
        for known in self.others:
            if known.other_answer(values) is None:
                return known
        self.others.append(self.traced(values))
        return self.others[-1]

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return np.shape(self.formula.at(self.point))


class Crossing(NamedTuple):
    """A guard that a step in one entry crosses, and whether the value jumps there."""

    k: int
    place: Place
    guard: Guard
    jumps: bool

    def __str__(self) -> str:
        where = f"argument {self.k}" + (f" at {self.place}" if self.place else "")
        asked = f"{self.guard.place}: {self.guard.condition}".removeprefix("None: ")
        end = "where the value jumps" if self.jumps else "where the value is continuous"
        return f"a step in {where} crosses {asked}, {end}"


class PiecewiseProjection(Projection):
    """φ = Σ u·f for a function that branches; `crossed` tells what its steps crossed."""

    f: Branching

    def entry(self, k: int, place: Place) -> Entry:
        h = step(self.values[k], place, self.how.eps)
        near, far = (list(self.crossings(k, place, width)) for width in (h, 2 * h))
        jumps = any(c.jumps for c in far)
        found = self.own.entry(k, place) if jumps else super().entry(k, place)
        return found._replace(crossed=tuple(map(str, near)))

    @cached_property
    def own(self) -> Projection:
        """The same on the path of the point."""
        return Projection(self.f.formula.at, self.values, self.u, self.gradient, self.how)

    def crossings(self, k: int, place: Place, h: float) -> Iterator[Crossing]:
        """On either side the first guard of the point's path that is answered otherwise."""
        for side in (-h, h):
            guard, jumps = self.leaves(partial(scaled, partial(self.moved, k, place), side))
            if guard is not None:
                yield Crossing(k, place, guard, jumps)

    def along(self, line: Line, steps: Sequence[float]) -> Projection:
        """What to compare on a line through the point: the path of the point, if a step jumps."""
        return self.own if any(self.leaves(partial(scaled, line, h))[1] for h in steps) else self

    def leaves(self, line: Line) -> tuple[Guard | None, bool]:
        """The guard that the way from the point, line(0), to line(1) crosses; does the value change
        there by more than a slope explains?"""
        guard = self.f.formula.other_answer(line(1.0))
        if guard is None:
            return None, False
        here, there = 0.0, 1.0
        for _ in range(HALVINGS):
            middle = (here + there) / 2
            crossed = self.f.formula.other_answer(line(middle)) is not None
            here, there = (here, middle) if crossed else (middle, there)
        near = rounding(self.values) ** (1 / 3)  # far enough from there to see the slopes
        found = np.array([self(line(t)) for t in (here - near, here, there, there + near)])
        first, change, last = np.abs(np.diff(found))
        return guard, not change <= first + last + ROUNDING * self.ulp * self.size + self.noise


def scaled(line: Line, h: float, t: float) -> Values:
    return line(h * t)
