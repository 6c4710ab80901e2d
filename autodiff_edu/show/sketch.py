"""A sketch is a picture's content, nodes and edges in a fixed order, before it has any layout."""

from typing import Literal, NamedTuple

import graphviz

from .picture import Picture
from .style import KINDS, SMALL, Kind, Mark, Part, edge_look, node_look, sheet
from .text import quoted, shorten, visible

Direction = Literal["TB", "BT", "LR"]
MANY = 12  # of one kind are named in an alternative text


class Node(NamedTuple):
    """One node: `text` inside its shape, a smaller `note` below, `story` as its tooltip."""

    id: str
    text: str
    kind: Kind = "operation"
    part: Part = "forward"
    mark: Mark = "plain"
    note: str = ""
    story: str = ""
    hidden: bool = False
    room: str = ""  # what a later frame will add to the note: it takes its room, unseen


class Edge(NamedTuple):
    """One edge, from an operand to what uses it, with a type or an argument's place beside it."""

    tail: str
    head: str
    text: str = ""
    part: Part = "forward"
    mark: Mark = "plain"
    hidden: bool = False


class Sketch(NamedTuple):
    """Nodes and edges; `direction` is TB where values flow down and LR where they flow right."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    direction: Direction = "TB"
    ordered: bool = False  # operands stand in their order, from the first to the last

    @property
    def dot(self) -> str:
        """The sketch in Graphviz's language."""
        graph = graphviz.Digraph(**sheet(self.direction))
        if self.ordered:
            graph.attr(ordering="in")
        for n in self.nodes:
            graph.node(n.id, **_attributes(n))
        for e in self.edges:
            look = edge_look(e.part, e.mark, e.hidden)
            graph.edge(e.tail, e.head, _beside(e.text), **look)
        return graph.source

    @property
    def alt(self) -> str:
        """A sentence for a reader who does not see the picture."""
        seen = [n for n in self.nodes if not n.hidden]
        groups = [_group(kind, [n.text for n in seen if n.kind == kind]) for kind in KINDS]
        return "Graph: " + ("; ".join(g for g in groups if g) or "empty") + "."

    @property
    def listing(self) -> str:
        """Every node and edge that is drawn, a line each, in their order."""
        nodes = [_node_line(n) for n in self.nodes if not n.hidden]
        edges = [_edge_line(e) for e in self.edges if not e.hidden]
        return "\n".join(nodes + edges)

    def picture(self, alt: str = "") -> Picture:
        """The sketch drawn."""
        return Picture(self.dot, alt or self.alt, self.listing)


# ---- a node and an edge in Graphviz's language


def _attributes(n: Node) -> dict[str, str]:
    look = node_look(n.kind, n.part, n.mark, n.hidden)
    return {"label": _label(n), "tooltip": quoted(n.story or n.text, readings=2)} | look


def _label(n: Node) -> str:
    text = quoted(shorten(n.text))
    if not n.note + n.room:
        return text
    room = f'<font color="transparent">{quoted(n.room)}</font>' if n.room else ""
    return f'<{text}<br/><font point-size="{SMALL}">{quoted(shorten(n.note))}{room}</font>>'


def _beside(text: str) -> str | None:
    """An edge's label, which starts where the line is: the space keeps it off."""
    return f"\u00a0{quoted(shorten(text))}" if text else None


# ---- in words


def _node_line(n: Node) -> str:
    extra = [w for w in (n.note, n.part, n.mark) if w not in ("", "forward", "plain")]
    return visible(f"{n.id}  {n.kind}  {n.text}" + f"  [{', '.join(extra)}]" * bool(extra))


def _edge_line(e: Edge) -> str:
    extra = [w for w in (e.text, e.part, e.mark) if w not in ("", "forward", "plain")]
    return visible(f"{e.tail} -> {e.head}" + f"  [{', '.join(extra)}]" * bool(extra))


def _group(kind: Kind, texts: list[str]) -> str:
    if not texts:
        return ""
    shown = [visible(shorten(t)) for t in texts[:MANY]] + ["…"] * (len(texts) > MANY)
    return f"{len(texts)} {kind}{'s' * (len(texts) > 1)} ({', '.join(shown)})"
