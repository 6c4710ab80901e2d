"""Reverse mode through a loop: back through time.

    s̄ₜ = s̄ₜ₊₁ · ∂s'/∂s + ȳₜ · ∂y/∂s,   x̄ₜ likewise,   c̄ = Σₜ (s̄ₜ₊₁ · ∂s'/∂c + ȳₜ · ∂y/∂c)

(Werbos 1990, Backpropagation through time.)

Letters: s a state, x a slice, c a constant, y a row, a an adjoint.
"""

from collections.abc import Sequence
from typing import Any

from ...core.forward import carrying
from ...expr import Expr, Input, Null, hook
from ...ops import equal, minimum, where, zero
from ..subgraph.body import Slots
from ..subgraph.linearised import combined
from .all_states import parted
from .derivative_loop import Derivative, all_reached, change, named, padded
from .recurrence import Recurrence, Results, State
from .scan_op import Scan


@hook("cotangents of a loop")
def cotangents_of(
    op: Scan, inputs: Sequence[Expr], outputs: Sequence[Expr], cotangents: Slots
) -> list[Expr | None]:
    """The cotangents of a loop's operands, None where none arrives."""
    found = Reverse(op, inputs, outputs, cotangents).run()
    return [None, *[found.get(i) for i in op.body.inputs]]


