"""Frames: a diagram with open boxes or groups in Graphviz's language, and in its SVG.

Graphviz calls a frame a cluster. What is inside stands in it, and an edge may end at a frame.
"""

from collections.abc import Iterable
from xml.etree import ElementTree as ET

import graphviz

from ...expr import shorten
from .diagram import Diagram, Edge, Node, blank, edge_look, look, put_edge, put_node, quoted
from .theme import BACK, HIDDEN, INK, LETTERS, PAPER, SIZE, SMALL, Look

ROOM = {"margin": "18", "style": "invis"}  # how far frames keep apart is said by what is around


def dot_with_frames(diagram: Diagram) -> str:
    """The text; equal diagrams have equal texts."""
    graph = blank(diagram)
    graph.attr(compound="true")  # edges may end at a frame
    frames = Frames(diagram)
    with graph.subgraph(name=cluster("all"), graph_attr=ROOM) as inner:
        frames.fill(inner, "")
    for e in diagram.edges:
        if not e.back:
            put_edge(graph, *frames.ended(e))
    return graph.source


class Frames:
    """What stands in each frame, and under "" what stands in none: nodes, and edges back."""

    def __init__(self, diagram: Diagram):
        self.nodes: dict[str, list[Node]] = {"": []}
        self.back: dict[str, list[Edge]] = {}
        self.boxes = {n.id for n in diagram.nodes if n.kind == "open box"}
        for n in diagram.nodes:
            self.nodes.setdefault(n.inside, []).append(n)
        place = {n.id: n.inside for n in diagram.nodes}
        for e in diagram.edges:
            if e.back:
                self.back.setdefault(place[e.tail], []).append(e)

    def fill(self, graph: graphviz.Digraph, frame: str) -> None:
        """Everything that stands in a frame, smaller frames included."""
        for n in self.nodes[frame]:
            if n.id in self.nodes:
                with graph.subgraph(name=cluster(n.id), graph_attr=title(n)) as inner:
                    self.fill(inner, n.id)
            else:
                put_node(graph, n)
        for kind in ("input", "output") if frame in self.boxes else ():
            with graph.subgraph(graph_attr={"rank": "same"}) as row:
                for n in self.nodes[frame]:
                    if n.kind == kind:
                        row.node(n.id)
        for e in self.back.get(frame, ()):
            put_back(graph, e)

    def ended(self, e: Edge) -> tuple[Edge, Look]:
        """An edge between nodes, and the frames at which it is cut."""
        ends: Look = {}
        tail, head = e.tail, e.head
        while tail in self.nodes:
            ends.setdefault("ltail", cluster(tail))
            tail = self.nodes[tail][-1].id
        while head in self.nodes:
            ends.setdefault("lhead", cluster(head))
            head = self.nodes[head][0].id
        return e._replace(tail=tail, head=head), ends


def cluster(id: str) -> str:
    """Graphviz frames the subgraphs whose names begin so."""
    return f"cluster_{id}"


def title(n: Node) -> Look:
    """A frame's attributes, all of them: it would take those of the frame around it."""
    plain = {"penwidth": "1.4", "fontcolor": INK, "fontsize": str(SIZE), "labeljust": "l"}
    own = plain | look(n)
    words = "  ".join([n.note, *[t.text for t in n.tags]]).strip()
    note = f'   <font point-size="{SMALL}">{quoted(shorten(words))}</font>' if words else ""
    colour = LETTERS.get(own["color"], own["color"])
    letters, colour = ("transparent",) * 2 if n.hidden else (PAPER, colour)
    words = f'<font color="{letters}"><b>{quoted(shorten(n.text))}</b>{note}</font>'
    plate = f'<tr><td bgcolor="{colour}" cellpadding="4">{words}</td></tr>'
    return own | {"label": f'<<table border="0" cellborder="0" cellspacing="0">{plate}</table>>'}


def put_back(graph: graphviz.Digraph, e: Edge) -> None:
    """From the end of a step to the beginning of the next: drawn from there, a line with its words
    in it finds its way beside the others."""
    words = f"{e.tail} {e.head}"
    line = edge_look(e.part, e.mark, e.hidden) | BACK
    look = {
        "shape": "plain",
        "margin": "0",
        "fontsize": str(SMALL),
        "fontcolor": LETTERS.get(line["color"], line["color"]),
    }
    graph.node(words, quoted(e.text), **(look | HIDDEN if e.hidden else look))
    graph.edge(e.head, words, **line, dir="back")
    graph.edge(words, e.tail, **line, dir="none")


# ---- in Graphviz's SVG


def raised(graph: ET.Element, frames: Iterable[ET.Element]) -> None:
    """Frames lie under everything; the plates with their names go on top, so that no edge strikes
    them out. A frame that is not drawn goes."""
    for frame in frames:
        if frame.find(".//path") is None:
            graph.remove(frame)
            continue
        top = ET.SubElement(graph, "g")
        top.extend(frame.findall("title"))
        for parent in list(frame.iter()):
            for plate in [e for e in parent if e.tag in ("polygon", "text")]:
                parent.remove(plate)
                top.append(plate)
