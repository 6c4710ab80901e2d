"""Taylor coefficients through boxes, branches and loops: the body is read over series.

A loop carries the coefficients of its states from step to step, in one loop. So the k-th derivative
costs k² times a step, and not a tower of loops.
"""

from collections.abc import Sequence
from typing import Any

from ..expr import Expr, Graph, Input, results
from ..nested import OpFromGraph
from ..nested.branch.branch_op import Branch
from ..nested.loops.scan_op import Scan
from ..ops import zero
from .series import Reader, Series


def inside(reader: Reader, n: Expr, operands: Sequence[Series]) -> Sequence[Series] | None:
    """The series of the results, where the operation has a body that tells its derivative."""
    op: Any = n.op
    if isinstance(op, OpFromGraph) and not any(op.rules):
        read = reader.read(op.body.outputs, dict(zip(op.body.inputs, operands, strict=True)))
        return [read[y] for y in op.body.outputs]
    if isinstance(op, Branch):
        return of_branch(reader, op, operands)
    if isinstance(op, Scan):
        return Unfolded(reader, op, operands).series()
    return None


class Widened:
    """A body with more inputs: beside each that moves its coefficients from 1 to the order."""

    def __init__(self, reader: Reader, operands: Sequence[Series], inputs: Sequence[Input]):
        self.reader, self.inputs = reader, inputs
        self.symbols = {
            i: [Input(f"{i.name or 'x'}_{k}", zero(i).type) for k in self.orders()]
            for i, s in zip(inputs, operands, strict=True) if moves(i, s)
        }  # fmt: skip

    def orders(self) -> range:
        return range(1, self.reader.order + 1)

    def read(self, outputs: Sequence[Expr]) -> dict[Expr, Series]:
        return Reader(self.reader.order, inside).read(
            outputs, {i: Series(i, *self.symbols.get(i, [])) for i in self.inputs}
        )

    def given(self, i: Input, s: Series) -> list[Expr]:
        """The coefficients of an operand whose symbol has some."""
        return [filled(s.at(k), s) for k in self.orders()] if i in self.symbols else []

    def made(self, s: Series) -> list[Expr]:
        return [filled(s.at(k), s) for k in self.orders()]


def moves(i: Input, s: Series) -> bool:
    return i.type.is_float and not s.is_still


def filled(c: Expr | None, s: Series) -> Expr:
    return zero(s.first) if c is None else c


def back(found: Sequence[Expr], count: int, order: int) -> list[Series]:
    """Values first, then the coefficients of each."""
    rest = found[count:]
    return [Series(y, *rest[k * order : (k + 1) * order]) for k, y in enumerate(found[:count])]


def of_branch(reader: Reader, op: Branch, operands: Sequence[Series]) -> list[Series]:
    """A branch of which each side computes all coefficients."""
    condition, *given = operands
    body = Widened(reader, given, op.body.inputs)
    sides = []
    for path in op.paths:
        read = body.read(path.outputs)
        own = [read[y] for y in path.outputs]
        sides += [s.first for s in own] + [c for s in own for c in body.made(s)]
    extra = [c for symbols in body.symbols.values() for c in symbols]
    wide = Branch(Graph(sides, [*op.body.inputs, *extra]), op.name)
    pairs = list(zip(op.body.inputs, given, strict=True))
    values = [s.first for s in given] + [c for i, s in pairs for c in body.given(i, s)]
    found = results(wide.apply((condition.first, *values)))
    return back(found, op.count, reader.order)


class Unfolded:
    """A loop whose states, slices and constants stand beside their coefficients."""

    def __init__(self, reader: Reader, op: Scan, operands: Sequence[Series]):
        self.reader, self.op = reader, op
        self.steps, self.starts, self.slices, self.constants = op.split(operands)
        inputs = op.body.inputs
        a, b = op.states, op.states + op.slices
        moving = [any_series(i) for i in inputs[:a]] + [*self.slices, *self.constants]
        self.body = Widened(reader, moving, inputs)
        self.groups = inputs[:a], inputs[a:b], inputs[b:]

    def series(self) -> list[Series]:
        """The last states, all states and the rows."""
        op, order = self.op, self.reader.order
        how: Any = op.how
        wide = Scan(self.step(), self.states, len(self.widened(1)), op.steps, **how)
        given = zip(self.groups, (self.starts, self.slices, self.constants), strict=True)
        operands = [c for names, group in given for c in self.operands(names, group)]
        last, every, rows = wide.parts(results(wide.apply((self.steps.first, *operands))))
        return [*self.of_states(last), *self.of_states(every), *back(rows, op.rows, order)]

    def widened(self, group: int) -> list[Input]:
        names = self.groups[group]
        return [*names, *[c for i in names for c in self.body.symbols.get(i, [])]]

    @property
    def states(self) -> int:
        return len(self.widened(0))

    def step(self) -> Graph:
        """One step: new states with their coefficients, rows with theirs, the end if it has one."""
        op, outputs = self.op, self.op.body.outputs
        read = self.body.read(outputs)
        new, rows = outputs[: op.states], outputs[op.states :][: op.rows]
        found = [read[y].first for y in new]
        for i, y in zip(self.groups[0], new, strict=True):
            found += self.body.made(read[y]) if i in self.body.symbols else []
        found += [read[y].first for y in rows]
        found += [c for y in rows for c in self.body.made(read[y])]
        found += [read[outputs[-1]].first] if op.until else []
        return Graph(found, [i for k in range(3) for i in self.widened(k)])

    def operands(self, names: Sequence[Input], group: Sequence[Series]) -> list[Expr]:
        pairs = list(zip(names, group, strict=True))
        return [s.first for s in group] + [c for i, s in pairs for c in self.body.given(i, s)]

    def of_states(self, found: Sequence[Expr]) -> list[Series]:
        """Values first; coefficients only of states that move."""
        op, order = self.op, self.reader.order
        rest = iter(found[op.states :])
        return [
            Series(y, *[next(rest) for _ in range(order if i in self.body.symbols else 0)])
            for i, y in zip(self.groups[0], found[: op.states], strict=True)
        ]


def any_series(i: Input) -> Series:
    """A state may move after the first step, whether its start does or not."""
    return Series(i, zero(i)) if i.type.is_float else Series(i)