class Reverse(Derivative):
    """One derivation. `seeds` are the cotangents that enter at every step, as (body output, symbol,
    rows); `carried` the adjoint that each state hands back to the step before, a symbol or Null."""

    def __init__(self, op: Scan, inputs: Any, outputs: Any, cotangents: Slots):
        super().__init__(op, inputs, outputs)
        self.ct_last, ct_every, ct_rows = op.parts(cotangents)
        parts = [(None, None) if ct is None else parted(ct) for ct in ct_every]
        self.ct_first = [first for first, _ in parts]
        symbols = [s.symbol for s in self.loop.states]
        self.carried: dict[Input, Expr] = {
            s: change(s) for s, ct in zip(symbols, self.ct_last, strict=True) if ct is not None
        }
        ends = [(s.new, ct) for s, (_, ct) in zip(self.loop.states, parts) if ct is not None]
        ends += [(y, ct) for y, ct in zip(self.loop.rows, ct_rows, strict=True) if ct is not None]
        self.seeds = [(y, change(y, "ct_"), rows) for y, rows in ends]

    # ---- one step

    def adjoints(self) -> dict[Expr, Expr]:
        """The adjoints within a step, once all that is carried back is known. What is likely to be
        carried is tried first, since each sweep differentiates the body anew."""
        first = dict(self.carried)
        likely = {symbol: change(symbol) for symbol in self.likely()}
        self.carried |= likely
        adjoint = self.sweep()
        found = {a: adjoint.get(symbol) for symbol, a in likely.items()}
        entering: Any = [*first.values(), *[symbol for _, symbol, _ in self.seeds]]
        if not all_reached(found, entering):
            self.carried = first
            adjoint = self.sweep()
        while self.carry(adjoint):
            adjoint = self.sweep()
        return adjoint

    def sweep(self) -> dict[Expr, Expr]:
        """The adjoints within a step for what is carried back."""
        handed_back = [(s.new, self.carried.get(s.symbol)) for s in self.loop.states]
        return self.linear.pullback([*[(y, ct) for y, ct, _ in self.seeds], *handed_back])

    def likely(self) -> list[Input]:
        """The other states that have an adjoint, as far as operations say which operands
        derivatives pass."""
        states = self.loop.states
        ends = [y for y, _, _ in self.seeds]
        reached: set[Expr] = set(self.carried)
        while True:
            there = [s.new for s in states if s.symbol in reached]
            found = carrying(self.body.nodes, [*ends, *there])
            fresh = {s.symbol for s in states if s.symbol in found} - reached
            if not fresh:
                return [s.symbol for s in states if s.symbol in reached.difference(self.carried)]
            reached |= fresh

    def carry(self, adjoint: dict[Expr, Expr]) -> bool:
        """Hand the adjoints of the states back to the step before. Is one of them new?"""
        before = dict(self.carried)
        for s in self.loop.states:
            a, known = adjoint.get(s.symbol), before.get(s.symbol)
            if isinstance(a, Null) and not isinstance(known, Null):
                self.carried[s.symbol] = a
            elif a is not None and known is None:
                self.carried[s.symbol] = change(s.symbol)
        return len(self.carried) > len(before) or any(
            self.carried[s] is not a for s, a in before.items()
        )

    # ---- all steps

    def run(self) -> dict[Input, Expr]:
        """The cotangent for each symbol of the body that has one."""
        loop, adjoint = self.loop, self.adjoints()
        found: dict[Any, Expr] = {i: a for i, a in adjoint.items() if isinstance(a, Null)}
        inner = {i: a for i, a in adjoint.items() if i not in found}
        states = [s for s in loop.states if isinstance(self.carried.get(s.symbol), Input)]
        slices = [(x, v) for x, v in loop.slices if x in inner]
        constants = [(c, v) for c, v in loop.constants if c in inner]
        back = self.build(inner, states, slices, constants)
        for s, a in zip(states, back.last, strict=False):
            start = self.start_of(s)
            if start is not None:
                found[start] = combined(found.get(start), self.reached(a))
        found = {s.symbol: zero(s.start) for s in states if s.symbol not in found} | found
        for (c, _), total in zip(constants, back.last[len(states) :], strict=True):
            found[c] = total
        for (x, v), rows in zip(slices, back.rows, strict=True):
            found[x] = self.in_time(rows, v)
        return self.with_first_rows(found)

    def build(self, inner: dict, states: Any, slices: Any, constants: Any) -> Results:
        """The loop back in time, in which the sums over time are states too."""
        ct_last = dict(zip([s.symbol for s in self.loop.states], self.ct_last, strict=True))
        carried = []
        for s in states:
            first = ct_last[s.symbol]
            start = zero(s.start) if first is None else first
            new = inner.get(s.symbol, zero(s.symbol))
            carried.append(State(self.carried[s.symbol], start, new))  # type: ignore[arg-type]
        for c, v in constants:
            total = change(c, "sum_")
            carried.append(State(total, zero(v), total + inner[c]))
        entering = [(symbol, rows) for _, symbol, rows in self.seeds]
        return Recurrence(
            self.depth,
            carried,
            [(symbol, self.backwards(x)) for symbol, x in (*self.known(), *entering)],
            self.loop.constants,
            [named(inner[x], f"d_{x.name}") for x, _ in slices],
            how=self.how | {"name": f"pullback of {self.op.name}"},
        ).build()

    # ---- time, and how far back it goes

    @property
    def depth(self) -> Any:
        """The number of steps back."""
        k, n = self.op.truncate, self.steps
        if k < 0:
            return n
        return minimum(n, k) if isinstance(n, Expr) else min(n, k)

    def backwards(self, x: Expr) -> Expr:
        """The last slices, in the order in which they are met on the way back."""
        return (x if self.op.truncate < 0 else x[-self.op.truncate :])[::-1]

    def in_time(self, rows: Expr, of: Expr) -> Expr:
        """Rows met on the way back, in their places in time; zeros where it did not lead."""
        if self.op.truncate < 0 and not self.op.until:
            return rows[::-1]
        start = self.steps - self.depth if self.op.truncate >= 0 else 0
        whole = of.shape[0] if self.op.until else self.steps
        return padded(rows[::-1], start, self.steps, whole)

    def start_of(self, s: State) -> Input | None:
        """The symbol whose first value a state still has where the way back ends: its own, or, with
        taps, that of a state that was handed on so far; None if it was computed before."""
        if not (isinstance(self.steps, int) and isinstance(self.depth, int)):
            return s.symbol
        states = {other.symbol: other for other in self.loop.states}
        for _ in range(self.steps - self.depth):
            if s.new is s.symbol:
                break
            if s.new not in states:
                return None
            s = states[s.new]  # type: ignore[index]
        return s.symbol

    def reached(self, a: Expr) -> Expr:
        """The adjoint of a first state; zero where the way back ended before it."""
        if self.op.truncate < 0 or isinstance(self.depth, int):
            return a
        return where(equal(self.depth, self.steps), a, 0)

    def with_first_rows(self, found: dict[Input, Expr]) -> dict[Input, Expr]:
        """The first of all states is the start itself."""
        for s, ct in zip(self.loop.states, self.ct_first, strict=True):
            if ct is not None:
                found[s.symbol] = combined(found.get(s.symbol), ct)
        return found
