"""A tall sheet in columns, as a newspaper has them: what is read from the top down goes on at the
top of the next column.

Where an edge would lead from one column to the next, a tie stands at its end instead, with the name
of what the edge comes from. Letters: a an operand, p its user.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

from .boxes import Document, Words
from .folded import Bend, Point, routes, spread
from .parts import lift
from .shortening import operands_of

TALL = 640  # pixels that a page has for a picture
LONGEST = 1000  # of values with their derivatives, whose two sides one reads together
WIDE = 1500  # and in width: a notebook shrinks the picture, and scrolls a little
APART = 1.0  # columns of parts between two of the page
Edge = tuple[str, str]


class Size(NamedTuple):
    """Width and height in pixels."""

    width: float
    height: float


def in_columns(words: Words, size: Size, turned: bool = False) -> Document:
    """The sheet of these words in as many columns as a page has room for; what flows to the right
    goes on in the next line, as a text does."""
    if turned:
        count = ceil(size.height / WIDE)
    else:
        count = count_for(size) if size.height > (TALL if words.is_lone else LONGEST) else 1
    cuts = cuts_of(words, count) if count > 1 else []
    return Columns(words, cuts).document if cuts else words.document


def count_for(size: Size) -> int:
    """The least number of columns with which the sheet is no higher than wide, or fits the page."""
    most = max(1, int(WIDE / max(1.0, size.width)))
    tries = range(1, most + 1)
    fits = (n for n in tries if size.height / n <= min(TALL, max(TALL / 2, n * size.width)))
    return next(fits, most)


def cuts_of(words: Words, count: int) -> list[float]:
    """The rows after which a new column begins, where columns can be about equally high."""
    rows = sorted({box.y for box in words.boxes().values()})
    ends = [rows.index(y) + 1 for y in ends_of(words)]
    each = len(rows) / count
    near = [min(ends, key=lambda end: abs(end - each * k), default=0) for k in range(1, count)]
    return sorted(
        {rows[end - 1] for k, end in enumerate(near, 1) if abs(end - each * k) < each / 3}
    )


def ends_of(words: Words) -> list[float]:
    """The rows of values below which the sheet can be cut: not through an open group, and not
    through edges whose beginning has no name."""
    rows, boxes = words.parts, words.boxes()
    levels = sorted({box.y for p, box in boxes.items() if rows[p]["kind"] == "value"})
    shut = [(top, bottom) for *_, top, bottom in words.document.get("frames", {}).values()]
    nameless = [(boxes[a].y, boxes[p].y) for a, p in edges_of(words) if not name_of(words, a)]
    shut += [(min(ends), max(ends)) for ends in nameless]
    return [y for y in levels[:-1] if not any(top <= y < bottom for top, bottom in shut)]


def name_of(words: Words, a: str) -> str:
    """How a user names an operand: a part of a sum by the name of the whole."""
    return words.name(words.parts[a].get("to", a))


def edges_of(words: Words) -> Iterable[Edge]:
    """The edges of the sheet."""
    boxes = words.boxes()
    for p in boxes:
        for a in words.operands(p):
            if a in boxes and words.is_drawn(a, p):
                yield a, p


class Columns:
    """The sheet with a column's parts below each other, and ties between columns."""

    def __init__(self, words: Words, cuts: Sequence[float]):
        self.words, self.cuts, self.sheet = words, cuts, words.document
        self.boxes = words.boxes()
        self.ties: dict[tuple[str, int], str] = {}  # by operand and column
        self.users: dict[str, list[str]] = {}  # of ties
        for a, p in edges_of(words):
            column = self.column(self.boxes[p].y)
            if self.column(self.boxes[a].y) != column:
                tie = self.ties.setdefault((a, column), f"c{len(self.ties)}")
                self.users.setdefault(tie, []).append(p)
        self.ranks, self.shift = self.rank(), self.shifts()
        self.at = {p: self.place(box.x, box.y) for p, box in self.boxes.items()}
        self.at |= self.seats()

    def column(self, y: float) -> int:
        return bisect_left(self.cuts, y)

    def place(self, x: float, y: float) -> Point:
        """The place of what stood there."""
        column = self.column(y)
        return round(x + self.shift[column], 3), self.ranks[column][y]

    def rank(self) -> list[dict[float, float]]:
        """The rows of each column, in their order; all but the first have a row of ties above."""
        frames, feet = self.sheet.get("frames", {}), self.sheet.get("feet", {})
        rows = {box.y for box in self.boxes.values()} | {*feet.values()}
        rows |= {y for *_, top, bottom in frames.values() for y in (top, bottom)}
        rows |= {y for line in self.sheet["bends"].values() for _, y, _ in line}
        columns: list[dict[float, float]] = [{} for _ in range(len(self.cuts) + 1)]
        for y in sorted(rows):
            own = columns[self.column(y)]
            own[y] = 2.0 * (len(own) + (self.column(y) > 0))
        return columns

    def shifts(self) -> list[float]:
        """How far each column moves to the right."""
        ends: list[list[float]] = [[] for _ in range(len(self.cuts) + 1)]
        for box in self.boxes.values():
            ends[self.column(box.y)] += [box.x - 0.5, box.x + 0.5]
        for left, right, top, _ in self.sheet.get("frames", {}).values():
            ends[self.column(top)] += [left, right]
        for line in self.sheet["bends"].values():
            for x, y, _ in line:
                ends[self.column(y)].append(x)
        for (_, column), tie in self.ties.items():  # of which none stands further out
            wish, count = self.wish(tie), sum(own == column for _, own in self.ties)
            ends[column] += [wish - count / 2, wish + count / 2]
        shifts, left = list[float](), 0.0
        for xs in ends:
            shifts.append(left - min(xs))
            left += max(xs) - min(xs) + APART
        return shifts

    def wish(self, tie: str) -> float:
        xs = [self.boxes[p].x for p in self.users[tie]]
        return sum(xs) / len(xs)

    def seats(self) -> dict[str, Point]:
        """The places of the ties: above the column if what they name stands before it."""
        rows: dict[tuple[int, bool], list[tuple[float, str]]] = {}
        for (a, column), tie in self.ties.items():
            above = self.column(self.boxes[a].y) < column
            rows.setdefault((column, above), []).append((self.wish(tie), tie))
        seats: dict[str, Point] = {}
        for (column, above), row in rows.items():
            row.sort()
            y = 0.0 if above else max(self.ranks[column].values()) + 2
            xs = spread([x for x, _ in row], [1.0] * len(row))
            seats |= {tie: (round(x + self.shift[column], 3), y)
                      for (_, tie), x in zip(row, xs, strict=True)}  # fmt: skip
        return seats

    # ---- written down

    @property
    def document(self) -> Document:
        """The sheet in columns."""
        sheet, old = self.sheet, self.words.parts
        rows = {p: {**row, "x": self.at[p][0], "y": self.at[p][1], "own": row.get("own", row["y"])}
                if p in self.at else row for p, row in old.items()}  # fmt: skip
        heads: dict[str, list[str]] = {users[0]: [] for users in self.users.values()}
        for tie, users in self.users.items():
            heads[users[0]].append(tie)
        contents = {q: sheet["first"].get(q, []) for p in sheet["first"]
                    for q in (*heads.get(p, ()), p)}  # fmt: skip
        for (a, _), tie in self.ties.items():
            x, y = self.at[tie]
            name = name_of(self.words, a) if self.words.is_derivative(a) else ""  # else inside
            rows[tie] = {**rows[a], "x": x, "y": y, "name": name}
            contents[tie] = ["tie", [a]]
            for p in self.users[tie]:
                kind, operands, *rest = contents[p]
                same = {b for b in operands_of(contents[p]) if b in old and lift(old, b, p) == a}
                operands = [tie if isinstance(b, str) and b in same else b for b in operands]
                contents[p] = [kind, operands, *rest]
        edges = [(tie, p) for tie, users in self.users.items() for p in users]
        bends: dict[str, Any] = {
            edge: [Bend(*self.place(x, y), narrow) for x, y, narrow in line]
            for edge, line in sheet["bends"].items() if self.is_whole(edge)
        }  # fmt: skip
        feet = {p: self.place(0, y)[1] for p, y in sheet.get("feet", {}).items()}
        return {
            **sheet, "parts": rows, "first": contents, "bends": bends | self.routes(edges, feet),
            "frames": self.frames(sheet.get("frames", {})), "continued": {*self.users},
            "feet": feet,
        }  # fmt: skip

    def routes(self, edges: Iterable[Edge], feet: Mapping[str, float]) -> dict[str, list[Bend]]:
        """Where edges from ties bend; what comes from below ends below what is open there."""
        at, names, below = self.at, dict[Edge, str](), dict[str, Point]()
        for tie, p in edges:
            end = p
            if p in feet and at[tie][1] > at[p][1]:
                end = f"foot {p}"
                below[end] = at[p][0], feet[p]
            names[tie, end] = f"{tie}>{p}"
        return {names[edge]: line for edge, line in routes(at, names, ends=below).items()}

    def is_whole(self, edge: str) -> bool:
        """Do both ends of an edge stand in one column?"""
        ends = [self.boxes[p].y for p in edge.split(">") if p in self.boxes]
        return len({*map(self.column, ends)}) == 1

    def frames(self, frames: Mapping[str, Sequence[float]]) -> dict[str, tuple[float, ...]]:
        places = dict[str, tuple[float, ...]]()
        for g, (left, right, top, bottom) in frames.items():
            (x, y), (u, v) = self.place(left, top), self.place(right, bottom)
            places[g] = x, u, y, v
        return places
