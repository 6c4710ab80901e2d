"""From a graph to a diagram: which nodes it has, what is written on them, what their edges say.

Each node of a graph is drawn once or, in a tree, once for every use. Small constants are drawn at
every use in both, so that no line runs across the picture for a 2. The lengths from which reshape
and its kin build a shape are not drawn: the node's type tells it. Marks, what is in open boxes and
groups are added by passes, a page each.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from ...expr import Expr, Graph, TupleType, cached_property
from ..diagram.diagram import Diagram, Direction, Edge, Node, levels
from ..diagram.theme import Part
from .expansion import CLOSED, Opening, expanded
from .groups import Fold, Group, Members, Path, chosen, gathered
from .labels import (
    arguments,
    changes_type,
    drawn_operands,
    groups,
    is_box,
    is_length,
    kind,
    label,
    numbers,
    output_word,
    parameters,
    part,
    per_use,
    tooltip,
    type_words,
)
from .marks import Marking
from .subgraphs import output_names, values_inside

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
    once        constants that are drawn once, not at every use
    ends        whether the inputs are drawn first, and those that nothing uses too
    marking     what is new, matched or not seen yet
    opening     which boxes are open
    grouped     whether groups have frames; those of fold, or at these paths, are one node each
    """

    graph: Graph
    layout: Layout = "graph"
    direction: Direction | None = None
    types: bool | None = None
    values: Mapping[Expr, Any] = field(default_factory=dict)
    called: Mapping[Expr, str] = field(default_factory=dict)
    derived: Collection[Expr] = ()
    once: Collection[Expr] = ()
    ends: bool = False
    marking: Marking | None = None
    opening: Opening = CLOSED
    grouped: bool = False
    fold: Fold = None
    folded: Sequence[Path] | None = None

    def diagram(self) -> Diagram:
        diagram = self.content()
        if self.grouped and (members := self.members):
            fold = chosen(members, self.fold) if self.folded is None else self.folded
            diagram = gathered(diagram, members, fold)
        right = levels(diagram.edges) > DEEP
        return diagram._replace(direction=self.direction or ("LR" if right else "TB"))

    def content(self) -> Diagram:
        """Nodes and edges, with their marks, and with those that are in open boxes."""
        rows, outputs = self.uses
        use_of = {use.id: use for use in rows}
        nodes = [self.node(use) for use in rows]
        nodes += [self.output(k, use_of[id]) for k, id in enumerate(outputs)]
        edges = [edge for use in rows for edge in self.edges(use)]
        edges += [Edge(id, f"out{k}", "", self.part(use_of[id])) for k, id in enumerate(outputs)]
        diagram = Diagram(tuple(nodes), tuple(edges), ordered=self.layout == "tree")
        if self.marking:
            users = {use.id: use.user for use in rows if use.user is not None}
            diagram = self.marking.on(diagram, self.drawn, users)
        if self.opening.levels:
            diagram = expanded(diagram, self.drawn, self.opening, self.inside)
        return diagram

    def inside(self, n: Expr, inner: Graph, frame: Node) -> Diagram:
        """The content of an open box."""
        every = {*inner.nodes, *inner.inputs}  # some may be unused
        marking = self.marking and self.marking.inside(frame, every, len(inner.outputs))
        return replace(
            self,
            graph=Graph(inner.outputs, inner.inputs, output_names(n, inner)),
            layout="graph",
            ends=True,
            opening=self.opening.below(),
            values=values_inside(n, inner, self.values),
            marking=marking,
            derived=every if frame.part == "derivative" else (),
        ).content()

    # ---- which nodes

    @cached_property
    def uses(self) -> tuple[list[Use], list[str]]:
        """The nodes in the order of their ids, and the ids of the outputs."""
        if self.layout == "tree":
            return as_tree(self.graph)
        return as_graph(self.graph, set(self.once), self.graph.inputs if self.ends else ())

    @property
    def drawn(self) -> dict[str, Expr]:
        """The expression of each node, by its id."""
        outputs = {f"out{k}": n for k, n in enumerate(self.graph.outputs)}
        return {use.id: use.node for use in self.uses[0]} | outputs

    @property
    def members(self) -> Members:
        """The groups of nodes; a node that is drawn at each use belongs to its user's."""
        paths = [(use, groups(use.node if use.user is None else use.user)) for use in self.uses[0]]
        return {use.id: Group(path, self.part(use)) for use, path in paths if path}

    # ---- what is written on them

    def node(self, use: Use) -> Node:
        n = use.node
        text, look = label(n), kind(n)
        if is_length(n):
            text, look = f"{n.inputs[0].name}.shape[{dict(n.static)['axis']}]", "constant"
        return Node(use.id, text, look, self.part(use), note=self.note(use), story=tooltip(n))

    def output(self, k: int, use: Use) -> Node:
        name = output_word(self.graph, k)
        if name.startswith("(") and name.endswith(")"):
            name = name[1:-1]
        return Node(f"out{k}", name, "output", self.part(use))

    def part(self, use: Use) -> Part:
        """A leaf that is drawn at each use belongs to the part of its user."""
        n, user = use.node, use.user
        if user is None or use.operands:
            return self.part_of(n)
        return self.part_of(user) if n.op is None else part(n)

    def part_of(self, n: Expr) -> Part:
        return "derivative" if n in self.derived else part(n)

    def note(self, use: Use) -> str:
        n = use.node
        own = "" if n.op is None or n.name in self.graph.names else n.name
        words = [str(self.called.get(n, own) or ""), "" if is_length(n) else parameters(n)]
        if is_box(n):
            words.append(self.opening.words(n))
        words += [self.type_note(use), self.value_note(n) if n in self.values else ""]
        return "  ".join(filter(None, words))

    def type_note(self, use: Use) -> str:
        n = use.node
        if self.types:
            return type_words(n.type, always=True)
        if self.types is False or is_length(n) or (is_box(n) and self.opening.opens(n)):
            return ""
        small = use.user is not None and not n.type.shape
        return "" if small or not changes_type(n) else type_words(n.type)

    def value_note(self, n: Expr) -> str:
        if (n.op is None and not n.name) or isinstance(n.type, TupleType):
            return ""
        value = self.values[n]
        return value if isinstance(value, str) else f"= {numbers(value, 4)}"

    def edges(self, use: Use) -> Iterator[Edge]:
        words = arguments(use.node) if len(use.operands) > 1 else ("",)
        for tail, word in zip(use.operands, words):
            yield Edge(tail, use.id, word, self.part(use))


