"""A diagram in Graphviz's language: its nodes and edges, as the theme's tables say that they look.

A diagram with frames has a page of its own, `frames`.
"""

import html
from functools import lru_cache

import graphviz
from graphviz.quoting import quote

from ...expr import shorten, visible
from . import theme
from .diagram import Diagram, Direction, Edge, Node, Tag
from .theme import INK, SMALL, Kind, Look, Mark, Part

STORY = 400  # characters of a tooltip; Graphviz reads no text of more than 16384


def dot(diagram: Diagram) -> str:
    """The text of a diagram without frames; equal diagrams have equal texts."""
    graph = blank(diagram)
    for n in diagram.nodes:
        put_node(graph, n)
    for e in diagram.edges:
        put_edge(graph, e)
    return graph.source


def blank(diagram: Diagram) -> graphviz.Digraph:
    """The sheet of a diagram, on which nothing is drawn yet."""
    graph = graphviz.Digraph(**sheet(diagram.direction))
    if diagram.ordered:
        graph.attr(ordering="in")
    return graph


def put_node(graph: graphviz.Digraph, n: Node) -> None:
    put(graph, quote(n.id), label(n), look(n))


def put_edge(graph: graphviz.Digraph, e: Edge, ends: Look | None = None) -> None:
    line = edge_look(e.part, e.mark, e.hidden) | (ends or {})
    put(graph, f"{quote(e.tail)} -> {quote(e.head)}", beside(e.text), line)


def put(graph: graphviz.Digraph, subject: str, label: str | None, look: Look) -> None:
    """Write as `graph.node` and `graph.edge` do. They quote each value anew, and films have few."""
    words = [] if label is None else [attribute("label", label)]
    words += [attribute(*entry) for entry in sorted(look.items())]
    graph.body.append(f"\t{subject} [{' '.join(words)}]\n")


@lru_cache(maxsize=4096)
def attribute(name: str, value: str) -> str:
    return f"{name}={quote(value)}"


# ---- words


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


def beside(text: str) -> str | None:
    """An edge's label, which starts where the line is: the space keeps it off."""
    return f"\u00a0{quoted(shorten(text))}" if text else None


# ---- looks


def look(n: Node) -> Look:
    words = {"tooltip": quoted(shorten(n.story or n.text, STORY), readings=2)}
    own = words | node_look(n.kind, n.part, n.mark, n.hidden)
    return own | {"fillcolor": n.fill} if n.fill else own


def node_look(
    kind: Kind, part: Part = "forward", mark: Mark = "plain", hidden: bool = False
) -> Look:
    """The attributes of one node, or of the frame of an open box."""
    look = theme.KINDS[kind] | theme.PARTS[part] | theme.STRIKING.get(kind, {})
    if kind in ("open box", "group"):
        look |= theme.FRAMES[part] | theme.MARKS[mark] | theme.FRAMES.get(mark, {})
        look["style"] += ",rounded"
    else:
        look |= theme.MARKS[mark]
    return look | theme.HIDDEN if hidden else look


def edge_look(part: Part = "forward", mark: Mark = "plain", hidden: bool = False) -> Look:
    """The attributes of one edge."""
    look = theme.EDGE_STYLES[part] | theme.EDGE_MARKS[mark]
    return look | theme.HIDDEN if hidden else look


def sheet(direction: Direction = "TB") -> dict[str, Look]:
    """The attributes that a whole graph, all its nodes and all its edges start from."""
    return theme.SHEET | {"graph_attr": theme.SHEET["graph_attr"] | {"rankdir": direction}}
