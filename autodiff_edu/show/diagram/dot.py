"""A diagram in Graphviz's language: nodes, edges, and frames around what is inside an open box."""

import html
from functools import lru_cache

import graphviz
from graphviz.quoting import quote

from ...expr.sanitize import shorten, visible
from .diagram import Diagram, Edge, Node, Tag
from .theme import BACK, HIDDEN, INK, LETTERS, PAPER, SIZE, SMALL, Look, edge_look, node_look, sheet

STORY = 400  # characters of a tooltip; Graphviz reads no text of more than 16384
ROOM = {"margin": "18", "style": "invis"}  # how far frames keep apart is said by what is around


def dot(diagram: Diagram) -> str:
    """The text; equal diagrams have equal texts."""
    graph = graphviz.Digraph(**sheet(diagram.direction))
    if diagram.ordered:
        graph.attr(ordering="in")
    Writer(diagram).write(graph)
    return graph.source


class Writer:
    """What stands in each frame, and under "" what stands in none: nodes, and edges back."""

    def __init__(self, diagram: Diagram):
        self.diagram = diagram
        self.nodes: dict[str, list[Node]] = {"": []}
        self.back: dict[str, list[Edge]] = {}
        self.boxes = {n.id for n in diagram.nodes if n.kind == "open box"}
        for n in diagram.nodes:
            self.nodes.setdefault(n.inside, []).append(n)
        place = {n.id: n.inside for n in diagram.nodes}
        for e in diagram.edges:
            if e.back:
                self.back.setdefault(place[e.tail], []).append(e)

    def write(self, graph: graphviz.Digraph) -> None:
        if len(self.nodes) == 1:
            self.fill(graph, "")
        else:
            graph.attr(compound="true")  # edges may end at a frame
            with graph.subgraph(name=cluster("all"), graph_attr=ROOM) as inner:
                self.fill(inner, "")
        for e in self.diagram.edges:
            if not e.back:
                self.edge(graph, e)

    def fill(self, graph: graphviz.Digraph, frame: str) -> None:
        """Everything that stands in a frame, smaller frames included."""
        for n in self.nodes[frame]:
            if n.id in self.nodes:
                with graph.subgraph(name=cluster(n.id), graph_attr=title(n)) as inner:
                    self.fill(inner, n.id)
            else:
                put(graph, quote(n.id), label(n), look(n))
        for kind in ("input", "output") if frame in self.boxes else ():
            with graph.subgraph(graph_attr={"rank": "same"}) as row:
                for n in self.nodes[frame]:
                    if n.kind == kind:
                        row.node(n.id)
        for e in self.back.get(frame, ()):
            back(graph, e)

    def edge(self, graph: graphviz.Digraph, e: Edge) -> None:
        ends: Look = {}
        tail, head = e.tail, e.head
        while tail in self.nodes:
            ends.setdefault("ltail", cluster(tail))
            tail = self.nodes[tail][-1].id
        while head in self.nodes:
            ends.setdefault("lhead", cluster(head))
            head = self.nodes[head][0].id
        look = edge_look(e.part, e.mark, e.hidden) | ends
        put(graph, f"{quote(tail)} -> {quote(head)}", beside(e.text), look)


# ---- one node, one frame, one edge


def put(graph: graphviz.Digraph, what: str, label: str | None, look: Look) -> None:
    """What `graph.node` and `graph.edge` write. They quote each value anew, and films have few."""
    told = [] if label is None else [said("label", label)]
    told += [said(*attribute) for attribute in sorted(look.items())]
    graph.body.append(f"\t{what} [{' '.join(told)}]\n")


@lru_cache(maxsize=4096)
def said(name: str, value: str) -> str:
    return f"{name}={quote(value)}"


def cluster(id: str) -> str:
    """Graphviz frames the subgraphs whose names begin so."""
    return f"cluster_{id}"


def look(n: Node) -> Look:
    words = {"tooltip": quoted(shorten(n.story or n.text, STORY), readings=2)}
    found = words | node_look(n.kind, n.part, n.mark, n.hidden)
    return found | {"fillcolor": n.fill} if n.fill else found


def quoted(text: str, readings: int = 1) -> str:
    """The text of a user so that Graphviz shows it as it stands, in a plain or an HTML-like label.

    An angle bracket would start HTML, an ampersand an entity, and a backslash an escape (`\\N` is
    the node's name). Graphviz reads a label once for escapes, and a tooltip twice.
    """
    return html.escape(visible(text)).replace("\\", "\\" * 2**readings)


def label(n: Node) -> str:
    text = quoted(shorten(n.text))
    if not (n.note or n.room or n.tags):
        return text
    room = f'<font color="transparent">{quoted(n.room)}</font>' if n.room else ""
    if n.note or n.room:
        text += f'<br/><font point-size="{SMALL}">{quoted(shorten(n.note))}{room}</font>'
    rows = f"<tr><td>{text}</td></tr>{''.join(map(plate, n.tags))}"
    return f"<{TABLE}{rows}</table>>" if n.tags else f"<{text}>"


TABLE = '<table border="0" cellborder="0" cellspacing="0" cellpadding="1">'


def plate(tag: Tag) -> str:
    words = f'<font point-size="{SMALL}" color="{INK}">{quoted(shorten(tag.text))}</font>'
    return f'<tr><td bgcolor="{tag.colour}" cellpadding="2">{words}</td></tr>'


def title(n: Node) -> Look:
    """A frame's attributes, all of them: it would take those of the frame around it."""
    plain = {"penwidth": "1.4", "fontcolor": INK, "fontsize": str(SIZE), "labeljust": "l"}
    found = plain | look(n)
    told = "  ".join([n.note, *[t.text for t in n.tags]]).strip()
    note = f'   <font point-size="{SMALL}">{quoted(shorten(told))}</font>' if told else ""
    colour = LETTERS.get(found["color"], found["color"])
    letters, colour = ("transparent",) * 2 if n.hidden else (PAPER, colour)
    words = f'<font color="{letters}"><b>{quoted(shorten(n.text))}</b>{note}</font>'
    plate = f'<tr><td bgcolor="{colour}" cellpadding="4">{words}</td></tr>'
    return found | {"label": f'<<table border="0" cellborder="0" cellspacing="0">{plate}</table>>'}


def back(graph: graphviz.Digraph, e: Edge) -> None:
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


def beside(text: str) -> str | None:
    """An edge's label, which starts where the line is: the space keeps it off."""
    return f"\u00a0{quoted(shorten(text))}" if text else None
