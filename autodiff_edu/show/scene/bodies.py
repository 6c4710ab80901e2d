"""Open boxes in a scene: an operation with a graph inside is a group, and its members are what is
inside.

A box keeps its place, and what is in it stands in a frame below it. Inside, edges are drawn however
long they are, and results bear the names that the box gives them: `next h` in a loop. A node inside
keeps its part as long as its box has it, in all frames. Letters: n the node of a box, p its part, i
a node inside and q the part of that.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...expr import Expr, Graph
from ..build.builder import seen
from ..build.expansion import Opening
from ..build.labels import drawn_operands, label, per_use, type_words
from ..build.subgraphs import body, output_names, values_inside
from .draft import Draft, Edge, Row
from .parts import Content, Operation, Parts
from .shortening import operands_of
from .steps import contents_of, with_contents
from .values import operations, plain, subscripted

Contents = Mapping[str, Content]


class Bodies:
    """The members of the open boxes of all frames, and what they hold in each."""

    def __init__(self, parts: Parts, frames: Sequence[Contents], opening: Opening):
        self.parts = parts
        self.rows: dict[str, Row] = {}  # of the members
        self.titles: dict[str, Row] = {}  # what is added to the rows of the boxes
        self.operands: dict[str, list[str]] = {}
        self.members: dict[str, dict[str, None]] = {}  # by the part of the box
        self.latest: dict[tuple[str, Expr], str] = {}  # the part of a node in a box
        self.boxes: list[tuple[str, Expr, Graph, Mapping[Expr, str]]] = []
        self.contents = [self.inside(contents, opening) for contents in frames]

    def inside(self, contents: Contents, opening: Opening) -> dict[str, Content]:
        """The contents of the members in one frame."""
        held: dict[str, Content] = {}
        stack = [(content.of, p, opening) for p, content in contents.items()
                 if isinstance(content, Operation)]  # fmt: skip
        while stack:
            n, p, own = stack.pop()
            if own.opens(n) or p in self.titles and body(n) is not None:  # as it was before
                homes = self.open(n, p)
                held |= {q: self.parts.content(i, homes) for i, q in homes.items()}
                stack += [(i, q, own.below()) for i, q in homes.items() if i.op is not None]
        return held

    def open(self, n: Expr, p: str) -> Mapping[Expr, str]:
        """Give a part to each node that is seen in a box."""
        inner = body(n)
        assert inner is not None
        kind = "value" if (self.rows.get(p) or self.parts.rows[p])["kind"] == "value" else "term"
        names = dict(zip(inner.outputs, output_names(n, inner), strict=True))
        visible = dict.fromkeys([*inner.inputs, *seen(inner)])
        homes = dict[Expr, str]()
        members = self.members.setdefault(p, {})
        for i in visible:
            if not per_use(i) or i in names:
                name = subscripted((names.get(i) if i.op is not None else "") or i.name or "")
                below = [homes[j] for j in drawn_operands(i) if j in homes]
                homes[i] = q = self.part(p, i, name, homes, below)
                members[q], self.latest[p, i] = None, q
                self.rows.setdefault(q, {"kind": kind, "name": name, "in": p})
                self.operands[q] = [*dict.fromkeys([*self.operands.get(q, ()), *below])]
        self.titles[p] = {"group": label(n), "box": True}
        self.boxes.append((p, n, inner, homes))
        return homes

    def part(
        self, p: str, i: Expr, name: str, homes: Mapping[Expr, str], below: Sequence[str]
    ) -> str:
        """The part of a node in a box: its own, or that which bore its name before the box was
        rewritten, unless that stood below it; else a new one."""
        own, taken = self.latest.get((p, i)), {*homes.values()}
        for q in filter(None, dict.fromkeys([own, *self.members[p]])):
            alike = self.rows[q]["name"] == name and (name or q == own)
            if alike and q not in taken and not self.leads(below, q):
                return q
        return str(len(self.parts.rows) + len(self.rows))

    def leads(self, start: Sequence[str], q: str) -> bool:
        """Is part q one of these, or among what they are made of?"""
        stack, reached = [*start], set[str]()
        while stack:
            a = stack.pop()
            if a not in reached:
                reached.add(a)
                stack += self.operands.get(a, ())
        return q in reached

    def in_order(self, members: Mapping[str, None]) -> list[str]:
        """The members of a box, each behind its operands in all frames."""
        every = {*members}
        order, stack = dict[str, None](), [*members][::-1]
        while stack:
            below = [a for a in self.operands[stack[-1]] if a in every and a not in order]
            stack += below[::-1]
            if not below:
                order[stack.pop()] = None
        return [*order]

    @property
    def homes(self) -> list[tuple[Expr, str]]:
        """The nodes inside, each with its part."""
        pairs = (pair for *_, homes in self.boxes for pair in homes.items())
        return [*dict.fromkeys(pairs)]

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
        members = {p: self.in_order(inside) for p, inside in self.members.items()}
        return draft._replace(orders={**draft.orders, **members}, spots=spots)

    @property
    def edges(self) -> Iterable[Edge]:
        """Those inside."""
        return dict.fromkeys((a, q) for held in self.contents for q, content in held.items()
                             for a in operands_of(content))  # fmt: skip

    def written(self, document: dict[str, Any], values: Mapping[Expr, Any]) -> dict[str, Any]:
        """The document with the members."""
        pairs = zip(contents_of(document), self.contents, strict=True)
        return {
            **with_contents(document, [contents | held for contents, held in pairs]),
            "operations": operations([i for i, _ in self.homes]) | document["operations"],
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
