"""Marks on a diagram: what is new, removed, matched, bound to a wildcard, or not seen yet.

Letters: n a node of the diagram, x the expression that it draws, user the expression that uses x.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from ...expr import Expr
from ..diagram.diagram import Diagram, Edge, Node, Tag
from ..diagram.theme import Mark
from .labels import drawn_operands, is_length


@dataclass(frozen=True)
class Marking:
    """What is to be said of nodes beside what they are.

    marks       nodes to be outlined; new_edges are outlined too
    follow      whether a constant takes the mark of its user
    outputs     whether a result takes the mark of its node
    tags        the wildcards that are bound to nodes; fills are the colours of wildcards
    hidden      nodes that take their room and are not seen; hidden_outputs are so many results
    """

    marks: Mapping[Expr, Mark] = field(default_factory=dict)
    follow: bool = False
    outputs: bool = False
    new_edges: Collection[tuple[Expr, Expr]] = ()
    tags: Mapping[Expr, tuple[Tag, ...]] = field(default_factory=dict)
    fills: Mapping[Expr, str] = field(default_factory=dict)
    hidden: Collection[Expr] = ()
    hidden_outputs: Collection[int] = ()

    def on(self, diagram: Diagram, drawn: Mapping[str, Expr], users: Mapping[str, Expr]) -> Diagram:
        """The diagram with the marks; `drawn` has the expression of each node, and `users` has its
        user where it is drawn at each use."""
        marks = {id: self.mark(x, users.get(id)) for id, x in drawn.items()}
        for n in diagram.nodes:
            if n.kind == "output":
                marks[n.id] = whole(marks[n.id]) if self.outputs else "plain"
        later = {f"out{k}" for k in self.hidden_outputs}

        def node(n: Node) -> Node:
            x, user = drawn[n.id], users.get(n.id)
            hidden = (x if user is None else user) in self.hidden or n.id in later
            n = n._replace(mark=marks[n.id], hidden=hidden)
            if n.kind == "output":
                return n
            tags = self.tags.get(x, ()) if user is None or user in self.marks else ()
            return n._replace(tags=tags, fill=self.fills.get(x, ""))

        def edge(e: Edge) -> Edge:
            mark = marks[e.head]
            if mark == "matched" and marks[e.tail] != "matched":
                mark = "plain"
            if (drawn[e.tail], drawn[e.head]) in self.new_edges:
                mark = "new"
            return e._replace(mark=mark, hidden=drawn[e.head] in self.hidden or e.head in later)

        return diagram._replace(
            nodes=tuple(map(node, diagram.nodes)), edges=tuple(map(edge, diagram.edges))
        )

    def mark(self, x: Expr, user: Expr | None) -> Mark:
        """A constant is marked together with its user, unless it is new itself; a node is marked
        for the lengths of its shape too, which are not drawn."""
        if user is None or is_length(x):
            undrawn = x.inputs[len(drawn_operands(x)) :]
            return next((self.marks[i] for i in (x, *undrawn) if i in self.marks), "plain")
        if self.follow:
            return self.marks.get(user, "plain")
        mark = self.marks.get(x, "plain")
        return mark if mark == "new" or user in self.marks else "plain"

    def inside(self, frame: Node, every: Collection[Expr], outputs: int) -> "Marking":
        """What is inside an open box is new, removed or hidden as a whole."""
        mark = whole(frame.mark)
        return replace(
            self,
            outputs=True,
            marks=self.marks if mark == "plain" else dict.fromkeys(every, mark),
            hidden=every if frame.hidden else (),
            hidden_outputs=range(outputs) if frame.hidden else (),
        )


def whole(mark: Mark) -> Mark:
    """The mark of a box as far as all that is inside has it too: matched is the box alone."""
    return "plain" if mark == "matched" else mark
