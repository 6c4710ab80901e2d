"""Open boxes in a scene: an operation with a graph inside is a group, and its members are what is
inside.

A box keeps its place, and what is in it stands in a frame below it. Inside, edges are drawn however
long they are, and results bear the names that the box gives them: `next h` in a loop. Letters: n
the node of a box, p its part, i a node inside and q the part of that.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ...expr import Expr, Graph
from ..build.builder import seen
from ..build.expansion import Opening
from ..build.labels import drawn_operands, label, per_use, type_words
from ..build.subgraphs import body, output_names, values_inside
from .draft import Draft, Edge, Row
from .parts import Content, Parts
from .shortening import operands_of
from .values import operations, plain, subscripted


class Bodies:
    """The members of each open box, and the contents of the members."""

    def __init__(self, parts: Parts, contents: Mapping[str, Content], opening: Opening):
        self.parts = parts
        self.rows: dict[str, Row] = {}  # of the members
        self.titles: dict[str, Row] = {}  # what is added to the rows of the boxes
        self.operands: dict[str, list[str]] = {}
        self.members: dict[str, list[str]] = {}
        self.contents: dict[str, Content] = {}
        self.boxes: list[tuple[str, Expr, Graph, Mapping[Expr, str]]] = []
        latest = {p: n for n, p in parts.home.items()
                  if n.op is not None and contents.get(p, [""])[0] == n.op.name}  # fmt: skip
        stack = [(n, p, opening) for p, n in latest.items()]
        while stack:
            n, p, opening = stack.pop()
            if opening.opens(n):
                stack += [(i, q, opening.below()) for i, q in self.open(n, p).items()]

    def open(self, n: Expr, p: str) -> Mapping[Expr, str]:
        """Give a part to each node that is seen in a box."""
        inner = body(n)
        assert inner is not None
        kind = "value" if (self.rows.get(p) or self.parts.rows[p])["kind"] == "value" else "term"
        names = dict(zip(inner.outputs, output_names(n, inner), strict=True))
        visible = dict.fromkeys([*inner.inputs, *seen(inner)])
        homes: dict[Expr, str] = {}
        for i in visible:
            if not per_use(i) or i in names:
                own = subscripted(i.name or "")
                name = subscripted(names.get(i, "")) if i.op is not None else own
                homes[i] = q = str(len(self.parts.rows) + len(self.rows))
                self.rows[q] = {"kind": kind, "name": name or own, "in": p}
                self.contents[q] = self.parts.content(i, homes)
                self.operands[q] = [homes[j] for j in drawn_operands(i) if j in homes]
        self.titles[p] = {"group": label(n), "box": True}
        self.members[p] = [*homes.values()]
        self.boxes.append((p, n, inner, homes))
        return homes

    @property
    def homes(self) -> list[tuple[Expr, str]]:
        """The nodes inside, each with its part."""
        return [pair for *_, homes in self.boxes for pair in homes.items()]

    @property
    def types(self) -> dict[str, str]:
        """The types of what is inside, in words."""
        return {p: type_words(n.type, always=True) for n, p in self.homes}

    def enter(self, draft: Draft) -> Draft:
        """The draft with the members, each in its box, and the titles of the boxes."""
        rows = {**draft.rows, **self.rows}
        rows |= {p: rows[p] | title for p, title in self.titles.items()}
        return draft._replace(rows=rows, operands={**draft.operands, **self.operands})

    def open_in(self, draft: Draft) -> Draft:
        """The draft, in which the boxes are groups, too."""
        spots = {**draft.spots, **{p: {} for p in self.members}}
        return draft._replace(orders={**draft.orders, **self.members}, spots=spots)

    @property
    def edges(self) -> Iterable[Edge]:
        """Those inside."""
        return ((a, q) for q, content in self.contents.items() for a in operands_of(content))

    def written(self, document: dict[str, Any], values: Mapping[Expr, Any]) -> dict[str, Any]:
        """The document with the members."""
        nodes = [i for i, _ in self.homes]
        return {
            **document,
            "operations": operations(nodes) | document["operations"],
            "first": document["first"] | self.contents,
            "python": document["python"] | self.numbers(values),
        }

    def numbers(self, values: Mapping[Expr, Any]) -> dict[str, Any]:
        """The values of the members, where those of a box's operands are known."""
        numbers: dict[str, Any] = {}
        own: dict[str, Mapping[Expr, Any]] = {}  # of each call, by the part of its box
        for p, n, inner, homes in self.boxes:
            around = self.rows[p]["in"] if p in self.rows else ""
            own[p] = inside = values_inside(n, inner, own.get(around, values))
            numbers |= {q: plain(inside[i]) for i, q in homes.items() if i in inside}
        return {q: number for q, number in numbers.items() if number is not None}
