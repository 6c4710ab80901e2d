"""From a graph to a diagram: what each node is called, how it is marked, what its edges say."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...expr import Expr, Graph, TupleType
from ..diagram.diagram import Diagram, Direction, Edge, Node, Tag, levels
from ..diagram.theme import Mark, Part
from .expansion import Content, Inset, Opening, Wiring, inset, whole
from .groups import Fold, Group, Members, Path, chosen, gathered
from .labels import (
    arguments,
    changes_type,
    groups,
    is_box,
    kind,
    label,
    numbers,
    output_word,
    parameters,
    part,
    tooltip,
    type_words,
)
from .subgraphs import body, contents, is_loop, output_names, values_inside
from .vertices import Layout, Use, drawn_operands, is_length, uses

DEEP = 9


@dataclass(frozen=True)
class Drawing:
    """How a graph is to be drawn.

    direction   by default down, and to the right where more than 9 nodes stand in a row
    types       True for every node's type, False for none, None for where it says something new
    values      numbers to be written on nodes, or words
    marks       nodes to be outlined; new_edges are outlined too
    tags        the wildcards that are bound to nodes; fills are the colours of wildcards
    called      other names for nodes; room is what a later frame will add to them
    follow      whether a constant takes the mark of its user
    derived     nodes of the derivative whose origin does not tell
    once        constants that are drawn once, not at every use
    hidden      nodes that take their room and are not seen
    opening     which boxes are open
    ends        whether the inputs are drawn first, and those that nothing uses too
    grouped     whether groups have frames; those of fold, or at these paths, are one node each
    """

    graph: Graph
    layout: Layout = "graph"
    direction: Direction | None = None
    types: bool | None = None
    values: Mapping[Expr, Any] = field(default_factory=dict)
    marks: Mapping[Expr, Mark] = field(default_factory=dict)
    tags: Mapping[Expr, tuple[Tag, ...]] = field(default_factory=dict)
    fills: Mapping[Expr, str] = field(default_factory=dict)
    called: Mapping[Expr, str] = field(default_factory=dict)
    room: Mapping[Expr, str] = field(default_factory=dict)
    follow: bool = False
    derived: Collection[Expr] = ()
    once: Collection[Expr] = ()
    new_edges: Collection[tuple[Expr, Expr]] = ()
    hidden: Collection[Expr] = ()
    hidden_outputs: Collection[int] = ()
    opening: Opening = Opening()
    ends: bool = False
    grouped: bool = False
    fold: Fold = None
    folded: Sequence[Path] | None = None

    def diagram(self) -> Diagram:
        nodes, edges = self.content()
        if self.grouped and (members := self.members):
            fold = chosen(members, self.fold) if self.folded is None else self.folded
            nodes, edges = gathered(Content(nodes, edges), members, fold)
        direction = self.direction or ("LR" if levels(edges) > DEEP else "TB")
        return Diagram(tuple(nodes), tuple(edges), direction, self.layout == "tree")

    def content(self) -> Content:
        rows, outputs = uses(self.graph, self.layout, set(self.once), self.first)
        insets = {use.id: self.inset(use) for use in rows if self.opening.opens(use.node)}
        wiring = Wiring(rows, insets)
        nodes: list[Node] = []
        edges: list[Edge] = []
        for use in rows:
            if wiring.skips(use):
                continue
            nodes += insets[use.id].nodes if use.id in insets else [self.node(use)]
            edges += self.edges(use, wiring)
            edges += insets[use.id].edges if use.id in insets else []
        for k, tail in enumerate(outputs):
            use = wiring.by_id[tail]
            unseen = use.node in self.hidden or k in self.hidden_outputs
            mark = whole(self.mark(use)) if self.ends else "plain"
            nodes.append(self.output(k, use, unseen)._replace(mark=mark))
            edges.append(Edge(wiring.tail(tail), f"out{k}", "", self.part(use), mark, unseen))
        return Content(nodes, edges)

    # ---- groups

    @property
    def members(self) -> Members:
        """The groups of nodes; what is drawn at each use belongs to its user's."""
        rows, _ = uses(self.graph, self.layout, set(self.once), self.first)
        found = {use.id: groups(use.node if use.user is None else use.user) for use in rows}
        parts = {use.id: self.part(use) for use in rows}
        return {id: Group(path, parts[id]) for id, path in found.items() if path}

    @property
    def first(self) -> Iterable[Expr]:
        return self.graph.inputs if self.ends else ()

    # ---- open boxes

    def inset(self, use: Use) -> Inset:
        """What an open box shows; it is a derivative, new, removed or hidden as a whole."""
        inner, frame = body(use.node), self.node(use)._replace(kind="open box")
        assert inner is not None
        mark, every = whole(frame.mark), {*inner.nodes, *inner.inputs}  # some may be unused
        inside = replace(
            self,
            graph=Graph(inner.outputs, inner.inputs, output_names(use.node, inner)),
            layout="graph",
            ends=True,
            opening=self.opening.below(),
            values=values_inside(use.node, inner, self.values),
            marks=self.marks if mark == "plain" else dict.fromkeys(every, mark),
            derived=every if frame.part == "derivative" else (),
            hidden=every if frame.hidden else (),
            hidden_outputs=range(len(inner.outputs)) if frame.hidden else (),
        )
        return inset(use, inner, frame, inside.content())

    def inside(self, n: Expr) -> str:
        """How much is in a box that stays closed."""
        if self.opening.opens(n):
            return "each step" if is_loop(n) else ""
        if not is_box(n):
            return ""
        return contents(n) + ", too many to draw" * self.opening.refuses(n)

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
        plates, fill = self.tagged(use), self.fills.get(n, "")
        return Node(use.id, *words, unseen, self.room.get(n, ""), tags=plates, fill=fill)

    def tagged(self, use: Use) -> tuple[Tag, ...]:
        """A constant that is drawn at every use is tagged where its user is marked."""
        here = use.user is None or use.user in self.marks
        return self.tags.get(use.node, ()) if here else ()

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
        words = [str(name or ""), "" if is_length(n) else parameters(n), self.inside(n)]
        words.append(self.type_note(use))
        several = isinstance(n.type, TupleType)
        if n in self.values and (n.op is not None or n.name) and not several:
            value = self.values[n]
            words.append(value if isinstance(value, str) else f"= {numbers(value, 4)}")
        return "  ".join(filter(None, words))

    def type_note(self, use: Use) -> str:
        suppressed = is_length(use.node) or self.opening.opens(use.node)
        if self.types is False or (suppressed and not self.types):
            return ""
        small = use.user is not None and not use.node.ndim
        if self.types or (changes_type(use.node) and not small):
            return type_words(use.node.type, always=bool(self.types))
        return ""

    def output(self, k: int, use: Use, unseen: bool) -> Node:
        name = output_word(self.graph, k)
        if name.startswith("(") and name.endswith(")"):
            name = name[1:-1]
        return Node(f"out{k}", name, "output", self.part(use), hidden=unseen)

    # ---- edges

    def edges(self, use: Use, wiring: Wiring) -> list[Edge]:
        n = use.node
        words = arguments(n) if len(drawn_operands(n)) > 1 else ("",)
        heads, words = wiring.heads(use, words)
        return [
            Edge(
                wiring.tail(tail, use),
                heads[k],
                words[k],
                self.part(use),
                self.edge_mark(wiring.by_id[tail], use),
                n in self.hidden,
            )
            for k, tail in enumerate(use.operands)
        ]

    def edge_mark(self, tail: Use, head: Use) -> Mark:
        mark = self.mark(head)
        if (tail.node, head.node) in self.new_edges:
            return "new"
        return mark if mark != "matched" or self.mark(tail) == "matched" else "plain"
