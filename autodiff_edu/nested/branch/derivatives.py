"""The derivatives of a branch: branches on the same condition, of the derivatives of its sides.

Nothing of the side that is not taken takes part, so no nan of it can reach a derivative.
"""

from collections.abc import Callable, Sequence
from typing import Any

from ...expr import Expr, Graph, Input, Null, TensorType, hook
from ...ops import zero
from ..subgraph.body import Slots, expressions_in, inline_body, put_back
from ..subgraph.derivatives import pulled, pushed
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
    """What the derivative is in symbols, found once, with these expressions for the symbols."""
    places = tuple([k for k, c in enumerate(changes) if c is not None])
    if (grow, places) not in op.memory:
        op.memory[grow, places] = in_symbols(op, grow, word, places)
    found, symbols = op.memory[grow, places]
    given: Any = [*inputs, *outputs, *[changes[k] for k in places]]
    return put_back(found, inline_body(Graph(expressions_in(found), symbols), given))


def in_symbols(op: Branch, grow: Grow, word: str, places: Sequence[int]) -> tuple[Slots, Any]:
    """The derivative of a branch on symbols, and these: for its operands, its results and the
    changes in these places."""
    condition = Input("p", TRUTH)
    names = op.body.names
    known = [Input(names[k] or "y", t) for k, t in enumerate(op.types)]
    of, ends = (known, op.body.inputs) if word == "pullback" else (op.body.inputs, known)
    moving = {k: Input(f"d_{of[k].name or k}", zero(of[k]).type) for k in places}
    changes = [moving.get(k) for k in range(len(of))]
    sides = [grow(path, known, changes) for path in op.paths]
    found = both(condition, sides, ends, f"{word} of {op.name}")
    return found, [condition, *op.body.inputs, *known, *moving.values()]


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
