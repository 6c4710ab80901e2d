"""Derivatives that have vanished: that of 3·x·y in y, twice, is 0, and so is what follows from it.

Nothing of x and y is left in that 0. What it is the derivative of is told by its origin.
"""

from ..expr import Expr, Graph, Origin, made_by, origins
from ..ops import zero


def differentiated_before(graph: Graph) -> set[Expr]:
    """What the derivatives in the graph were built from: with respect to it they are 0, where it is
    not in the graph any more.

    A path leads down the operands that have derivatives, and from what a derivative or an argument
    became to what it was.
    """
    waiting = [o.node for n in graph.nodes for o in origins(n) if o.kind == "derivative"]
    seen = set(waiting)
    while waiting:
        n = waiting.pop()
        passing = n.op.differentiable(len(n.inputs)) if n.op else ()
        below = [n.inputs[k] for k in passing]
        below += [n.origin.node] if isinstance(n.origin, Origin) else []
        waiting += [m for m in below if m not in seen]
        seen.update(below)
    return seen


def vanished_in(graph: Graph, x: Expr) -> Expr | None:
    """The output that was built from the derivative of something connected with x, if one was."""
    return next((y for y in graph.outputs if x in differentiated_before(Graph(y))), None)


def zero_adjoint(graph: Graph, x: Expr) -> Expr:
    """That of x, which is not in the graph, or no more."""
    source = vanished_in(graph, x)
    return zero_like(x, x if source is None else source)


def zero_like(x: Expr, of: Expr) -> Expr:
    """The zero of the shape of x that is a derivative of this node."""
    return made_by(Origin("derivative", "identically zero", of), zero, x)
