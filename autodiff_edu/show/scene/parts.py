"""The parts of a scene: what one sees, and what keeps its place for good.

    value   a node of the formula
    place   where the derivative of a value stands, before it is known and after
    term    what one use of a value adds to its derivative
    sum     the derivative so far, where a value is used more than twice
    helper  what a term is computed from: cos(x₂)

What a part holds may change: a node, a number, a tie to the part that holds the same node, or
nothing yet. Small constants are no parts, since equal numbers are not one thing; they stand inside
their users.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...differentiate import D
from ...expr import Constant, Expr, Graph, Step, postorder
from ..build.builder import seen
from ..build.labels import drawn_operands, is_length, label, per_use, type_words
from .folded import Spot
from .values import plain, static_words, subscripted

Content = list[Any]


class Operation(Content):
    """The content of a part that holds an operation, and the node that this is."""

    def __init__(self, n: Expr, operands: list[Any], words: Mapping[str, Any]):
        super().__init__([n.op.name, operands, words] if words else [n.op.name, operands])
        self.of = n


class Frame(NamedTuple):
    """The content of each part, the parts of the results, the places that nothing needs, and the
    nodes of the results."""

    contents: dict[str, Content]
    outs: list[str]
    idle: list[str]
    results: list[Expr | None]


class Moment(NamedTuple):
    """One step as the scene tells it: its rule, the part at which it happens, its equation in
    letters, and what else there is to say."""

    stage: str
    step: Step
    part: str
    equation: str
    words: dict[str, Any] = {}


Shown = tuple[Moment | None, Frame]


class Parts:
    """The parts, the part at which each node is at `home`, and the `place` of each value's
    derivative. `anchors` are the nodes for which parts stand that always show something."""

    def __init__(
        self, graph: Graph, called: Mapping[Expr, str], flows_up: bool, moves: bool = True
    ):
        self.flows_up = flows_up  # as derivatives do in reverse mode
        self.moves = moves  # are there frames before the last one that somebody sees?
        self.rows: dict[str, dict[str, Any]] = {}
        self.spots: dict[str, Spot] = {}
        self.home: dict[Expr, str] = {}
        self.place: dict[Expr, str] = {}
        self.anchors: dict[str, Expr] = {}
        self.links: dict[Expr, dict[int, str]] = {}  # operands that are the derivative of a value
        self.ties: dict[str, str] = {}  # places that take over what stands in another one
        self.became: dict[Expr, Expr] = {}  # nodes that were replaced
        visible = set(seen(graph))  # in the order of the formula, not of their depth
        self.values = [n for n in postorder(graph.outputs) if n in visible and not per_use(n)]
        for n in self.values:
            name, symbol = called.get(n, ""), subscripted(n.name or "")
            self.home[n] = p = self.new("value", name=name or symbol)
            if n.op is None and symbol not in ("", name):
                self.rows[p]["symbol"] = symbol
        self.of_value = dict(self.home)
        self.operands = {
            self.home[n]: [self.home[i] for i in drawn_operands(n) if i in self.home]
            for n in self.values
        }

    def new(self, kind: str, spot: Spot | None = None, **row: Any) -> str:
        p = str(len(self.rows))
        self.rows[p] = {"kind": kind, **row}
        if spot is not None:
            self.spots[p] = spot
        return p

    def is_value(self, p: str) -> bool:
        return self.rows[p]["kind"] == "value"

    def frame(
        self, contents: dict[str, Content], outs: list[str], idle: Sequence[str] = ()
    ) -> Frame:
        shown = dict(contents) if self.moves else contents
        return Frame(shown, outs, list(idle), [self.anchors.get(p) for p in outs])

    # ---- the right side

    def open_place(self, v: Expr) -> str:
        """The place of v's derivative; that of a constant stands inside its user."""
        if v not in self.place and v in self.home and self.is_value(self.home[v]):
            of = self.home[v]
            self.place[v] = self.new("place", Spot("place", None, of), of=of)
        elif v not in self.place:
            self.place[v] = self.new("inline", text=f"D({label(v)})")
        return self.place[v]

    def beside(self, kind: str, u: Expr, w: Expr, rank: int = 0, offset: float = 0.0) -> str:
        """A new part near the half row above u, for what u's use of w adds."""
        user, of = self.home.get(u), self.home.get(w)
        of = of if of in self.operands else user if user in self.operands else self.last
        user = user if user in self.operands else of
        assert of is not None
        row = {"to": self.place[w]} if kind in ("term", "sum") and w in self.place else {}
        return self.new(kind, Spot(kind, user, of, rank, offset), **row)

    @property
    def last(self) -> str:
        return next(reversed(self.operands))

    def assign(
        self,
        root: Expr,
        home: str,
        u: Expr,
        w: Expr,
        owners: Mapping[Expr, Expr] | None = None,
    ) -> list[Expr]:
        """Let the root be at home there, and what is new below it near the half row above u: as
        terms where it has the derivative of an operand, which `owners` tell, and else as
        helpers."""
        new = self.newcomers(root)
        depth = depths(new, root)
        deepest = max(depth.values(), default=0)
        above = 0 if self.rows[home]["kind"] in ("term", "sum") and len(new) > 2 else 1
        for k, n in enumerate(new):
            owner = next((owners[i] for i in n.inputs if i in owners), None) if owners else None
            offset = (1 if self.flows_up else -1) * max(0, depth[n] - above) / (deepest + 1)
            if n is root:
                self.home[n] = home
            elif owner is not None and owner in self.place:
                self.home[n] = self.beside("term", u, owner, k, offset)
            else:
                self.home[n] = self.beside("helper", u, w, len(new) - 1 - k, offset)
        return new

    def newcomers(self, root: Expr) -> list[Expr]:
        """The nodes under the root, and itself, that have no home yet; operands first."""
        order, stack = dict[Expr, None](), [root]
        while stack:
            n = stack.pop()
            if n in order or not self.is_new(n):
                continue
            below = [i for i in drawn_operands(n) if self.is_new(i) and i not in order]
            if below:
                stack += [n, *reversed(below)]
            else:
                order[n] = None
        return [*order]

    def is_new(self, n: Expr) -> bool:
        return n not in self.home and not per_use(n)

    # ---- what parts hold

    def shows(self) -> list[tuple[Expr, str]]:
        """The nodes that parts show at last, each with its part."""
        latest = {p: n for n, p in (*self.of_value.items(), *self.home.items())} | self.anchors
        return [(n, p) for p, n in latest.items()]

    @property
    def types(self) -> dict[str, str]:
        """The type of what each part shows, in words."""
        return {p: type_words(n.type, always=True) for n, p in self.shows()}

    def content(self, n: Expr, homes: Mapping[Expr, str] | None = None) -> Content:
        """Return the content of the part that is the home of this node; `homes` are those of its
        operands in a box."""
        if n.op is None:
            value = getattr(n, "value", None) if isinstance(n, Constant) else None
            return ["input"] if value is None else ["const", plain(value)]
        operands = [self.operand(n, k, homes) for k in range(len(drawn_operands(n)))]
        return Operation(n, operands, {} if n.op is D else static_words(n))

    def latest(self, n: Expr) -> Expr:
        """The node that n has become."""
        while self.became.get(n, n) is not n:
            n = self.became[n]
        return n

    def operand(self, n: Expr, k: int, homes: Mapping[Expr, str] | None = None) -> Any:
        """The part of an operand, or a number that stands inside its user."""
        i = self.latest(n.inputs[k])
        linked = self.links.get(n, {}).get(k)
        if linked is not None and self.anchors.get(linked) is i:
            return linked
        homes = self.home if homes is None else homes
        if i in homes:
            return homes[i]
        if is_length(i):
            return {"c": i.inputs[0].type.shape[dict(i.static)["axis"]], "text": label(i)}
        return {"c": plain(i.value), **({"text": label(i)} if i.ndim else {})}

    def shown(self, p: str) -> Content:
        """Return the content of an anchor: its node, a number, or a tie to the node's home."""
        n = self.anchors[p]
        home = self.home.get(n)
        if home == p:
            return self.content(n)
        tie = self.ties.get(p, "")
        if self.anchors.get(tie) is n:
            return ["tie", [tie]]
        return ["tie", [home]] if home is not None else ["const", plain(n.value)]

    def link(self, nodes: Iterable[Expr], places: Mapping[Expr, str]) -> None:
        """Let these nodes take derivatives from their places, not from where they are at home."""
        for n in nodes:
            linked = {k: places[i] for k, i in enumerate(drawn_operands(n)) if i in places}
            if linked:
                self.links[n] = linked


def part_of(q: str) -> str:
    """The part of which a box is a copy, in a tree, or itself."""
    return q.partition(".")[0]


def around(rows: Mapping[str, Any], p: str) -> Iterator[str]:
    """The group in which a part stands, the one around it, and so on."""
    while g := rows[p].get("in"):
        yield g
        p = g


def lift(rows: Mapping[str, Any], a: str, p: str) -> str | None:
    """The member of p's group that is part a, or has it inside; none where p is deeper."""
    around = rows[p].get("in")
    q: str | None = a
    while q is not None and rows[q].get("in") != around:
        q = rows[q].get("in")
    return q


def depths(new: Sequence[Expr], root: Expr) -> dict[Expr, int]:
    """How many edges lie between the root and each of these nodes, at most."""
    depth = dict.fromkeys(new, 0)
    for n in reversed(new):
        for i in n.inputs:
            if i in depth:
                depth[i] = max(depth[i], depth[n] + 1)
    return depth
