"""Places within groups: each group is laid out by itself, with the groups in it as boxes.

A part's place is that in its group, and so a group opens without a new layout: `opening.py` puts
them together. A formula without groups is the one group that has no name.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ...differentiate.slope_names import marked
from .folded import Point, Spot, folded, routes
from .groups import MOST, Group
from .parts import Parts

FAR = 4  # half rows over which an edge is still drawn
NAMES = 2  # results that a group's box names
Edge = tuple[str, str]
Line = list[list[float]]  # of each bend its column, its row, and whether it is narrow


class Nest:
    """The groups as parts: one at the left and, of what has a derivative, one at the right."""

    def __init__(self, parts: Parts, root: Group, mark: str | None, spots: Mapping[str, Spot]):
        self.parts, self.mark = parts, mark  # none where there is no derivative
        self.rows = parts.rows
        self.orders: dict[str, list[str]] = {"": [parts.of_value[n] for n in root.nodes]}
        self.spots: dict[str, dict[str, Spot]] = {"": {}}
        self.twin: dict[str, str] = {}
        users = used_by(parts)
        stack = [(g, "") for g in reversed(root.inner)]
        while stack:
            group, around = stack.pop()
            members = [parts.of_value[n] for n in group.nodes]
            inside = set(members)
            members = [p for p in members if parts.operands[p] or inside.issuperset(users[p])]
            g = self.add("value", around, group.label)
            self.orders[g], self.spots[g] = members, {}
            self.rows[g] |= self.names(members, inside, users)
            for p in members:
                self.rows[p]["in"] = g
            stack += [(inner, g) for inner in reversed(group.inner)]
        self.leaves = self.gather_leaves(spots)
        self.is_flat = len(self.orders) == 1  # in the order of the formula
        for p, spot in spots.items():
            self.hang(p, spot)

    def gather_leaves(self, spots: Mapping[str, Spot]) -> str:
        """Make a group of many inputs that several groups use; those that have a derivative stand
        alone, unless they are many, too."""
        places = {spot.of for spot in spots.values() if spot.kind == "place"}
        alone = [p for p in self.orders[""] if "in" not in self.rows[p]]
        leaves = [p for p in alone if not self.parts.operands[p]]
        quiet = [p for p in leaves if p not in places]
        members = leaves if len(leaves) - len(quiet) > MOST else quiet
        if len(self.orders) == 1 or len(members) <= MOST:
            return ""
        g = self.add("value", "", f"{len(members)} inputs", name="")
        self.orders[g], self.spots[g] = members, {}
        for p in members:
            self.rows[p]["in"] = g
        return g

    def add(self, kind: str, around: str, label: str, **row: Any) -> str:
        row |= {"group": label} | ({"in": around} if around else {})
        return self.parts.new(kind, None, **row)

    def names(
        self, members: Sequence[str], inside: set[str], users: Mapping[str, Sequence[str]]
    ) -> dict[str, str]:
        """The results of a group: what is used elsewhere, or nowhere."""
        results = [p for p in members if not users[p] or not inside.issuperset(users[p])]
        names = [self.rows[p].get("name", "") for p in results if self.parts.operands[p]]
        names = [name for name in names if name]
        more = ["…"] if len(names) > NAMES else []
        return {"name": ", ".join([*names[:NAMES], *more])}

    def hang(self, p: str, spot: Spot) -> None:
        """A part of the derivative belongs to the group of the value beside it."""
        anchor = spot.of if spot.kind == "place" or spot.user is None else spot.user
        g = self.rows[anchor].get("in", "")
        self.spots[g][p] = spot
        if g:
            self.rows[p]["in"] = g if self.mark is None else self.twin_of(g)

    def twin_of(self, g: str) -> str:
        """The group of the derivatives of a group's values."""
        if g not in self.twin:
            row = self.rows[g]
            around = row.get("in", "")
            outer = self.twin_of(around) if around else ""
            names = ", ".join(marked(name, self.mark or "") for name in row["name"].split(", "))
            self.twin[g] = self.add("place", outer, row["group"], of=g, name=names)
            self.spots[around][self.twin[g]] = Spot("place", None, g)
        return self.twin[g]

    # ---- from level to level

    def chain(self, p: str) -> list[str]:
        """A part, the group around it, and so on."""
        chain = [p]
        while around := self.rows[chain[-1]].get("in"):
            chain.append(around)
        return chain

    def lifted(self, a: str, p: str) -> Edge | None:
        """The ends of an edge where both are in one group; none within a box."""
        first = {self.rows[q].get("in", ""): q for q in self.chain(a)}
        for q in self.chain(p):
            if (other := first.get(self.rows[q].get("in", ""))) is not None:
                return (other, q) if other != q else None
        return None

    def within(self, p: str, g: str) -> str | None:
        """The member of a group in which a value stands."""
        return next((q for q in self.chain(p) if self.rows[q].get("in", "") == g), None)

    # ---- places

    def lay(self, edges: Iterable[Edge], groups: Collection[str] | None = None) -> dict[str, Line]:
        """Write the place of each part into its row, or of those that stand in these groups; return
        where edges bend."""
        levels: dict[str, dict[Edge, None]] = {
            g: {} for g in self.orders if not g or groups is None or g in groups
        }
        value = {twin: g for g, twin in self.twin.items()}
        for a, p in edges:
            if (ends := self.lifted(a, p)) is not None:
                around = self.rows[ends[0]].get("in", "")
                g = value.get(around, around)
                if g in levels:
                    levels[g][ends] = None
        bends: dict[str, Line] = {}
        for g, level in levels.items():
            bends |= self.lay_level(g, level)
        return bends

    def lay_level(self, g: str, edges: Iterable[Edge]) -> dict[str, Line]:
        operands = self.operands(g)
        spots = {p: self.local(spot, g) for p, spot in self.spots[g].items()}
        chains = any("group" in self.rows[p] for p in operands)
        at = folded(operands, spots, chains)
        if "box" in self.rows.get(g, ()) and self.side(g) and self.parts.flows_up:
            at = {p: (x, -y) for p, (x, y) in at.items()}
        near = [(a, p) for a, p in edges if a in at and p in at and self.is_drawn(a, p, at)]
        lines = routes(at, near, every=chains)  # rows move apart where groups are open
        shift = self.shift(at) if g else {}
        for p, (x, y) in at.items():
            left, top = shift.get(self.side(p), (0, 0))
            self.rows[p] |= {"x": round(x - left, 3), "y": round(y - top, 3)}
        moved: dict[str, Line] = {}
        for (a, p), line in lines.items():
            left, top = shift.get(self.side(p), (0, 0))
            moved[f"{a}>{p}"] = [[round(x - left, 3), round(y - top, 3), int(narrow)]
                                 for x, y, narrow in line]  # fmt: skip
        return moved

    def operands(self, g: str) -> dict[str, list[str]]:
        """The members of a group, operands first, and which of them each needs."""
        if self.is_flat and not g:
            members = dict.fromkeys(self.orders[""])
            return {p: [a for a in self.parts.operands[p] if a in members] for p in members}
        order, needs = self.orders[g], dict[str, dict[str, None]]()
        for p in order:
            q = self.within(p, g)
            if q is not None:
                needs.setdefault(q, {})
                for a in self.parts.operands[p]:
                    member = self.within(a, g)
                    if member is not None and member != q:
                        needs[q][member] = None
        leaves: dict[str, list[str]] = {p: [] for p in (self.leaves, *order)
                                        if p in needs and not needs[p]}  # fmt: skip
        return leaves | {p: [*own] for p, own in needs.items()}

    def local(self, spot: Spot, g: str) -> Spot:
        """Where a part stands, by the members of its group."""
        of = self.within(spot.of, g)
        user = None if spot.user is None else self.within(spot.user, g)
        return spot._replace(user=user if user is not None else None, of=of or user)

    def side(self, p: str) -> int:
        return int(self.mark is not None and not self.parts.is_value(p))

    def shift(self, at: Mapping[str, Point]) -> dict[int, Point]:
        """The left end of each side, and the top of both."""
        top = min(y for _, y in at.values())
        sides: dict[int, list[float]] = {}
        for p, (x, _) in at.items():
            sides.setdefault(self.side(p), []).append(x)
        return {side: (min(xs), top) for side, xs in sides.items()}

    def is_drawn(self, a: str, p: str, at: Mapping[str, Point]) -> bool:
        """Does an edge lead from a to p, or is a named in p? A helper has no name."""
        near = abs(at[a][1] - at[p][1]) <= FAR or self.rows[a]["kind"] == "helper"
        near = near or "box" in self.rows.get(self.rows[p].get("in", ""), ())
        return near and self.side(a) == self.side(p)


def used_by(parts: Parts) -> dict[str, list[str]]:
    """The users of each value."""
    users: dict[str, list[str]] = {p: [] for p in parts.operands}
    for p, operands in parts.operands.items():
        for a in operands:
            users[a].append(p)
    return users
