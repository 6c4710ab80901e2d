"""A diagram is a picture's content, nodes and edges in a fixed order, before it has any layout: in
words, and in Graphviz's language as the theme's tables say that it looks.

A diagram with frames is written by a page of its own, `frames`.
"""

import html
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

import graphviz
from graphviz.quoting import quote

from ...expr import shorten, visible
from . import theme
from .theme import INK, KINDS, SIGNS, SMALL, STRIKING, Kind, Look, Mark, Part, Sign

Direction = Literal["TB", "BT", "LR"]
FEW = 24  # nodes fit on any page
MANY = 12  # of one kind are named in an alternative text
STORY = 400  # characters of a tooltip; Graphviz reads no text of more than 16384


class Tag(NamedTuple):
    """A small plate on a node: `x →` on what the wildcard x matches, `→ x` where it is then."""

    text: str
    colour: str


class Node(NamedTuple):
    """One node: `text` inside its shape, a smaller `note` below, `story` as its tooltip, and the
    names of wildcards that are bound to it as coloured `tags`; a wildcard itself has a `fill`.

    An open box is the frame around the nodes whose `inside` is its id.
    """

    id: str
    text: str
    kind: Kind = "operation"
    part: Part = "forward"
    mark: Mark = "plain"
    note: str = ""
    story: str = ""
    hidden: bool = False
    inside: str = ""
    tags: tuple[Tag, ...] = ()
    fill: str = ""


class Edge(NamedTuple):
    """One edge, from an operand to what uses it, with a type or an argument's place beside it.

    `back` leads from what a step of a loop makes to what the next step takes.
    """

    tail: str
    head: str
    text: str = ""
    part: Part = "forward"
    mark: Mark = "plain"
    hidden: bool = False
    back: bool = False


class Diagram(NamedTuple):
    """Nodes and edges; `direction` is TB where values flow down and LR where they flow right."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    direction: Direction = "TB"
    ordered: bool = False  # operands stand in their order, from the first to the last

    @property
    def has_frames(self) -> bool:
        """Does anything stand in a frame, or lead from a step of a loop to the next?"""
        return any(n.inside for n in self.nodes) or any(e.back for e in self.edges)

    @property
    def alt(self) -> str:
        """For a reader who does not see the picture: a sentence, and one for each open box."""
        seen = [n for n in self.nodes if not n.hidden]
        frames = [n for n in seen if n.kind in ("open box", "group")]
        inside = [
            f"Inside {visible(f.text)}: {_groups(seen, f.id)}{self._next(f)}." for f in frames
        ]
        return " ".join([f"Graph: {_groups(seen, '') or 'empty'}.", *inside])

    def _next(self, frame: Node) -> str:
        """What a loop hands from step to step."""
        names = {n.id: n.text for n in self.nodes if n.inside == frame.id}
        found = [f"{names[e.tail]} → {names[e.head]}" for e in self.edges
                 if e.back and e.tail in names]  # fmt: skip
        return f"; to the next step {', '.join(map(visible, found))}" if found else ""

    @property
    def signs(self) -> tuple[Sign, ...]:
        """What a key must explain: every colour and label that is seen."""
        nodes = [n for n in self.nodes if not n.hidden]
        found: set[str] = {sign for n in nodes for sign in (n.part, n.mark)}
        found |= {sign for e in self.edges if not e.hidden for sign in (e.part, e.mark)}
        found |= {n.kind for n in nodes if n.kind in STRIKING}
        found |= {"tag" for n in nodes if n.tags} | {"wildcard" for n in nodes if n.fill}
        return tuple(sign for sign in SIGNS if sign in found)

    @property
    def listing(self) -> str:
        """Every node and edge that is drawn, a line each, in their order."""
        nodes = [_node_line(n) for n in self.nodes if not n.hidden]
        edges = [_edge_line(e) for e in self.edges if not e.hidden]
        return "\n".join(nodes + edges)


def levels(edges: Iterable[Edge]) -> int:
    """How many edges follow each other in the layout, at most."""
    above: dict[str, list[str]] = {}
    waits: dict[str, int] = {}
    for e in edges:
        if not e.back:
            above.setdefault(e.tail, []).append(e.head)
            waits[e.head] = waits.get(e.head, 0) + 1
    depth = {id: 0 for id in above if id not in waits}
    for id in (row := list(depth)):
        for head in above.get(id, ()):
            depth[head] = max(depth.get(head, 0), depth[id] + 1)
            waits[head] -= 1
            if not waits[head]:
                row.append(head)
    return max(depth.values(), default=0)


# ---- in words


def _node_line(n: Node) -> str:
    told = (n.note, n.part, n.mark, *[t.text for t in n.tags])
    extra = [w for w in told if w not in ("", "forward", "plain")]
    indent = "  " * (n.id.count(".") if n.inside else 0)
    words = f"{n.id}  {n.kind}  {n.text}" + f"  [{', '.join(extra)}]" * bool(extra)
    return indent + visible(words)


def _edge_line(e: Edge) -> str:
    extra = [w for w in (e.text, e.part, e.mark) if w not in ("", "forward", "plain")]
    return visible(f"{e.tail} -> {e.head}" + f"  [{', '.join(extra)}]" * bool(extra))


def _groups(nodes: Iterable[Node], frame: str) -> str:
    """How many of each kind stand in a frame, or outside all, and which."""
    here = [n for n in nodes if n.inside == frame]
    groups = [_group(kind, [n.text for n in here if n.kind == kind]) for kind in KINDS]
    return "; ".join(filter(None, groups))


def _group(kind: Kind, texts: list[str]) -> str:
    if not texts:
        return ""
    shown = [visible(shorten(t)) for t in texts[:MANY]] + ["…"] * (len(texts) > MANY)
    return f"{len(texts)} {kind if len(texts) == 1 else plural(kind)} ({', '.join(shown)})"


def plural(kind: str) -> str:
    """summaries, boxes, inputs."""
    return f"{kind[:-1]}ies" if kind[-1] == "y" else f"{kind}{'es' if kind[-1] == 'x' else 's'}"


# ---- in Graphviz's language


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


# ---- its words there


def quoted(text: str, readings: int = 1) -> str:
    """The text of a user so that Graphviz shows it as it stands, in a plain or an HTML-like label.

    An angle bracket would start HTML, an ampersand an entity, and a backslash an escape (`\\N` is
    the node's name). Graphviz reads a label once for escapes, and a tooltip twice.
    """
    return html.escape(visible(text)).replace("\\", "\\" * 2**readings)


def label(n: Node) -> str:
    text = quoted(shorten(n.text))
    if not (n.note or n.tags):
        return text
    if n.note:
        text += f'<br/><font point-size="{SMALL}">{quoted(shorten(n.note))}</font>'
    rows = f"<tr><td>{text}</td></tr>{''.join(map(plate, n.tags))}"
    return f"<{TABLE}{rows}</table>>" if n.tags else f"<{text}>"


TABLE = '<table border="0" cellborder="0" cellspacing="0" cellpadding="1">'


def plate(tag: Tag) -> str:
    words = f'<font point-size="{SMALL}" color="{INK}">{quoted(shorten(tag.text))}</font>'
    return f'<tr><td bgcolor="{tag.colour}" cellpadding="2">{words}</td></tr>'


def beside(text: str) -> str | None:
    """An edge's label, which starts where the line is: the space keeps it off."""
    return f"\u00a0{quoted(shorten(text))}" if text else None


# ---- its looks there


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
