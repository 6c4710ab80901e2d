"""Forward mode through a loop.

    ṡₜ₊₁ = ∂s'/∂s · ṡₜ + ∂s'/∂x · ẋₜ + ∂s'/∂c · ċ,    ẏₜ likewise

Letters: s a state, x a slice, c a constant, y a row, d the symbol of a tangent.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...core.forward import passing
from ...expr import Expr, Input, hook
from ...ops import filled, zero
from ..subgraph.body import Slots
from .derivative_loop import Derivative, all_reached, change, named
from .recurrence import Recurrence, State
from .scan_op import Scan


@hook("tangents of a loop")
def tangents_of(
    op: Scan, inputs: Sequence[Expr], outputs: Sequence[Expr], tangents: Slots
) -> list[Expr]:
    """The tangents of a loop's results, zeros for those that do not move."""
    return Forward(op, inputs, outputs).run(dict(zip(op.body.inputs, tangents[1:], strict=True)))


class Forward(Derivative):
    """One derivation; `moving` is the symbol of its tangent for every symbol that has one."""

    def run(self, given: dict[Input, Expr | None]) -> list[Expr]:
        loop = self.loop
        moving = {symbol: change(symbol) for symbol, t in given.items() if t is not None}
        tangent = self.fixpoint(moving)
        moved = [s for s in loop.states if s.symbol in moving]
        rows = [k for k, y in enumerate(loop.rows) if y in tangent]
        new = [tangent.get(s.new, zero(self.linear.saved[s.new])) for s in moved]
        starts = filled([given[s.symbol] for s in moved], [s.start for s in moved])
        ahead = Recurrence(
            self.steps,
            [State(moving[s.symbol], t, e) for s, t, e in zip(moved, starts, new, strict=True)],
            self.known() + [(moving[x], self.made(t)) for x, t in present(loop.slices, given)],
            [*loop.constants, *[(moving[c], t) for c, t in present(loop.constants, given)]],
            [named(tangent[y], f"d_{y.name or 'rows'}") for y in loop.rows if y in tangent],
            how=self.how | {"name": f"tangent of {self.op.name}"},
        ).build()  # fmt: skip
        places = [k for k, s in enumerate(loop.states) if s.symbol in moving]
        found = zip((places, places, rows), ahead, (self.last, self.every, self.rows), strict=True)
        return [e for ks, made, results in found for e in spread(ks, made, results)]

    def fixpoint(self, moving: dict[Input, Input]) -> dict[Expr, Expr]:
        """The tangents within a step, once every state that moves has one; `moving` grows. Those
        that are likely to move are tried first, since each sweep differentiates the body anew."""
        likely = {symbol: change(symbol) for symbol in self.likely(moving)}
        tangent = self.tangents(moving | likely)
        states = [s for s in self.loop.states if s.symbol in likely]
        found = {likely[s.symbol]: tangent.get(s.new) for s in states}
        if all_reached(found, moving.values()):
            moving |= likely
        else:
            tangent = self.tangents(moving)
        while True:
            fresh = [s.symbol for s in self.loop.states
                     if s.new in tangent and s.symbol not in moving]  # fmt: skip
            if not fresh:
                return tangent
            moving |= {symbol: change(symbol) for symbol in fresh}
            tangent = self.tangents(moving)

    def tangents(self, moving: Mapping[Any, Input]) -> dict[Expr, Expr]:
        return self.linear.pushforward([moving.get(i) for i in self.linear.wrt])

    def likely(self, moving: Iterable[Input]) -> list[Input]:
        """The other states that move, as far as operations say which operands derivatives pass."""
        given = reached = set(moving)
        while True:
            found: set[Expr] = set(reached)
            for n in self.body.operations:
                if not found.isdisjoint(passing(n)):
                    found.add(n)
            fresh = {s.symbol for s in self.loop.states if s.new in found} - reached
            if not fresh:
                return [s.symbol for s in self.loop.states if s.symbol in reached - given]
            reached = reached | fresh


def present(
    pairs: Sequence[tuple[Input, Expr]], given: Mapping[Input, Expr | None]
) -> list[tuple[Input, Expr]]:
    """The symbols that have a tangent, and these."""
    return [(i, t) for i, t in ((i, given[i]) for i, _ in pairs) if t is not None]


def spread(places: list[int], made: Sequence[Expr], results: Sequence[Expr]) -> list[Expr]:
    """The tangents in their places, and zeros elsewhere."""
    known = dict(zip(places, made, strict=True))
    return [known[k] if k in known else zero(y) for k, y in enumerate(results)]
