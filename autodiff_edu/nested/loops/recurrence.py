"""A recurrence in the making: symbols, what they begin with, and what becomes of them in a step.

It is what `scan` reads from a user's function, and what the derivatives of a loop and the
transformations of loops are written as; `build` makes the node.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ...expr import Constant, Expr, Graph, Input, Op, TensorType, constant, postorder, results
from ..subgraph.body import closure_convert, free
from .scan_op import Scan


class Results(NamedTuple):
    """The last states, all states from the first on, and the rows stacked."""

    last: list[Expr]
    every: list[Expr]
    rows: list[Expr]


class State(NamedTuple):
    """A symbol, its value before the first step, and its next value; `updates` says whether the
    last one is the next value of the shared one with which it begins."""

    symbol: Input
    start: Expr
    new: Expr
    updates: bool = False


@dataclass(frozen=True)
class Recurrence:
    """`slices` and `constants` are pairs (symbol, sequence) and (symbol, value)."""

    steps: Any
    states: Sequence[State] = ()
    slices: Sequence[tuple[Input, Expr]] = ()
    constants: Sequence[tuple[Input, Expr]] = ()
    rows: Sequence[Expr] = ()
    until: Expr | None = None
    how: dict[str, Any] = field(default_factory=dict)

    @property
    def outputs(self) -> list[Expr]:
        ends = [self.until] if self.until is not None else []
        return [*[s.new for s in self.states], *self.rows, *ends]

    @property
    def symbols(self) -> list[Input]:
        pairs = [*self.slices, *self.constants]
        return [*[s.symbol for s in self.states], *[symbol for symbol, _ in pairs]]

    def with_outputs(self, outputs: Sequence[Expr]) -> "Recurrence":
        """The loop with other expressions for what a step gives."""
        c, n = len(self.states), len(self.states) + len(self.rows)
        states = [s._replace(new=y) for s, y in zip(self.states, outputs, strict=False)]
        until = outputs[n] if self.until is not None else None
        return replace(self, states=states, rows=list(outputs[c:n]), until=until)

    def used(self) -> "Recurrence":
        """Without the slices and constants that no step needs."""
        needed = set(postorder(self.outputs))
        slices = [pair for pair in self.slices if pair[0] in needed]
        return replace(self, slices=slices, constants=[p for p in self.constants if p[0] in needed])

    def closure_convert(self) -> "Recurrence":
        """With what overridden derivatives within a step take from outside among the constants."""
        outer = free(self.outputs, self.symbols)
        shut, inner = closure_convert(self.outputs, outer)
        constants = [*self.constants, *zip(inner, outer, strict=True)]
        return replace(self.with_outputs(shut), constants=constants)

    def node(self) -> Expr:
        """The node of the loop."""
        one = self.closure_convert().used()
        steps = one.steps if isinstance(one.steps, Expr) else constant(one.steps)
        known = int(steps.value) if isinstance(steps, Constant) else None
        body = Graph(one.outputs, one.symbols)
        places = tuple([k for k, s in enumerate(one.states) if s.updates])
        how = one.how | {"until": one.until is not None, "updates": places}
        op = Scan(body, len(one.states), len(one.slices), known, **how)
        starts = [s.start for s in one.states]
        given = [value for _, value in (*one.slices, *one.constants)]
        return op.apply((steps, *starts, *given))

    def build(self) -> Results:
        """The results of the loop."""
        node = self.node()
        return Results(*node.op.parts(results(node)))


def recurrence(op: Scan, operands: Sequence[Expr]) -> Recurrence:
    """A loop taken apart again."""
    steps, starts, sequences, values = op.split(operands)
    symbols, outputs = op.body.inputs, op.body.outputs
    a, b = op.states, op.states + op.slices
    how = {k: v for k, v in op.how.items() if k not in ("until", "updates")}
    updates = [k in op.updates for k in range(a)]
    return Recurrence(
        op.steps if op.steps is not None else steps,
        [State(*row) for row in zip(symbols[:a], starts, outputs[:a], updates, strict=True)],
        list(zip(symbols[a:b], sequences, strict=True)),
        list(zip(symbols[b:], values, strict=True)),
        outputs[a : a + op.rows],
        outputs[-1] if op.until else None,
        how,
    )


def for_each(op: Op, inputs: Sequence[Expr], flags: Sequence[bool]) -> list[Expr]:
    """The results of an operation for each slice of the operands that are flagged, by a loop."""
    symbols = [Input(x.name or "x", TensorType(x.dtype, x.type.shape[flag:]))
               for x, flag in zip(inputs, flags, strict=True)]  # fmt: skip
    pairs = list(zip(symbols, inputs, flags, strict=True))
    steps = next(x for x, flag in zip(inputs, flags, strict=True) if flag).shape[0]
    return Recurrence(
        steps,
        slices=[(symbol, x) for symbol, x, flag in pairs if flag],
        constants=[(symbol, x) for symbol, x, flag in pairs if not flag],
        rows=results(op.apply(tuple(symbols))),
        how={"name": f"each {op.name}"},
    ).build().rows  # fmt: skip
