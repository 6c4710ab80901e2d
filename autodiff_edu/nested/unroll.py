"""Unrolling: a loop written out, one copy of its body for each step."""

from collections.abc import Sequence
from typing import Any

from ..expr import (
    Constant,
    Expr,
    Graph,
    Rewriting,
    Step,
    as_graph,
    computed_by,
    constant,
    item,
    postorder,
    substitute,
    upstairs,
)
from ..ops import zeros
from .body import placed
from .loop import Scan


def unroll(what: Any, n: int | None = None) -> Rewriting:
    """The graph with its loops written out, as a Stage with one Step for each result of a loop.

    n is the number of steps of loops that do not know theirs. Raises ValueError for a loop that
    may end early or that moves shared values on, and where nobody tells the number of steps.
    """
    graph = as_graph(what)
    log: dict[Expr, Expr] = {}
    steps: list[Step] = []
    marks: list[int] = []
    known: dict[Expr, Sequence[Expr]] = {}
    roots: Sequence[Expr] = graph.outputs
    while fresh := [m for m in postorder(roots) if m not in log and is_result(m)]:
        for m in fresh:
            loop, place = computed_by(m)
            if loop not in known:
                known[loop] = written_out(loop, n)
            steps.append(Step(f"write out {loop.op.name}", m, known[loop][place]))
            marks.append(len(log))
            log[m] = known[loop][place]
        roots = substitute(roots, log)
    after = Graph(roots, graph.inputs, graph.names)
    return Rewriting("unroll", graph, after, steps, list(log.items()), marks)


def is_result(n: Expr) -> bool:
    return n.op is item and isinstance(n.inputs[0].op, Scan)


def written_out(n: Expr, count: int | None) -> list[Expr]:
    """The results of a loop, without it."""
    op = n.op
    count = steps_of(op, count)
    _, states, sequences, constants = op.split(n.inputs)
    every, rows = [states], []
    for t in range(steps_of(op, count)):
        found = placed(op.body, [*states, *[row(x, t) for x in sequences], *constants])
        states = found[: op.states]
        every.append(states)
        rows.append(found[op.states :])
    stacks = [upstairs["stack"](list(column)) for column in zip(*every)]
    if rows:
        return [*states, *stacks, *[upstairs["stack"](list(column)) for column in zip(*rows)]]
    slices = [zeros(x.shape[1:], x.dtype) for x in sequences]  # of a step that is never made
    found = placed(op.body, [*states, *slices, *constants])[op.states :]
    return [*states, *stacks, *[zeros((0, *y.shape), y.dtype) for y in found]]


def steps_of(op: Scan, count: int | None) -> int:
    """How many copies of the body it takes. Raises ValueError where nobody can know."""
    if op.until:
        raise ValueError(f"{op.name} may end early: it cannot be written out")
    if op.updates:
        raise ValueError(f"{op.name} moves shared values on, which only a loop does by itself: "
                         "return their next values as outputs instead")  # fmt: skip
    known = op.steps if op.steps is not None else count
    if known is None:
        raise ValueError(f"nothing tells how many steps {op.name} has: unroll(graph, n)")
    return known


def row(x: Expr, t: int) -> Expr:
    return constant(x.value[t]) if isinstance(x, Constant) else x[t]
