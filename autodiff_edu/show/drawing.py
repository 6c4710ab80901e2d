"""From a graph to a sketch: what each node is called, how it is marked, what its edges say."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..expr import Expr, Graph, Stage, as_graph, evaluate_all
from .listing import Listing
from .picture import Picture
from .sketch import Direction, Edge, Node, Sketch
from .style import Mark, Part
from .summary import summary
from .uses import Layout, Use, drawn_operands, is_length, levels, size, uses
from .wording import (
    arguments,
    changes_type,
    kind,
    label,
    numbers,
    parameters,
    part,
    tooltip,
    type_words,
)

DEEP = 9
LARGEST = 150  # nodes that a reader can still follow


@dataclass(frozen=True)
class Drawing:
    """How a graph is to be drawn.

    direction   by default down, and to the right where more than 9 nodes stand in a row
    types       True for every node's type, False for none, None for where it says something new
    values      numbers to be written on nodes
    marks       nodes to be outlined; new_edges are outlined too
    called      other names for nodes; room is what a later frame will add to them
    follow      whether a constant takes the mark of its user
    derived     nodes of the derivative whose origin does not tell
    once        constants that are drawn once, not at every use
    hidden      nodes that take their room and are not seen
    """

    graph: Graph
    layout: Layout = "graph"
    direction: Direction | None = None
    types: bool | None = None
    values: Mapping[Expr, Any] = field(default_factory=dict)
    marks: Mapping[Expr, Mark] = field(default_factory=dict)
    called: Mapping[Expr, str] = field(default_factory=dict)
    room: Mapping[Expr, str] = field(default_factory=dict)
    follow: bool = False
    derived: Collection[Expr] = ()
    once: Collection[Expr] = ()
    new_edges: Collection[tuple[Expr, Expr]] = ()
    hidden: Collection[Expr] = ()
    hidden_outputs: Collection[int] = ()

    def sketch(self) -> Sketch:
        rows, outputs = uses(self.graph, self.layout, set(self.once))
        by_id = {use.id: use for use in rows}
        nodes = [self.node(use) for use in rows]
        edges = [e for use in rows for e in self.edges(use, by_id)]
        for k, tail in enumerate(outputs):
            use = by_id[tail]
            unseen = use.node in self.hidden or k in self.hidden_outputs
            nodes.append(self.output(k, use, unseen))
            edges.append(Edge(tail, f"out{k}", part=self.part(use), hidden=unseen))
        direction = self.direction or ("LR" if levels(rows) > DEEP else "TB")
        return Sketch(tuple(nodes), tuple(edges), direction, self.layout == "tree")

    # ---- nodes

    def node(self, use: Use) -> Node:
        n = use.node
        if is_length(n):
            return self.leaf(use, f"{n.inputs[0].name}.shape[{dict(n.static)['axis']}]")
        return self.leaf(use, label(n))

    def leaf(self, use: Use, text: str) -> Node:
        n = use.node
        look = "constant" if is_length(n) else kind(n)
        unseen = (n if use.user is None else use.user) in self.hidden
        words = (text, look, self.part(use), self.mark(use), self.note(use), tooltip(n))
        return Node(use.id, *words, unseen, self.room.get(n, ""))

    def part(self, use: Use) -> Part:
        if use.user is not None and not use.operands:
            return self.part_of(use.user) if use.node.op is None else part(use.node)
        return self.part_of(use.node)

    def part_of(self, n: Expr) -> Part:
        return "derivative" if n in self.derived else part(n)

    def mark(self, use: Use) -> Mark:
        """A constant is marked together with its user, unless it is new itself; a node is marked
        for the lengths of its shape too, which are not drawn."""
        n, user = use.node, use.user
        if user is not None and not is_length(n):
            return self.mark_of_constant(n, user)
        undrawn = n.inputs[len(drawn_operands(n)) :]
        found = [self.marks[i] for i in (n, *undrawn) if i in self.marks]
        return found[0] if found else "plain"

    def mark_of_constant(self, n: Expr, user: Expr) -> Mark:
        if self.follow:
            return self.marks.get(user, "plain")
        mark = self.marks.get(n, "plain")
        return mark if mark == "new" or user in self.marks else "plain"

    def note(self, use: Use) -> str:
        n = use.node
        own = "" if n.op is None or n.name in self.graph.names else n.name
        name = self.called.get(n, own)
        words = [str(name or ""), "" if is_length(n) else parameters(n), self.type_note(use)]
        if n in self.values and n.op is not None or n.name and n in self.values:
            words.append(f"= {numbers(self.values[n], 4)}")
        return "  ".join(filter(None, words))

    def type_note(self, use: Use) -> str:
        if self.types is False or (is_length(use.node) and not self.types):
            return ""
        small = use.user is not None and not use.node.ndim
        if self.types or (changes_type(use.node) and not small):
            return type_words(use.node.type, always=bool(self.types))
        return ""

    def output(self, k: int, use: Use, unseen: bool) -> Node:
        unnamed = sum(not name for name in self.graph.names)
        name = self.graph.names[k] or ("out" if unnamed == 1 else f"out {k + 1}")
        if name.startswith("(") and name.endswith(")"):
            name = name[1:-1]
        return Node(f"out{k}", name, "output", self.part(use), hidden=unseen)

    # ---- edges

    def edges(self, use: Use, by_id: Mapping[str, Use]) -> list[Edge]:
        n = use.node
        unseen = n in self.hidden
        words = arguments(n) if len(drawn_operands(n)) > 1 else ("",)
        return [
            Edge(tail, use.id, words[k], self.part(use), self.edge_mark(by_id[tail], use), unseen)
            for k, tail in enumerate(use.operands)
        ]

    def edge_mark(self, tail: Use, head: Use) -> Mark:
        mark = self.mark(head)
        if (tail.node, head.node) in self.new_edges:
            return "new"
        return mark if mark != "matched" or self.mark(tail) == "matched" else "plain"


def lie(graphs: Iterable[Graph]) -> Direction:
    """Pictures that are seen together lie the same way: down, or to the right if one is deep."""
    small = [g for g in graphs if size(g) <= LARGEST]
    return "LR" if any(levels(uses(g)[0]) > DEEP for g in small) else "TB"


def picture(graph: Graph, values: Mapping[Expr, Any] | None = None, **options: Any) -> Picture:
    """One graph drawn, or summarised where it is too large to read; `values` of its inputs."""
    if size(graph, options.get("layout", "graph")) > LARGEST:
        return summary(graph, options.get("direction"))
    open_derivative = any(kind(n) == "open derivative" for n in graph.nodes)
    known = evaluate_all(graph.outputs, values) if values and not open_derivative else {}
    return Drawing(graph, values=known, **options).sketch().picture()


def is_text(after: Any) -> bool:
    """Is what a stage made no graph, but a plan or a program, which prints as its text?"""
    return not isinstance(after, (Graph, Expr, list, tuple))


def result(stage: Stage, options: Mapping[str, Any]) -> Picture | Listing:
    """What a stage made."""
    if is_text(stage.after):
        return Listing(repr(stage.after))
    return picture(as_graph(stage), **options)
