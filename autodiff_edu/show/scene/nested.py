"""Groups as parts, a pass: one at the left and, of what has a derivative, one at the right.

A formula without groups is the one group that has no name.
"""

from collections.abc import Mapping, Sequence

from ...differentiate.slope_names import marked
from ...expr import Expr
from .draft import Draft
from .folded import Spot
from .groups import MOST, Group

NAMES = 2  # results that a group's box names


def nested(draft: Draft, root: Group, home: Mapping[Expr, str]) -> Draft:
    """The draft with these groups; each node is at home at a part."""
    return Nest(draft, root, home).draft


class Nest:
    """The groups while they are made."""

    def __init__(self, draft: Draft, root: Group, home: Mapping[Expr, str]):
        self.before = draft
        self.rows = {p: dict(row) for p, row in draft.rows.items()}
        self.orders: dict[str, Sequence[str]] = {"": [home[n] for n in root.nodes]}
        self.spots: dict[str, dict[str, Spot]] = {"": {}}
        self.twin: dict[str, str] = {}
        self.users = used_by(draft.operands)
        stack = [(g, "") for g in reversed(root.inner)]
        while stack:
            group, around = stack.pop()
            g = self.gather(group.label, around, [home[n] for n in group.nodes])
            stack += [(inner, g) for inner in reversed(group.inner)]
        self.leaves = self.gather_leaves()
        self.is_flat = len(self.orders) == 1
        for p, spot in draft.spots[""].items():
            self.hang(p, spot)

    @property
    def draft(self) -> Draft:
        return self.before._replace(
            rows=self.rows, orders=self.orders, spots=self.spots, twin=self.twin,
            leaves=self.leaves, is_flat=self.is_flat,
        )  # fmt: skip

    def gather(self, label: str, around: str, members: Sequence[str]) -> str:
        """Make a group of these values, but for inputs that something else uses, too."""
        inside, operands = set(members), self.before.operands
        members = [p for p in members if operands[p] or inside.issuperset(self.users[p])]
        g = self.add("value", around, label)
        self.fill(g, members)
        self.rows[g] |= self.names(members, inside)
        return g

    def gather_leaves(self) -> str:
        """Make a group of many inputs that several groups use; those that have a derivative stand
        alone, unless they are many, too."""
        places = {spot.of for spot in self.before.spots[""].values() if spot.kind == "place"}
        alone = [p for p in self.orders[""] if "in" not in self.rows[p]]
        leaves = [p for p in alone if not self.before.operands[p]]
        quiet = [p for p in leaves if p not in places]
        members = leaves if len(leaves) - len(quiet) > MOST else quiet
        if len(self.orders) == 1 or len(members) <= MOST:
            return ""
        g = self.add("value", "", f"{len(members)} inputs", name="")
        self.fill(g, members)
        return g

    def add(self, kind: str, around: str, label: str, **row: str) -> str:
        g = str(len(self.rows))
        self.rows[g] = {"kind": kind, **row, "group": label} | ({"in": around} if around else {})
        return g

    def fill(self, g: str, members: Sequence[str]) -> None:
        self.orders[g], self.spots[g] = members, {}
        for p in members:
            self.rows[p]["in"] = g

    def names(self, members: Sequence[str], inside: set[str]) -> dict[str, str]:
        """The results of a group: what is used elsewhere, or nowhere."""
        results = [p for p in members if not self.users[p] or not inside.issuperset(self.users[p])]
        names = [self.rows[p].get("name", "") for p in results if self.before.operands[p]]
        names = [name for name in names if name]
        more = ["…"] if len(names) > NAMES else []
        return {"name": ", ".join([*names[:NAMES], *more])}

    def hang(self, p: str, spot: Spot) -> None:
        """A part of the derivative belongs to the group of the value beside it."""
        anchor = spot.of if spot.kind == "place" or spot.user is None else spot.user
        g = self.rows[anchor].get("in", "")
        self.spots[g][p] = spot
        if g:
            self.rows[p]["in"] = g if self.before.mark is None else self.twin_of(g)

    def twin_of(self, g: str) -> str:
        """The group of the derivatives of a group's values."""
        if g not in self.twin:
            row, mark = self.rows[g], self.before.mark or ""
            around = row.get("in", "")
            outer = self.twin_of(around) if around else ""
            names = ", ".join(marked(name, mark) for name in row["name"].split(", "))
            self.twin[g] = self.add("place", outer, row["group"], of=g, name=names)
            self.spots[around][self.twin[g]] = Spot("place", None, g)
        return self.twin[g]


def used_by(operands: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The users of each value."""
    users: dict[str, list[str]] = {p: [] for p in operands}
    for p, inputs in operands.items():
        for a in inputs:
            users[a].append(p)
    return users
