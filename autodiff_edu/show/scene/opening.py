"""A document as it is seen with some of its groups open: parts and groups at their places.

A group is one box. Open, it keeps its place, and what is in it stands below it in a frame: its row
becomes so much taller, and in it the neighbours step aside. What is closed has no place.
"""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from .folded import Bend, Point, spread

FRAME, APART = 0.5, 0.1  # columns around what is in a group, and between frames
Row = dict[str, Any]
Box = tuple[float, float, float, float]  # its left, its right, its top and its bottom


class Seat(NamedTuple):
    """A member of a row: the column it had, the one it has now, and its width."""

    p: str
    old: float
    x: float
    width: float


class Side(NamedTuple):
    """The ends of one side: of the left the growth, and of the right how far it moved left."""

    left: float
    right: float
    growth: float
    lost: float

    @classmethod
    def of(cls, seats: Sequence[Seat]) -> "Side":
        if not seats:
            return cls(0.0, 0.0, 0.0, 0.0)
        left = min(seat.x - seat.width / 2 for seat in seats)
        right = max(seat.x + seat.width / 2 for seat in seats)
        growth = right - max(seat.old for seat in seats) - 0.5
        return cls(left, right, growth, left - min(seat.old for seat in seats) + 0.5)


class Block(NamedTuple):
    """The inside of a group, or the whole sheet: the column and the row of each member; how far
    below it its row ends; where edges bend; the ends of both sides, and the height."""

    at: dict[str, Point]
    feet: dict[str, float]
    bends: dict[str, list[Bend]]
    sides: list[Side]
    height: float

    def width(self, side: int) -> float:
        """That of a frame around it."""
        return self.sides[side].right - self.sides[side].left + FRAME


