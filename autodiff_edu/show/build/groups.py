"""Groups: what was written within `with ad.group("layer 1"):` stands in one frame, or is one node.

The derivative of a group is a group of its own, since it is computed elsewhere in the graph.
Letters: e an edge, n a node of a diagram, id the name of one, k a number.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from itertools import count
from typing import Any, NamedTuple, get_args

from ...expr import shown
from ..diagram.diagram import Diagram, Edge, Node
from ..diagram.theme import Mark, Part

Path = tuple[str, ...]
Fold = bool | str | Sequence[str] | None
LEAVES = ("input", "shared", "constant", "exact zero")


class Group(NamedTuple):
    """The names from the outermost group to this one, and the part of the graph."""

    path: Path
    part: Part

    @property
    def label(self) -> str:
        return self.path[-1] + ", derivative" * (self.part == "derivative")

    @property
    def around(self) -> "Group | None":
        return self._replace(path=self.path[:-1]) if self.path[1:] else None

    @property
    def outwards(self) -> "Iterator[Group]":
        """This group, the one around it, and so on."""
        for k in range(len(self.path), 0, -1):
            yield self._replace(path=self.path[:k])


Members = Mapping[str, Group]  # by the ids of nodes


def in_order(members: Members) -> Sequence[Path]:
    """All groups as they are to be folded: the inner ones first, and of those the largest."""
    sizes: dict[Path, int] = {}
    for member in members.values():
        for group in member.outwards:
            sizes[group.path] = sizes.get(group.path, 0) + 1
    return sorted(sizes, key=lambda path: (-len(path), -sizes[path]))


def chosen(members: Members, fold: Fold) -> Sequence[Path]:
    """The groups that are folded: all, none, or those of these names, with all that is in them.

    Raises TypeError for what is no name, and ValueError for a name that no group has.
    """
    groups = in_order(members)
    if fold is None or isinstance(fold, bool):
        return groups if fold else ()
    asked = names_of(fold)
    names = {path[-1] for path in groups}
    for name in asked:
        if name not in names:
            there = ", ".join(repr(name) for name in sorted(names)) or "none"
            raise ValueError(f"no group of the graph is called {shown(name)}; its groups: {there}")
    return [path for path in groups if not set(asked).isdisjoint(path)]


def names_of(fold: Any) -> tuple[str, ...]:
    asked = (fold,) if isinstance(fold, str) else fold
    if not isinstance(asked, (list, tuple, set)) or not all(isinstance(n, str) for n in asked):
        raise TypeError(f"fold is True, False or names of groups, as in fold=['layer 1'], not "
                        f"{shown(fold)}")  # fmt: skip
    return tuple(asked)


def enough(diagram: Diagram, members: Members, order: Sequence[Path], most: int) -> int:
    """How many groups, in their order, must be folded for there to be at most so many nodes."""
    left, gone = len(diagram.nodes), Counter(members.values())
    for k, path in enumerate(order):
        if left <= most:
            return k
        for part in get_args(Part):
            inner = gone.pop(Group(path, part), 0)
            left -= max(0, inner - 1)
            if inner and path[1:]:
                gone[Group(path[:-1], part)] += 1
    return len(order)


def gathered(diagram: Diagram, members: Members, fold: Sequence[Path]) -> Diagram:
    """A node in the place of each group at these paths, and a frame around each other one."""
    made = count()
    for path in sorted(fold, key=len, reverse=True):
        for part in get_args(Part):
            group = Group(path, part)
            within = [n.id for n in diagram.nodes if members.get(n.id) == group]
            if within:
                diagram, members = folded(diagram, members, group, within, made)
    return framed(diagram, members)


def owner(id: str) -> str:
    """The outermost box in which a node stands, or the node."""
    return id.partition(".")[0]


# ---- frames


def framed(diagram: Diagram, members: Members) -> Diagram:
    """A frame around each group, before its first node; frames stand in frames."""
    frames: dict[Group, Node] = {}
    nodes: list[Node] = []
    for n in diagram.nodes:
        if n.id not in members:
            nodes.append(n)
            continue
        for group in reversed(list(members[n.id].outwards)):
            if group not in frames:
                around = frames[group.around].id if group.around else ""
                name = f"group{len(frames)}"
                frames[group] = Node(name, group.label, "group", group.part, inside=around)
                nodes.append(frames[group])
        nodes.append(n._replace(inside=frames[members[n.id]].id))
    return diagram._replace(nodes=tuple(nodes))


# ---- one node in the place of many


class Piece(NamedTuple):
    """A part of a group that can be one node."""

    group: Group
    number: int
    ids: Collection[str]
    id: str

    def node(self, diagram: Diagram, pieces: int) -> Node:
        """The node that stands for these."""
        inner = [n for n in diagram.nodes if owner(n.id) in self.ids]
        operations = sum(n.kind not in LEAVES for n in inner)
        names = [n.text for n in inner if n.kind in LEAVES[:2]]
        words = [", ".join(names), counted(operations)]
        return Node(
            self.id,
            self.group.label + f" ({self.number + 1} of {pieces})" * (pieces > 1),
            "summary",
            self.group.part,
            common(n.mark for n in inner),
            note="; ".join(filter(None, words)),
            hidden=all(n.hidden for n in inner),
        )


def counted(operations: int) -> str:
    return f"{operations} operation{'s' * (operations != 1)}" if operations else ""


def folded(
    diagram: Diagram, members: Members, group: Group, within: Sequence[str], made: Iterator[int]
) -> tuple[Diagram, Members]:
    """A node in the place of these; several where a way between two of them leads outside."""
    number = pieces(diagram.edges, within)
    total = 1 + max(number.values())
    found = [
        Piece(group, k, {id for id in within if number[id] == k}, f"fold{next(made)}")
        for k in range(total)
    ]
    name = {id: piece.id for piece in found for id in piece.ids}
    nodes = [n for n in diagram.nodes if owner(n.id) not in name]
    nodes += [piece.node(diagram, total) for piece in found]
    left = {id: g for id, g in members.items() if id not in name}
    if group.around:
        left |= dict.fromkeys(name.values(), group.around)
    return Diagram(tuple(nodes), tuple(merged(diagram.edges, name)), ordered=diagram.ordered), left


def pieces(edges: Iterable[Edge], within: Sequence[str]) -> dict[str, int]:
    """For each node how often the ways to it leave the group and come back: those of one number
    have no other node between them, so that what stands for them is in no circle."""
    inside, operands = set(within), dict[str, list[str]]()
    for e in edges:
        if owner(e.tail) != owner(e.head):
            operands.setdefault(owner(e.head), []).append(owner(e.tail))
    number, reached = dict.fromkeys(within, 0), set(within)
    for id in TopologicalSorter(operands).static_order():
        below = operands.get(id, ())
        back = id in inside
        returns = (number[i] + (back and i not in inside and i in reached) for i in below)
        number[id] = max(returns, default=0)
        if any(i in reached for i in below):
            reached.add(id)
    users: dict[str, list[str]] = {id: [] for id in within if not operands.get(id)}
    for head, tails in operands.items():
        for leaf in users.keys() & set(tails):
            users[leaf].append(head)
    for leaf, heads in users.items():  # what only the group uses goes with its first use
        if heads and inside.issuperset(heads):
            number[leaf] = min(number[head] for head in heads)
    return {id: number[id] for id in within}


def merged(edges: Iterable[Edge], name: Mapping[str, str]) -> Sequence[Edge]:
    """The edges that are left; those that have become alike are one."""
    kept: list[Edge] = []
    moved: dict[Edge, None] = {}
    for e in edges:
        tail, head = name.get(owner(e.tail), e.tail), name.get(owner(e.head), e.head)
        if (tail, head) == (e.tail, e.head):
            kept.append(e)
        elif tail != head:
            moved[e._replace(tail=tail, head=head, text="")] = None
    return [*kept, *moved]


def common(marks: Iterable[Mark]) -> Mark:
    """The mark of what stands for several: theirs if all have it, and matched if one is."""
    found = set(marks)
    if "matched" in found:
        return "matched"
    return found.pop() if len(found) == 1 else "plain"
