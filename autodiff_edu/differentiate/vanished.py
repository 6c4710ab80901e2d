"""Derivatives that are 0 since what they were taken of is no more in the graph."""

from collections.abc import Iterable
from typing import Any

from ..core.forward import zero_derivative
from ..expr import Expr, Graph, Origin, cached_property, hook, origins


def differentiated_before(nodes: Iterable[Any]) -> set[Any]:
    """The nodes that the derivatives among these were built from: with respect to them they are 0,
    where they are not in their graph any more.

    A path leads down the operands that have derivatives, and from what a derivative or an argument
    became to what it was.
    """
    waiting = [o.node for n in nodes for o in origins(n) if o.kind == "derivative"]
    sources = set(waiting)
    while waiting:
        n = waiting.pop()
        passing = n.op.differentiable(len(n.inputs)) if n.op else ()
        below = [n.inputs[k] for k in passing]
        below += [n.origin.node] if isinstance(n.origin, Origin) else []
        waiting += [m for m in below if m not in sources]
        sources.update(below)
    return sources


class Vanished:
    """The sources of the derivatives in a graph, looked for once for all inputs that ask."""

    def __init__(self, graph: Graph):
        self.graph = graph

    @cached_property
    def before(self) -> set[Expr]:
        """The nodes that were differentiated, even where none of them is left in the graph."""
        return differentiated_before(self.graph.nodes)

    def source(self, x: Expr) -> Expr | None:
        """The output that was built from the derivative of something connected with x, if one
        was."""
        if x not in self.before:
            return None
        outputs = self.graph.outputs
        return next(y for y in outputs if x in differentiated_before(Graph(y).nodes))

    def zero_adjoint(self, x: Expr) -> Expr:
        """The adjoint of an x that is not in the graph, or not any more. Its origin tells what it
        is the derivative of: differentiate 3·x·y twice in y, and that 0 has a derivative in x."""
        source = self.source(x)
        return zero_derivative(x, x if source is None else source)


@hook("zero adjoints")
def zero_adjoints(graph: Graph, of: Iterable[Expr]) -> dict[Expr, Expr]:
    """The adjoints of those that the sweep did not reach."""
    vanished = Vanished(graph)
    return {x: vanished.zero_adjoint(x) for x in of}
