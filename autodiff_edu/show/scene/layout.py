"""Places within groups, a pass: each group is laid out by itself, with the groups in it as boxes.

A part's place is that in its group, and so a group opens without a new layout: `opening.py` puts
them together.
"""

from collections.abc import Collection, Iterable, Mapping

from .draft import Draft, Edge, Line
from .folded import Point, Spot, folded, routes

FAR = 4  # half rows over which an edge is still drawn


def laid_out(draft: Draft, edges: Iterable[Edge], groups: Collection[str] | None = None) -> Draft:
    """The draft with the place of each part, or of those that stand in these groups, and with the
    bends of edges."""
    levels: dict[str, dict[Edge, None]] = {
        g: {} for g in draft.orders if not g or groups is None or g in groups
    }
    value = {twin: g for g, twin in draft.twin.items()}
    for a, p in edges:
        if (ends := draft.lifted(a, p)) is not None:
            around = draft.rows[ends[0]].get("in", "")
            g = value.get(around, around)
            if g in levels:
                levels[g][ends] = None
    at: dict[str, Point] = {}
    bends: dict[str, Line] = {}
    for g, level in levels.items():
        places, lines = level_of(draft, g, level)
        at |= places
        bends |= lines
    rows = {p: row | ({"x": at[p][0], "y": at[p][1]} if p in at else {})
            for p, row in draft.rows.items()}  # fmt: skip
    return draft._replace(rows=rows, bends=bends)


def level_of(
    draft: Draft, g: str, edges: Iterable[Edge]
) -> tuple[dict[str, Point], dict[str, Line]]:
    """The places of the members of a group, and the bends of its edges."""
    operands = operands_of(draft, g)
    spots = {p: local(draft, spot, g) for p, spot in draft.spots[g].items()}
    chains = any("group" in draft.rows[p] for p in operands)
    at = folded(operands, spots, chains)
    if "box" in draft.rows.get(g, ()) and draft.side(g) and draft.flows_up:
        at = {p: (x, -y) for p, (x, y) in at.items()}
    near = [(a, p) for a, p in edges if a in at and p in at and is_drawn(draft, a, p, at)]
    lines = routes(at, near, every=chains)  # rows move apart where groups are open
    shift = ends_of(draft, at) if g else {}

    def moved(p: str, x: float, y: float) -> Point:
        left, top = shift.get(draft.side(p), (0, 0))
        return round(x - left, 3), round(y - top, 3)

    places = {p: moved(p, *point) for p, point in at.items()}
    return places, {f"{a}>{p}": [[*moved(p, x, y), int(narrow)] for x, y, narrow in line]
                    for (a, p), line in lines.items()}  # fmt: skip


def operands_of(draft: Draft, g: str) -> dict[str, list[str]]:
    """The members of a group, operands first, and which of them each needs."""
    order = draft.orders[g]
    if draft.is_flat and not g:
        members = dict.fromkeys(order)
        return {p: [a for a in draft.operands[p] if a in members] for p in members}
    needs = dict[str, dict[str, None]]()
    for p in order:
        q = draft.within(p, g)
        if q is not None:
            needs.setdefault(q, {})
            for a in draft.operands[p]:
                member = draft.within(a, g)
                if member is not None and member != q:
                    needs[q][member] = None
    leaves: dict[str, list[str]] = {p: [] for p in (draft.leaves, *order)
                                    if p in needs and not needs[p]}  # fmt: skip
    return leaves | {p: [*own] for p, own in needs.items()}


def local(draft: Draft, spot: Spot, g: str) -> Spot:
    """Where a part stands, by the members of its group."""
    of = draft.within(spot.of, g)
    user = None if spot.user is None else draft.within(spot.user, g)
    return spot._replace(user=user, of=of or user)


def ends_of(draft: Draft, at: Mapping[str, Point]) -> dict[int, Point]:
    """The left end of each side, and the top of both."""
    top = min(y for _, y in at.values())
    sides: dict[int, list[float]] = {}
    for p, (x, _) in at.items():
        sides.setdefault(draft.side(p), []).append(x)
    return {side: (min(xs), top) for side, xs in sides.items()}


def is_drawn(draft: Draft, a: str, p: str, at: Mapping[str, Point]) -> bool:
    """Does an edge lead from a to p, or is a named in p? A helper has no name."""
    near = abs(at[a][1] - at[p][1]) <= FAR or draft.rows[a]["kind"] == "helper"
    near = near or "box" in draft.rows.get(draft.rows[p].get("in", ""), ())
    return near and draft.side(a) == draft.side(p)
