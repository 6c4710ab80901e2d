"""From a graph to a diagram: which nodes it has, what is written on them, what their edges say.

Each node of a graph is drawn once or, in a tree, once for every use. Small constants are drawn at
every use in both, so that no line runs across the picture for a 2. The lengths from which reshape
and its kin build a shape are not drawn: the node's type tells it. Marks, what is in open boxes and
groups are added by the passes that follow, a page each.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from ...expr import Expr, Graph, TupleType, cached_property
from ..diagram.diagram import Diagram, Direction, Edge, Node, levels
from ..diagram.theme import Part
from . import labels
from .expansion import CLOSED, Opening
from .marks import Marking
from .tree import written_out

DEEP = 9
Layout = Literal["graph", "tree"]


class Use(NamedTuple):
    """A node to be drawn, and the ids of its operands; `user` is set for what is drawn per use."""

    id: str
    node: Expr
    operands: tuple[str, ...] = ()
    user: Expr | None = None


@dataclass(frozen=True)
class Drawing:
    """How a graph is to be drawn.

    direction   by default down, and to the right where more than 9 nodes stand in a row
    types       True for every node's type, False for none, None for where it says something new
    values      numbers to be written on nodes, or words
    called      other names for nodes
    derived     nodes of the derivative whose origin does not tell
    ends        whether the inputs are drawn first, and those that nothing uses too
    marking     what is new, matched or not seen yet
    opening     which boxes are open
    """

    graph: Graph
    layout: Layout = "graph"
    direction: Direction | None = None
    types: bool | None = None
    values: Mapping[Expr, Any] = field(default_factory=dict)
    called: Mapping[Expr, str] = field(default_factory=dict)
    derived: Collection[Expr] = ()
    ends: bool = False
    marking: Marking | None = None
    opening: Opening = CLOSED

    def plain(self) -> Diagram:
        """Nodes and edges, before anything is marked or opened."""
        rows, outputs = self.uses
        use_of = {use.id: use for use in rows}
        nodes = [self.node(use) for use in rows]
        nodes += [self.output(k, use_of[id]) for k, id in enumerate(outputs)]
        edges = [edge for use in rows for edge in self.edges(use)]
        edges += [Edge(id, f"out{k}", "", self.part(use_of[id])) for k, id in enumerate(outputs)]
        return self.directed(Diagram(tuple(nodes), tuple(edges), ordered=self.layout == "tree"))

    def directed(self, diagram: Diagram) -> Diagram:
        """A diagram of it, in the direction in which it is to be read."""
        right = levels(diagram.edges) > DEEP
        return diagram._replace(direction=self.direction or ("LR" if right else "TB"))

    # ---- which nodes

    @cached_property
    def uses(self) -> tuple[list[Use], list[str]]:
        """The nodes in the order of their ids, and the ids of the outputs."""
        if self.layout == "tree":
            rows, outputs = written_out(self.graph)
            return [Use(*row) for row in rows], outputs
        return as_graph(self.graph, self.graph.inputs if self.ends else ())

    # ---- what is written on them

    def node(self, use: Use) -> Node:
        n = use.node
        text, look = labels.label(n), labels.kind(n)
        if labels.is_length(n):
            text, look = f"{n.inputs[0].name}.shape[{dict(n.static)['axis']}]", "constant"
        return Node(
            use.id, text, look, self.part(use), note=self.note(use), story=labels.tooltip(n)
        )

    def output(self, k: int, use: Use) -> Node:
        name = labels.output_word(self.graph, k)
        if name.startswith("(") and name.endswith(")"):
            name = name[1:-1]
        return Node(f"out{k}", name, "output", self.part(use))

    def part(self, use: Use) -> Part:
        """A leaf that is drawn at each use belongs to the part of its user."""
        n, user = use.node, use.user
        if user is None or use.operands:
            return self.part_of(n)
        return self.part_of(user) if n.op is None else labels.part(n)

    def part_of(self, n: Expr) -> Part:
        return "derivative" if n in self.derived else labels.part(n)

    def note(self, use: Use) -> str:
        n = use.node
        own = "" if n.op is None or n.name in self.graph.names else n.name
        words = [str(self.called.get(n, own) or "")]
        words += [] if labels.is_length(n) else [labels.parameters(n)]
        if labels.is_box(n):
            words.append(self.opening.words(n))
        words += [self.type_note(use), self.value_note(n) if n in self.values else ""]
        return "  ".join(filter(None, words))

    def type_note(self, use: Use) -> str:
        n = use.node
        if self.types:
            return labels.type_words(n.type, always=True)
        is_open = labels.is_box(n) and self.opening.opens(n)
        if self.types is False or is_open or labels.is_length(n):
            return ""
        small = use.user is not None and not n.type.shape
        return "" if small or not labels.changes_type(n) else labels.type_words(n.type)

    def value_note(self, n: Expr) -> str:
        if (n.op is None and not n.name) or isinstance(n.type, TupleType):
            return ""
        value = self.values[n]
        return value if isinstance(value, str) else f"= {labels.numbers(value, 4)}"

    def edges(self, use: Use) -> Iterator[Edge]:
        words = labels.arguments(use.node) if len(use.operands) > 1 else ("",)
        for tail, word in zip(use.operands, words):
            yield Edge(tail, use.id, word, self.part(use))


# ---- the nodes of a graph, and those of a tree


def seen(graph: Graph) -> list[Expr]:
    """The nodes that are drawn, in the graph's order."""
    found = set(graph.outputs)
    for n in reversed(graph.nodes):
        if n in found and not labels.per_use(n):
            found.update(labels.drawn_operands(n))
    return [n for n in graph.nodes if n in found]


def as_graph(graph: Graph, first: Iterable[Expr]) -> tuple[list[Use], list[str]]:
    rows: list[Use] = []
    ids: dict[Expr, str] = {}

    def id_of(n: Expr, user: Expr | None) -> str:
        if n in ids:
            return ids[n]
        rows.append(Use(f"n{len(rows)}", n, (), user))
        return rows[-1].id

    for n in dict.fromkeys([*first, *seen(graph)]):
        if not labels.per_use(n):
            operands = tuple([id_of(i, n) for i in labels.drawn_operands(n)])
            ids[n] = f"n{len(rows)}"
            rows.append(Use(ids[n], n, operands))
    return rows, [id_of(n, None) for n in graph.outputs]
