"""A branch for each of several examples.

Where all examples share the condition, it is one branch of batched sides. Where each has its own:

    all of them hold     the first side for all
    none holds           the second side for all
    some hold            where(p, first, second)

In the last case a side is computed for all examples too; but those that do not take it are replaced
by one that does. So no side sees values that are not meant for it, and no nan comes of them, in
derivatives neither.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ...expr import OPERATIONS, Expr, Graph, Input, hook, put_in
from ...ops import all, all_batched, any, arange, logical_not, where
from ...ops.batch import after_leading
from ..subgraph.body import inline_body
from .branch_op import Branch, joined
from .choose import choose

Longer = Mapping[Expr, Expr]


@hook("a branch for each")
def batched_branch(op: Branch, inputs: Sequence[Expr], flags: Sequence[bool]) -> Any:
    """The results for each slice of the operands that are flagged."""
    rows = list(zip(op.body.inputs, inputs[1:], flags[1:], strict=True))
    longer: dict[Expr, Expr] = {i: Input(i.name or "x", x.type) for i, x, f in rows if f}
    symbols: list[Any] = [longer.get(i, i) for i in op.body.inputs]
    if not flags[0]:
        n = next(iter(longer.values())).shape[0]
        made = [all_batched(path.outputs, longer, n) for path in op.paths]
        sides = [Graph(ys, symbols, path.names) for ys, path in zip(made, op.paths, strict=True)]
        return op.changed(joined(sides)).apply(tuple(inputs))
    p = Input("p", inputs[0].type)
    found = by_example(op, p, longer)
    done = inline_body(Graph(found, [p, *symbols]), inputs)
    return done if len(done) > 1 else done[0]


def by_example(op: Branch, p: Expr, longer: Longer) -> Sequence[Expr]:
    """The results where each example has its own condition."""
    n = p.shape[0]
    first, second = [all_batched(path.outputs, longer, n) for path in op.paths]
    safe = [meant(side, q, longer, n) for side, q in ((first, p), (second, logical_not(p)))]
    mixed = [where(after_leading(p, a.ndim - 1), a, b) for a, b in zip(*safe, strict=True)]
    return choose(all(p), first, choose(any(p), mixed, second, op.name), op.name)


def meant(side: Sequence[Expr], p: Expr, longer: Longer, n: Any) -> list[Expr]:
    """A side, with the first example that p holds for in the place of those it does not."""
    take = where(p, arange(n), OPERATIONS["argmax"](p))
    return put_in(side, {x: x[take] for x in longer.values()})