# ---- the nodes of a graph, and those of a tree


def seen(graph: Graph) -> list[Expr]:
    """The nodes that are drawn, in the graph's order."""
    found = set(graph.outputs)
    for n in reversed(graph.nodes):
        if n in found and not per_use(n):
            found.update(drawn_operands(n))
    return [n for n in graph.nodes if n in found]


def as_graph(
    graph: Graph, once: Collection[Expr], first: Iterable[Expr]
) -> tuple[list[Use], list[str]]:
    rows: list[Use] = []
    ids: dict[Expr, str] = {}

    def id_of(n: Expr, user: Expr | None) -> str:
        if n in ids:
            return ids[n]
        rows.append(Use(f"n{len(rows)}", n, (), user))
        return rows[-1].id

    for n in dict.fromkeys([*first, *seen(graph)]):
        if not per_use(n) or n in once:
            operands = tuple([id_of(i, n) for i in drawn_operands(n)])
            ids[n] = f"n{len(rows)}"
            rows.append(Use(ids[n], n, operands))
    return rows, [id_of(n, None) for n in graph.outputs]


def as_tree(graph: Graph) -> tuple[list[Use], list[str]]:
    rows: list[Use] = []
    outputs = []
    for output in graph.outputs:
        done: list[str] = []
        for n, user in reversed(list(unfold(output))):
            count = 0 if per_use(n) else len(drawn_operands(n))
            done, operands = done[: len(done) - count], done[len(done) - count :]
            rows.append(Use(f"n{len(rows)}", n, tuple(operands), user))
            done.append(rows[-1].id)
        outputs.append(done.pop())
    return rows, outputs


def unfold(output: Expr) -> Iterator[tuple[Expr, Expr | None]]:
    """Every use of every node, users first, from right to left."""
    waiting: list[tuple[Expr, Expr | None]] = [(output, None)]
    while waiting:
        n, user = waiting.pop()
        yield n, user
        if not per_use(n):
            waiting.extend((i, n) for i in drawn_operands(n))