class Opening:
    """The places of everything that is seen while these groups are open.

    Parameters
    ----------
    document : dict
        A document, with groups or without.
    open : collection of str
        Groups of values; the group at the right of each is open too.
    """

    def __init__(self, document: Mapping[str, Any], open: Collection[str]):
        self.rows: dict[str, Row] = document["parts"]
        self.is_lone, self.open = document["mode"] == "lone", set(open)
        self.members: dict[str, list[str]] = {"": []}  # of groups; those around others come first
        self.members |= {g: [] for g, row in self.rows.items() if is_own(row)}
        self.twin = {row["of"]: p for p, row in self.rows.items()
                     if "group" in row and not is_own(row)}  # fmt: skip
        for p, row in self.rows.items():
            if "x" in row:
                self.members[self.value(row.get("in", ""))].append(p)
        self.lines: dict[str, dict[str, list[Bend]]] = {g: {} for g in self.members}
        for edge, line in document["bends"].items():
            around = self.rows[edge.partition(">")[0]].get("in", "")
            self.lines[self.value(around)][edge] = [Bend(*bend) for bend in line]
        self.blocks: dict[str, Block] = {}
        for g in reversed(self.members):
            if g in self.open or not g:
                self.blocks[g] = self.block(g)
        self.at: dict[str, Point] = {}
        self.bends: dict[str, list[Bend]] = {}
        self.frames: dict[str, Box] = {}
        self.feet: dict[str, float] = {}  # where the row ends, of those beside an open group
        for g in self.members:
            if not g or g in self.open and g in self.at:
                self.put(g)

    def value(self, g: str) -> str:
        """The group of values beside which a group of derivatives stands, or the group."""
        return g if not g or is_own(self.rows[g]) else self.rows[g].get("of", g)

    def side(self, p: str) -> int:
        return int(not self.is_lone and self.rows[p]["kind"] != "value")

    def inside(self, p: str) -> Block | None:
        """The inside of an open group."""
        return self.blocks.get(self.value(p)) if "group" in self.rows[p] else None

    # ---- one group

    def block(self, g: str) -> Block:
        """The members of a group, further apart where some are open."""
        rows: dict[float, list[str]] = {}
        for p in self.members[g]:
            rows.setdefault(self.rows[p]["y"], []).append(p)
        tall = {y: max([block.height for p in row if (block := self.inside(p))], default=0.0)
                for y, row in rows.items()}  # fmt: skip
        places = {y: [self.aside(row, side) for side in (0, 1)] for y, row in rows.items()}
        below, top = dict[float, float](), 0.0
        for y in sorted(rows):
            below[y] = y + top
            top += tall[y]
        at = {p: (x, below[y]) for y, sides in places.items() for seats in sides
              for p, _, x, _ in seats}  # fmt: skip
        feet = {p: tall[y] for y, row in rows.items() if tall[y] for p in row}
        sides = [Side.of([seat for row in places.values() for seat in row[side]])
                 for side in (0, 1)]  # fmt: skip
        bends: dict[str, list[Bend]] = {}
        for edge, line in self.lines[g].items():
            a, _, p = edge.partition(">")
            side, down = self.side(a), 1 if self.rows[a]["y"] < self.rows[p]["y"] else -1
            bends[edge] = [moved for bend in line for moved in
                           through(bend, places[bend.y][side], below[bend.y], tall[bend.y])[::down]
                           ]  # fmt: skip
        height = max(below.values(), default=0.0) + tall[max(rows, default=0.0)] if rows else 0.0
        return Block(at, feet, bends, sides, height + 1)

    def aside(self, row: Sequence[str], side: int) -> list[Seat]:
        """The members of a row at one side, from left to right: open ones need more room."""
        own = sorted((self.rows[p]["x"], p) for p in row if self.side(p) == side)
        widths = [max(1.0, block.width(side)) if (block := self.inside(p)) else 1.0
                  for _, p in own]  # fmt: skip
        xs = [x for x, _ in own]
        if any(width > 1 for width in widths):
            xs = spread(xs, widths)
        return [Seat(p, old, x, width) for (old, p), x, width in zip(own, xs, widths, strict=True)]

    # ---- on the sheet

    def put(self, g: str) -> None:
        """Give the members of a group their places: below its box, or on the sheet."""
        block = self.blocks[g]
        bases = self.bases(g, block)
        for p, (x, y) in block.at.items():
            left, top = bases[self.side(p)]
            self.at[p] = round(left + x, 3), round(top + y, 3)
            if p in block.feet:
                self.feet[p] = round(top + y + block.feet[p], 3)
        for edge, line in block.bends.items():
            left, top = bases[self.side(edge.partition(">")[0])]
            self.bends[edge] = [Bend(round(left + x, 3), round(top + y, 3), narrow)
                                for x, y, narrow in line]  # fmt: skip

    def bases(self, g: str, block: Block) -> list[Point]:
        """Where both sides of what is in a group begin."""
        left, right = block.sides
        if not g:  # the right side begins as far from the left one as it did
            first = -left.left - 0.5
            return [(first, 0.0), (first + left.growth - right.lost, 0.0)]
        bases = [(0.0, 0.0), (0.0, 0.0)]
        for p in filter(None, (g, self.twin.get(g))):
            x, y = self.at[p]
            side = self.side(p)
            ends = block.sides[side]
            half = block.width(side) / 2 - APART
            self.frames[p] = x - half, x + half, y, round(y + block.height, 3)
            bases[side] = x - (ends.left + ends.right) / 2, y + 1
        return bases


def is_own(row: Row) -> bool:
    """Is it a group beside which the group of its derivatives may stand, and no such one?"""
    return "group" in row and ("of" not in row or "box" in row)


def through(bend: Bend, row: Sequence[Seat], y: float, tall: float) -> list[Bend]:
    """Where an edge passes a row: at the same share of the gap between two members, and down to the
    end of what is open."""
    x = gap(bend.x, row)
    return [Bend(x, end, bend.narrow) for end in ((y, y + tall) if tall else (y,))]


def gap(x: float, row: Sequence[Seat]) -> float:
    """The place of an edge between the members of a row."""
    k = bisect_left([seat.old for seat in row], x)
    if not row:
        return x
    ends = [(row[k - 1].old + 0.5, row[k - 1].x + row[k - 1].width / 2)] if k else []
    ends += [(row[k].old - 0.5, row[k].x - row[k].width / 2)] if k < len(row) else []
    if len(ends) == 1:
        return ends[0][1] + x - ends[0][0]
    (a, u), (b, v) = ends
    return u + (v - u) * ((x - a) / (b - a) if b > a else 0.5)
