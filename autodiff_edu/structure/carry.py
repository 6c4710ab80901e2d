"""Index sets carried forward: for every node the entries of wrt on which each of its entries
depends.

The walk is that of forward mode, with a boolean matrix in the place of a tangent. Bodies of boxes,
branches and loops are walked, too.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..expr import Expr, ShapeError, TupleType, at, computed_by, item, postorder, word_of
from ..nested import OpFromGraph
from ..nested.branch.branch_op import Branch
from ..nested.loops.scan_op import Scan
from .asked import Known, linear_in
from .entries import Labels, Pattern, TooDense, chosen, joined, sparse
from .reading import local, through

Slots = Sequence[Pattern | None]
STEPS = 2_000  # a longer loop is not walked step by step


class Walk:
    """The patterns of all nodes so far, and what is to be said of them."""

    def __init__(self) -> None:
        self.notes: dict[str, None] = {}
        self.known = Known()
        self.steps_of: dict[tuple[Expr, int], list[Labels | Pattern]] | None = None  # in a loop

    def run(self, roots: Sequence[Expr], start: Mapping[Expr, Any]) -> dict[Expr, Any]:
        """The pattern of every node that depends on those of `start`."""
        found: dict[Expr, Any] = dict(start)
        for n in postorder(roots):
            if n not in found and n.op is not None and any(i in found for i in n.inputs):
                rows = self.visit(n, found)
                if rows is not None:
                    found[n] = rows
        return found

    def visit(self, n: Expr, found: Mapping[Expr, Any]) -> Any:
        """The pattern of a node or, if it has several results, those of all of them."""
        if n.op is item:
            node, place = computed_by(n)
            return found[node][place]
        passing = n.op.differentiable(len(n.inputs))
        given = [found.get(x) if k in passing else None for k, x in enumerate(n.inputs)]
        if all(p is None for p in given):
            return None
        check_known(n)
        self.note(n)
        try:
            rows = self.inside(n, given) or self.across(n, given)
        except TooDense as error:
            raise too_dense(n, error) from None
        return rows if isinstance(n.type, TupleType) else rows[0]

    def note(self, n: Expr) -> None:
        """Say so where the pattern is a union over values."""
        if depends_on_values(n, self.known):
            self.notes[f"{word_of(n.op)}{at(n)} takes entries by value: the union of all"] = None

    def across(self, n: Expr, given: Slots) -> list[Pattern | None]:
        """By what the record says, joined over the operands."""
        ways = [
            [through(found, p) for found in self.local(n, k)]
            for k, p in enumerate(given) if p is not None
        ]  # fmt: skip
        return [joined(patterns) for patterns in zip(*ways, strict=True)]

    def local(self, n: Expr, k: int) -> list[Labels | Pattern]:
        """What the record says of operand k; within a loop it is read once for all steps."""
        if self.steps_of is None:
            return local(n, k, self.known)
        if (n, k) not in self.steps_of:
            self.steps_of[n, k] = local(n, k, self.known)
        return self.steps_of[n, k]

    # ---- bodies

    def inside(self, n: Expr, given: Slots) -> list[Pattern | None] | None:
        """By a walk through the body, where there is one that tells the derivative."""
        op: Any = n.op
        if isinstance(op, OpFromGraph) and not any(op.rules):
            return self.body(op.body.outputs, op.body.inputs, given)
        if isinstance(op, Branch):
            sides = [self.body(path.outputs, path.inputs, given[1:]) for path in op.paths]
            return [joined(pair) for pair in zip(*sides, strict=True)]
        if isinstance(op, Scan) and not op.until:
            return self.steps(n, given)
        return None

    def body(self, outputs: Sequence[Expr], inputs: Sequence[Expr], given: Slots) -> list[Any]:
        start = {i: p for i, p in zip(inputs, given, strict=True) if p is not None}
        found = self.run(outputs, start)
        return [found.get(y) for y in outputs]

    def steps(self, n: Expr, given: Slots) -> list[Pattern | None] | None:
        """A loop, step by step."""
        op: Any = n.op
        first: Any = n.type
        length = first.items[op.states].shape[0]  # of all states, the first included, or of rows
        count = length if length is None else length - (op.states > 0)
        if count is None or not 0 < count <= STEPS:
            return None
        outer, self.steps_of = self.steps_of, {} if self.steps_of is None else self.steps_of
        _, states, sequences, constants = op.split(given)
        every, rows = [states], []
        for t in range(count):
            slices = [p if p is None else row(p, t, count) for p in sequences]
            made = self.body(op.body.outputs, op.body.inputs, [*states, *slices, *constants])
            states = made[: op.states]
            every.append(states)
            rows.append(made[op.states : op.states + op.rows])
        self.steps_of = outer
        return [*states, *stacked(every, n, op.states), *stacked(rows, n, 2 * op.states)]


def row(p: Pattern, t: int, count: int) -> Pattern:
    """The pattern of slice t of a sequence."""
    each = p.shape[0] // count
    return p[t * each : (t + 1) * each]


def stacked(made: Sequence[Slots], n: Expr, first: int) -> list[Pattern | None]:
    """The patterns of a loop's steps, one below the other, for the results from `first` on."""
    found = []
    for k, column in enumerate(zip(*made, strict=True)):
        width = next((p.shape[1] for p in column if p is not None), None)
        each: Any = n.type
        each = each.items[first + k]
        tall = int(np.prod(each.shape[1:]))
        empty = None if width is None else sparse.csr_array((tall, width), dtype=bool)
        rows = [empty if p is None else p for p in column]
        found.append(None if width is None else sparse.csr_array(sparse.vstack(rows)))
    return found


def depends_on_values(n: Expr, known: Known) -> bool:
    """Does an operand that is not known choose among entries?"""
    op, places = n.op, linear_in(n.op, len(n.inputs))
    if isinstance(op, Branch):
        return True
    if not places:
        return op.picks
    return any(known.value(x) is None for k, x in enumerate(n.inputs) if k not in places)


def check_known(n: Expr) -> None:
    """A pattern has so many rows and columns. Raises ShapeError."""
    types = [*(x.type for x in n.inputs), n.type]
    for t in types:
        known = all(i.known for i in t.items) if isinstance(t, TupleType) else t.known
        if not known:
            raise ShapeError(f"a pattern needs known lengths, and {n}{at(n)} has the type {t!r}: "
                             "declare them, as in x = ad.vector('x', shape=5)")  # fmt: skip


def too_dense(n: Expr, error: TooDense) -> TooDense:
    return TooDense(f"the pattern of {word_of(n.op)}{at(n)} would have {error}, so it is no sparse "
                    "one: take the derivative without sparse=True, or products with "
                    "ad.pushforward and ad.pullback")  # fmt: skip


def identity(wrt: Sequence[Expr]) -> dict[Expr, Pattern]:
    """Every entry of wrt depends on itself, in columns side by side."""
    sizes = [x.size for x in wrt]
    starts = np.concatenate(([0], np.cumsum(sizes)))
    return {x: chosen(np.arange(a, a + m), int(starts[-1])) for x, m, a in zip(wrt, sizes, starts)}
