"""Releasing: once all derivatives are taken, gates leave the graph and inline boxes open.

Until then simplification meets them closed, so that a later derivative still finds them.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from ...expr import Expr, Graph, Op, Rewriting, as_graph, replacing, results
from ...ops import GATES
from .base import Nested
from .body import opened
from .op_from_graph import OpFromGraph


def release(what: Any, every: bool = False) -> Rewriting:
    """The graph without gates and overrides and with its inline boxes open.

    Inside other boxes and loops too. One Step for each gate and each result of a box.

    Parameters
    ----------
    what : Graph, Stage, Expr or list of Expr
        What has boxes.
    every : bool, default: False
        Whether all boxes are opened.

    Returns
    -------
    Stage
        No more derivatives are to be taken of its result.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.release(ad.zero_grad(x) * x).output
    x * x
    """
    return replacing("release", as_graph(what), is_closed, partial(released, every))


def is_closed(op: Op) -> bool:
    return GATES.get(op.name) is op or isinstance(op, Nested)


def released(every: bool, n: Expr, used: frozenset[int]) -> tuple[str, Mapping[int, Expr]] | None:
    """The rule that n's operation calls for, if any, and its used results by that rule."""
    if not isinstance(n.op, Nested):
        return f"release {n.op.name}", {0: n.inputs[0]}
    if isinstance(n.op, OpFromGraph) and (every or n.op.inline):
        found = opened(n, n.op.body, n.inputs)
        return f"open {n.op.name}", {k: found[k] for k in used}
    op = n.op.transformed(within, every)
    if isinstance(op, OpFromGraph) and op.overrides:
        op = op.changed(op.body, None, None)  # no derivative of it will be asked for
    if op is n.op:
        return None
    made = results(op.apply(n.inputs, n.static))
    return f"release {op.name}", {k: made[k] for k in used}


def within(body: Graph, every: bool) -> Graph:
    """A body released; the same object where nothing is to be done."""
    stage = release(body, every)
    return stage.after if stage.steps else body
