"""Boxes that open: which of them, if they fit, and what is drawn in the place of an open one."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from ...expr import Expr, Graph, at, check_expressions, computed_by, item
from ..diagram.diagram import Edge, Node
from ..diagram.theme import Mark
from .subgraphs import body, entries, exits, feedback, operand_words
from .vertices import Use

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

    def refuses(self, n: Expr) -> bool:
        """Does the node stay closed only because there is no room?"""
        return self.cut and not self.levels and self.asks(n)

    def below(self) -> "Opening":
        """What remains to be opened within an open box."""
        return self._replace(levels=self.levels - 1)


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


class Content(NamedTuple):
    """What the drawing of a graph consists of."""

    nodes: Sequence[Node]
    edges: Sequence[Edge]


class Inset(NamedTuple):
    """What an open box shows; where its operands enter, with words, and its results leave."""

    nodes: Sequence[Node]
    edges: Sequence[Edge]
    enter: Sequence[str]
    words: Sequence[str]
    leave: Sequence[str]


def inset(box: Use, inner: Graph, frame: Node, content: Content) -> Inset:
    """The content of a box in its frame; what leads to no place inside ends at the frame.

    Inside, the k-th input is n<k> and the k-th output out<k>.
    """
    n, at = box.node, f"{box.id}."
    nodes = [frame, *(moved(box.id, node) for node in content.nodes)]
    edges = [e._replace(tail=at + e.tail, head=at + e.head) for e in content.edges]
    for k, j in feedback(n):
        ends = f"{at}out{k}", f"{at}n{j}"
        edges.append(Edge(*ends, NEXT, frame.part, whole(frame.mark), frame.hidden, True))
    enter = [box.id if j is None else f"{at}n{j}" for j in entries(n, inner)]
    leave = [box.id if j is None else f"{at}out{j}" for j in exits(n, inner)]
    return Inset(nodes, edges, enter, unsaid(n, inner), leave)


def whole(mark: Mark) -> Mark:
    """The mark of a box as far as all that is inside has it too: matched is the box alone."""
    return "plain" if mark == "matched" else mark


def moved(frame: str, n: Node) -> Node:
    inside = f"{frame}.{n.inside}" if n.inside else frame
    return n._replace(id=f"{frame}.{n.id}", inside=inside)


def unsaid(n: Expr, inner: Graph) -> list[str]:
    """The words for the operands, but for those that the inputs inside say."""
    ends = [None if j is None else inner.inputs[j].name for j in entries(n, inner)]
    return ["" if w == end else w for w, end in zip(operand_words(n, inner), ends, strict=True)]


class Wiring:
    """Where edges start and end, now that some boxes are open."""

    def __init__(self, rows: Sequence[Use], insets: Mapping[str, Inset]):
        self.by_id, self.insets = {use.id: use for use in rows}, insets

    def skips(self, use: Use) -> bool:
        """Is the node a result of an open box that leaves it by an end of its own name?"""
        told = use.node.op is item and hasattr(use.node.inputs[0].op, "result_words")
        return use.node.op is item and use.operands[0] in self.insets and not told

    def tail(self, id: str, user: Use | None = None) -> str:
        """Where the edge from a node to its user starts."""
        use = self.by_id[id]
        if self.skips(use):
            return self.tail(use.operands[0], use)
        place = dict(user.node.static)["place"] if user and user.node.op is item else 0
        return self.insets[id].leave[place] if id in self.insets else id

    def heads(self, use: Use, words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
        """Where the edges from a node's operands end, and which words are written there."""
        if use.id in self.insets:
            return self.insets[use.id].enter, self.insets[use.id].words
        return [use.id] * len(use.operands), words
