"""Releasing: once all derivatives are taken, gates leave the graph and inline boxes open.

Until then simplification meets them closed, so that a later derivative still finds them.
"""

from collections.abc import Sequence
from typing import Any

from ..expr import (
    Expr,
    Graph,
    Rewriting,
    Step,
    TupleType,
    as_graph,
    computed_by,
    postorder,
    results,
    substitute,
)
from ..ops import GATES
from .body import placed
from .box import OpFromGraph
from .nested import Nested


def release(what: Any, every: bool = False) -> Rewriting:
    """The graph without gates and with its inline boxes open, inside other boxes and loops too;
    with every=True all boxes open. One Step for each gate and each box."""
    graph = as_graph(what)
    return Release(graph, every).run()


class Release:
    """One run: what each gate and each result of a box becomes."""

    def __init__(self, graph: Graph, every: bool):
        self.graph, self.every = graph, every
        self.log: dict[Expr, Expr] = {}
        self.steps: list[Step] = []
        self.marks: list[int] = []
        self.new: dict[Expr, tuple[str, Sequence[Expr]]] = {}

    def run(self) -> Rewriting:
        roots: Sequence[Expr] = self.graph.outputs
        while self.replace(postorder(roots)):
            roots = substitute(roots, self.log)
        after = Graph(roots, self.graph.inputs, self.graph.names)
        log = list(self.log.items())
        return Rewriting("release", self.graph, after, self.steps, log, self.marks)

    def replace(self, order: Sequence[Expr]) -> bool:
        """Log what becomes of each of these nodes. Was there anything to log?"""
        before = len(self.steps)
        for n in order:
            owner, place = computed_by(n)
            if n.op is None or n in self.log or isinstance(n.type, TupleType):
                continue
            if owner not in self.new:
                self.new[owner] = self.released(owner)
            rule, results = self.new[owner]
            if rule:
                self.steps.append(Step(rule, n, results[place]))
                self.marks.append(len(self.log))
                self.log[n] = results[place]
        return len(self.steps) > before

    def released(self, n: Expr) -> tuple[str, Sequence[Expr]]:
        """The rule that n's operation calls for, if any, and its results by that rule."""
        if n.op.name in GATES:
            return f"release {n.op.name}", n.inputs[:1]
        if not isinstance(n.op, Nested):
            return "", ()
        if isinstance(n.op, OpFromGraph) and (self.every or n.op.inline):
            return f"open {n.op.name}", placed(n.op.body, n.inputs)
        op = n.op.transformed(inside, self.every)
        if op is n.op:
            return "", ()
        return f"release inside {op.name}", results(op.apply(n.inputs, n.static))


def inside(body: Graph, every: bool) -> Graph:
    stage = release(body, every)
    return stage.after if stage.steps else body
