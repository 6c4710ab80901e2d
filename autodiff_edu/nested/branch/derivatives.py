"""The derivatives of a branch: branches on the same condition, of the derivatives of its sides.

Nothing of the side that is not taken takes part, so no nan of it can reach a derivative.
"""

from collections.abc import Callable, Sequence

from ...expr import Expr, Graph, Input, Null, TensorType, hook
from ...ops import zero
from ..subgraph.body import Slots
from ..subgraph.derivatives import pulled, pushed
from ..subgraph.linearised import in_symbols
from .branch_op import Branch
from .choose import choose

Exprs = Sequence[Expr]
Grow = Callable[[Graph, Exprs, Slots], Slots]
TRUTH = TensorType("bool")


@hook("cotangents of a branch")
def cotangents_of(op: Branch, inputs: Exprs, outputs: Exprs, cotangents: Slots) -> Slots:
    """The cotangents of a branch's operands, None where none arrives in either side."""
    return [None, *derivative(op, pulled, "pullback", inputs, outputs, cotangents)]


@hook("tangents of a branch")
def tangents_of(op: Branch, inputs: Exprs, outputs: Exprs, tangents: Slots) -> Slots:
    """The tangents of a branch's results, None where neither side moves."""
    return derivative(op, pushed, "tangent", inputs, outputs, tangents[1:])


def derivative(
    op: Branch, grow: Grow, word: str, inputs: Exprs, outputs: Exprs, changes: Slots
) -> Slots:
    """The derivative of both sides, and the choice between them by the same condition."""
    xs, condition = op.body.inputs, Input("p", TRUTH)
    ys = [Input(name or "y", t) for name, t in zip(op.body.names, op.types, strict=False)]
    of, ends = (ys, xs) if word == "pullback" else (xs, ys)

    def rule(moving: Slots) -> tuple[Slots, Exprs]:
        sides = [grow(path, ys, moving) for path in op.paths]
        return both(condition, sides, ends, f"{word} of {op.name}"), [condition, *xs, *ys]

    return in_symbols(op, word, rule, of, [*inputs, *outputs], changes, "d_")


def both(condition: Expr, sides: Sequence[Slots], ends: Exprs, name: str) -> Slots:
    """One branch for all changes, with zeros where one side has none; None where both have none."""
    pairs = list(zip(*sides, strict=True))
    found: list[Expr | None] = [
        next((e for e in pair if isinstance(e, Null)), None) for pair in pairs
    ]
    there = [k for k, pair in enumerate(pairs)
             if found[k] is None and any(e is not None for e in pair)]  # fmt: skip
    full = [[zero(ends[k]) if e is None else e for e in pairs[k]] for k in there]
    if there:
        first, second = map(list, zip(*full, strict=True))
        for k, e in zip(there, choose(condition, first, second, name), strict=True):
            found[k] = e
    return found
