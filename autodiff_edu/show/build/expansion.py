"""Boxes that open: which of them, if they fit, and what is drawn in the place of an open one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from ...expr import Expr, Graph, at, check_expressions, computed_by, item
from ..diagram.diagram import Diagram, Edge, Node
from .marks import whole
from .subgraphs import body, contents, entries, exits, feedback, is_loop, operand_words

Open = bool | int | Expr | Sequence[Expr]
EVERY = 10**9  # more levels than there are
NEXT = "next step"


class Opening(NamedTuple):
    """Open these nodes, or all where None, in so many levels; `cut` where more were asked for."""

    levels: int = 0
    nodes: tuple[Expr, ...] | None = None
    cut: bool = False

    def asks(self, n: Expr) -> bool:
        chosen = self.nodes is None or any(n is m for m in self.nodes)
        return chosen and body(n) is not None

    def opens(self, n: Expr) -> bool:
        return self.levels > 0 and self.asks(n)

    def words(self, n: Expr) -> str:
        """What a box says of its inside: how much there is, while it is closed."""
        if self.opens(n):
            return "each step" if is_loop(n) else ""
        refused = self.cut and not self.levels and self.asks(n)
        return contents(n) + ", too many to draw" * refused

    def below(self) -> "Opening":
        """What remains to be opened within an open box."""
        return self._replace(levels=self.levels - 1)


CLOSED = Opening()


def opening(what: Open) -> Opening:
    """True for all boxes, a number for so many levels, or the nodes themselves.

    Raises ValueError for a node that is no box.
    """
    if isinstance(what, (bool, int)):
        return Opening(EVERY if what is True else max(0, what))
    chosen = tuple(computed_by(n)[0] for n in check_expressions(what))
    for n in chosen:
        if body(n) is None:
            raise ValueError(
                f"{n} cannot be opened, since its operation has no graph inside{at(n)}: "
                "choose boxes, or write open=True for all of them"
            )
    return Opening(EVERY, chosen)


def layers(graph: Graph, asked: Opening) -> Iterator[list[Expr]]:
    """The boxes to be opened, level by level; a box within another as often as that is used."""
    level = [graph]
    while found := [n for g in level for n in g.operations if asked.asks(n)]:
        yield found
        level = [n.op.body for n in found]


def fitting(graph: Graph, what: Open, most: int) -> Opening:
    """As many of the levels as have, together, no more nodes than a reader can follow."""
    asked, total, levels = opening(what), len(graph), 0
    for found in islice(layers(graph, asked), asked.levels):
        total += sum(len(n.op.body) for n in found)
        if total > most:
            return asked._replace(levels=levels, cut=True)
        levels += 1
    return asked._replace(levels=levels)


# ---- an open box: what is inside, with ends for operands and results


class Inset(NamedTuple):
    """What an open box shows; where its operands enter, with words, and its results leave."""

    nodes: Sequence[Node]
    edges: Sequence[Edge]
    enter: Sequence[str]
    words: Sequence[str]
    leave: Sequence[str]


def inset(n: Expr, inner: Graph, frame: Node, inside: Diagram) -> Inset:
    """The content of a box in its frame; what leads to no place inside ends at the frame.

    Inside, the k-th input is n<k> and the k-th output out<k>.
    """
    at = f"{frame.id}."
    nodes = [frame, *(moved(frame.id, node) for node in inside.nodes)]
    edges = [e._replace(tail=at + e.tail, head=at + e.head) for e in inside.edges]
    for k, j in feedback(n):
        ends = f"{at}out{k}", f"{at}n{j}"
        edges.append(Edge(*ends, NEXT, frame.part, whole(frame.mark), frame.hidden, True))
    enter = [frame.id if j is None else f"{at}n{j}" for j in entries(n, inner)]
    leave = [frame.id if j is None else f"{at}out{j}" for j in exits(n, inner)]
    return Inset(nodes, edges, enter, unsaid(n, inner), leave)


def moved(frame: str, n: Node) -> Node:
    inside = f"{frame}.{n.inside}" if n.inside else frame
    return n._replace(id=f"{frame}.{n.id}", inside=inside)


def unsaid(n: Expr, inner: Graph) -> list[str]:
    """The words for the operands, but for those that the inputs inside say."""
    ends = [None if j is None else inner.inputs[j].name for j in entries(n, inner)]
    return ["" if w == end else w for w, end in zip(operand_words(n, inner), ends, strict=True)]


# ---- the diagram with its boxes open

Inside = Callable[[Expr, Graph, Node], Diagram]  # of a box, its graph and its frame


def expanded(
    diagram: Diagram, drawn: Mapping[str, Expr], opening: Opening, inside: Inside
) -> Diagram:
    """The diagram with an inset in the place of each box that is open; `drawn` has the expression
    of each node."""
    insets: dict[str, Inset] = {}
    for n in diagram.nodes:
        if n.kind == "box" and opening.opens(box := drawn[n.id]):
            inner, frame = body(box), n._replace(kind="open box")
            assert inner is not None
            insets[n.id] = inset(box, inner, frame, inside(box, inner, frame))
    into: dict[str, list[Edge]] = {}
    results: dict[str, str] = {}  # that leave by an end of their own name, and this end
    for e in diagram.edges:
        if e.tail in insets:
            result = drawn[e.head]
            e = e._replace(tail=insets[e.tail].leave[place(result)])
            if result.op is item and not hasattr(result.inputs[0].op, "result_words"):
                results[e.head] = e.tail
        into.setdefault(e.head, []).append(e)
    nodes: list[Node] = []
    edges: list[Edge] = []
    for n in diagram.nodes:
        if n.id in results:
            continue
        own = insets.get(n.id)
        nodes += own.nodes if own else [n]
        for k, e in enumerate(into.get(n.id, ())):
            e = e._replace(tail=results.get(e.tail, e.tail))
            edges.append(e._replace(head=own.enter[k], text=own.words[k]) if own else e)
        edges += own.edges if own else ()
    return diagram._replace(nodes=tuple(nodes), edges=tuple(edges))


def place(n: Expr) -> int:
    """Which result of a box the node takes: the only one, unless it says so."""
    return dict(n.static)["place"] if n.op is item else 0
