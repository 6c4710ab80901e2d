"""Reverse mode as it runs: each adjoint beside its value, and adjoints, only they, flow back."""

from collections.abc import Collection, Sequence

from ...expr import Expr
from ..diagram.diagram import Diagram, Direction, Edge, Flow, Node, levels
from .vertices import Use

Pairs = Sequence[tuple[str, str]]


def neighbours(rows: Sequence[Use], pairs: Collection[tuple[Expr, Expr]]) -> Pairs:
    """The ids of values and their adjoints; a node that is the adjoint of several stands beside
    the first."""
    ids = {use.node: use.id for use in rows if use.user is None}
    found: dict[str, str] = {}
    for value, adjoint in pairs:
        if value in ids and adjoint in ids and ids[adjoint] not in found:
            found[ids[adjoint]] = ids[value]
    return [(value, adjoint) for adjoint, value in found.items() if value not in found]


def backward(
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    pairs: Pairs,
    direction: Direction | None,
    deep: int,
) -> Diagram:
    """A diagram whose derivative part flows against the rest."""
    part = {n.id: n.part for n in nodes}

    def flow(e: Edge) -> Flow:
        if part[e.head] == "forward":
            return "on"
        return "back" if part[e.tail] == "derivative" else "aside"

    turned = tuple(e._replace(flow=flow(e)) for e in edges)
    direction = direction or ("LR" if levels(turned) > deep else "TB")
    return Diagram(tuple(nodes), turned, direction, beside=tuple(pairs))
