"""Unrolling: a loop written out, one copy of its body for each step."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from ...expr import OPERATIONS, Constant, Expr, Op, Rewriting, as_graph, at, constant, replacing
from ...ops import zeros
from ..subgraph.body import opened
from .scan_op import Scan


def unroll(what: Any, n: int | None = None) -> Rewriting:
    """The graph with its loops written out, one Step for each result of a loop.

    Parameters
    ----------
    what : Graph, Stage, Expr or list of Expr
        What has loops.
    n : int, optional
        The number of steps of loops that do not know theirs.

    Returns
    -------
    Stage
        Its result has no loops.

    Raises
    ------
    ValueError
        If a loop may end early, moves shared values on, or nobody tells the number of
        steps.

    See Also
    --------
    scan : A loop.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> y = ad.scan(lambda s: s * x, outputs_info=1.0, n_steps=3)
    >>> ad.simplify(ad.unroll(y[-1])).output
    x ** 3
    """
    return replacing("unroll", as_graph(what), is_loop, partial(flat, n))


def is_loop(op: Op) -> bool:
    return isinstance(op, Scan)


def flat(n: int | None, node: Expr, used: frozenset[int]) -> tuple[str, Mapping[int, Expr]]:
    """The used results of a loop."""
    found = written_out(node, n)
    return f"write out {node.op.name}", {k: found[k] for k in used}


def written_out(n: Expr, count: int | None) -> list[Expr]:
    """The results of a loop, without it."""
    op = n.op
    _, states, sequences, constants = op.split(n.inputs)
    every, rows = [states], []
    for t in range(steps_of(n, count)):
        found = opened(n, op.body, [*states, *[row(x, t) for x in sequences], *constants])
        states = found[: op.states]
        every.append(states)
        rows.append(found[op.states :])
    stacks = [OPERATIONS["stack"](list(column)) for column in zip(*every)]
    if rows:
        return [*states, *stacks, *[OPERATIONS["stack"](list(column)) for column in zip(*rows)]]
    slices = [zeros(x.shape[1:], x.dtype) for x in sequences]  # of a step that is never made
    found = opened(n, op.body, [*states, *slices, *constants])[op.states :]
    return [*states, *stacks, *[zeros((0, *y.shape), y.dtype) for y in found]]


def steps_of(n: Expr, count: int | None) -> int:
    """How many copies of the body it takes. Raises ValueError where nobody can know."""
    op = n.op
    if op.until:
        raise ValueError(f"{op.name}{at(n)} may end early, and cannot be written out: "
                         "give it the number of steps in place of ad.until")  # fmt: skip
    if op.updates:
        raise ValueError(f"{op.name}{at(n)} moves shared values on, which only a loop does by "
                         "itself: return their next values as outputs instead")  # fmt: skip
    known = op.steps if op.steps is not None else count
    if known is None:
        raise ValueError(f"nothing tells how many steps {op.name}{at(n)} has: unroll(graph, n)")
    return known


def row(x: Expr, t: int) -> Expr:
    return constant(x.value[t]) if isinstance(x, Constant) else x[t]
