"""The derivatives of a branch: branches on the same condition, of the derivatives of its sides.

Nothing of the side that is not taken takes part, so no nan of it can reach a derivative.
"""

from collections.abc import Callable, Sequence
from typing import Any

from ...differentiate import backward, sweep
from ...expr import Expr, Graph, Input, Null, TensorType, hook
from ...ops import zero
from ..subgraph.base import through
from ..subgraph.body import inline_body
from ..subgraph.derivatives import Slots, instead
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
    there = [e for e in found if e is not None and not isinstance(e, Null)]
    given = [*inputs, *outputs, *[changes[k] for k in places]]
    done = iter(inline_body(Graph(there, symbols), given))  # type: ignore[arg-type]
    return [e if e is None or isinstance(e, Null) else next(done) for e in found]


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


def pulled(path: Graph, known: Exprs, cotangents: Slots) -> Slots:
    """The adjoints of a side's inputs; its results are known."""
    start: dict[Expr, Expr] = {}
    for y, ct in zip(path.outputs, cotangents, strict=True):
        if ct is not None:
            start[y] = start[y] + ct if y in start else ct
    adjoint = backward(path, path.inputs, start).adjoint
    found = [adjoint.get(i) for i in path.inputs]
    return reusing([through(path, e) if isinstance(e, Null) else e for e in found], path, known)


def pushed(path: Graph, known: Exprs, tangents: Slots) -> Slots:
    """The tangents of a side's results."""
    moving = {i: t for i, t in zip(path.inputs, tangents, strict=True) if t is not None}
    tangent, _ = sweep(path, tuple(moving), tuple(moving.values()))
    return reusing([tangent.get(y) for y in path.outputs], path, known)


def reusing(found: Slots, path: Graph, known: Exprs) -> Slots:
    """The expressions with a side's results taken from outside, where they are known."""
    pairs = zip(path.outputs, known, strict=True)
    return instead(found, {y: k for y, k in pairs if y.op is not None})


def both(condition: Expr, sides: Sequence[Slots], ends: Exprs, name: str) -> Slots:
    """One branch for all changes, with zeros where one side has none; None where both have none."""
    pairs = list(zip(*sides, strict=True))
    found: list[Expr | None] = [a if isinstance(a, Null) else b for a, b in pairs]
    found = [e if isinstance(e, Null) else None for e in found]
    there = [k for k, pair in enumerate(pairs)
             if found[k] is None and any(e is not None for e in pair)]  # fmt: skip
    full = [[zero(ends[k]) if e is None else e for e in pairs[k]] for k in there]
    if there:
        first, second = map(list, zip(*full, strict=True))
        for k, e in zip(there, choose(condition, first, second, name), strict=True):
            found[k] = e
    return found
