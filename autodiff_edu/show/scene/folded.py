"""The folded layout: the values at the left, and their derivative at the right, which is the same
picture again, shifted.

Heights count half rows. A value stands in an even one, and the place of its derivative in the same;
what a use adds to a derivative stands half a row above the user. Edges over one or two rows are
drawn, and have a lane in each half row that they pass; longer ones are named in their user.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

SWEEPS = 12
LANE = 0.4  # the width of an edge that passes a row of values, in columns
NARROW = 0.3  # and of one that passes a half row
BESIDE = {"term": 0.0, "sum": 0.01, "helper": 0.6}  # how far out a part wishes to stand

Point = tuple[float, int]
Value = Any  # what names a value: a text, in documents
Lane = tuple[Value, Value]


class Spot(NamedTuple):
    """What is known of a part at the right: its kind, the value `of` which it has the derivative or
    what a use adds to it, the value that uses this one, and a rank among such parts."""

    kind: str
    user: Value | None
    of: Value
    rank: int = 0


class Layout(NamedTuple):
    """Where each value and part stands, and where the edges between two of them bend."""

    at: dict[Hashable, Point]
    bends: dict[tuple[Hashable, Hashable], list[Point]]


def folded(operands: Mapping[Value, Sequence[Value]], spots: Mapping[str, Spot]) -> Layout:
    """The layout of values, which come after their operands, and of the parts at the right."""
    fold = Fold(operands, spots)
    return Layout(fold.places(), fold.bends())


class Fold:
    """One layout: the rows, the columns of the values at the `left`, those of the same picture at
    the `right`, and the half rows of the right side."""

    def __init__(self, operands: Mapping[Value, Sequence[Value]], spots: Mapping[str, Spot]):
        self.operands, self.spots = operands, spots
        self.row = rows(operands)
        self.left = columns(self.row, operands)
        self.axis = max([self.left[v] for v in operands], default=0.0) + 0.75
        right = {v: x + self.axis + 0.75 for v, x in self.left.items()}
        self.place = {s.of: p for p, s in spots.items() if s.kind == "place"}
        self.term = {(s.of, s.user): p for p, s in spots.items() if s.kind == "term"}
        half = {key: (x, y) for y, level in self.half_rows(right).items() for key, x in level}
        least = min([x for key, (x, _) in half.items() if key in spots], default=self.axis + 0.5)
        shift = max(0.0, self.axis + 0.5 - least)  # nothing of it stands among the values
        self.right = {v: x + shift for v, x in right.items()}
        self.half = {key: (x + shift, y) for key, (x, y) in half.items()}

    def places(self) -> dict[Hashable, Point]:
        """Where each value and each part stands."""
        at = {v: (self.left[v], 2 * r) for v, r in self.row.items()}
        at |= {p: (self.right[v], 2 * self.row[v]) for v, p in self.place.items()}
        return at | {p: point for p, point in self.half.items() if p in self.spots}

    def half_rows(self, right: Mapping[Any, float]) -> dict[int, list[tuple[Hashable, float]]]:
        """The parts half a row above their users, and the lanes between them, from left to
        right."""
        levels: dict[int, list[tuple[float, int, Hashable, float]]] = {}
        for p, s in self.spots.items():
            if s.kind != "place":
                y, wish = self.wish(s, right)
                levels.setdefault(y, []).append((wish, s.rank, p, 1.0))
        for u, inputs in self.operands.items():
            for w in dict.fromkeys(inputs):
                for y, x in self.passed(w, u, right):
                    if y in levels:
                        levels[y].append((x, 0, (y, w, u), NARROW))
        columns_of = {}
        for y, level in levels.items():
            level.sort(key=lambda entry: entry[:2])
            xs = spread([wish for wish, *_ in level], [width for *_, width in level])
            columns_of[y] = [(key, x) for (_, _, key, _), x in zip(level, xs, strict=True)]
        return columns_of

    def wish(self, s: Spot, right: Mapping[Any, float]) -> tuple[int, float]:
        """The half row of a part, and the column at which it wishes to stand."""
        u = s.of if s.user is None else s.user
        close = self.row[u] - self.row[s.of] <= 1
        x = (right[u] + right[s.of]) / 2 if close else right.get((s.of, u), right[u])
        return 2 * self.row[u] - 1, x + BESIDE[s.kind] * (
            max(1, s.rank) if s.kind == "helper" else 1
        )

    def passed(self, w: Value, u: Value, right: Mapping[Any, float]) -> Iterable[tuple[int, float]]:
        """The half rows that the edge between the places of w and u passes, and where."""
        y, drop = 2 * self.row[u] - 1, self.row[u] - self.row[w]
        if drop == 1 and (w, u) not in self.term:
            yield y, (right[u] + right[w]) / 2
        if drop == 2:
            yield y - 2, (right[w, u] + right[w]) / 2
        if drop == 2 and (w, u) not in self.term:
            yield y, (right[w, u] + right[u]) / 2

    def bends(self) -> dict[tuple[Hashable, Hashable], list[Point]]:
        """Where the drawn edges bend: at the lanes of the values, and at those of the right."""
        bends: dict[tuple[Hashable, Hashable], list[Point]] = {}
        for u, inputs in self.operands.items():
            y = 2 * self.row[u]
            for w in dict.fromkeys(inputs):
                wide = self.row[u] - self.row[w] == 2
                if wide:
                    bends[w, u] = [(self.left[w, u], y - 2)]
                if w in self.place and u in self.place:
                    end = self.term.get((w, u), self.place[u])
                    lane = [(self.right[w, u], y - 2)] if wide else []
                    line = [*self.lane(y - 3, w, u), *lane]
                    line += self.lane(y - 1, w, u) if end == self.place[u] else []
                    bends[self.place[w], end] = line
        return {ends: line for ends, line in bends.items() if line}

    def lane(self, y: int, w: Value, u: Value) -> list[Point]:
        """The point at which the edge passes this half row, if it has a lane there."""
        return [self.half[y, w, u]] if (y, w, u) in self.half else []


def rows(operands: Mapping[Value, Sequence[Value]]) -> dict[Value, int]:
    """The row of each value: its depth; what can wait sinks to the row above its first user."""
    row: dict[Value, int] = {}
    for v, inputs in operands.items():
        row[v] = 1 + max((row[i] for i in inputs), default=-1)
    first: dict[Value, int] = {}
    for v in reversed(operands):
        row[v] = first.get(v, row[v] + 1) - 1
        for i in operands[v]:
            first[i] = min(first.get(i, row[v]), row[v])
    return row


def columns(
    row: Mapping[Value, int], operands: Mapping[Value, Sequence[Value]]
) -> dict[Hashable, float]:
    """The column of each value and of each lane: near the mean of its neighbours, without overlap;
    neighbours of equal mean keep the order of the formula."""
    levels: dict[int, list[Hashable]] = {}
    near: dict[Hashable, list[Hashable]] = {v: [] for v in row}
    for v, inputs in operands.items():
        levels.setdefault(row[v], []).append(v)
        for i in dict.fromkeys(inputs):
            if row[v] - row[i] == 2:
                levels.setdefault(row[v] - 1, []).append((i, v))
            for a, b in pairs(path(i, v, row)):
                near.setdefault(a, []).append(b)
                near.setdefault(b, []).append(a)
    x: dict[Hashable, float] = {}
    for level in levels.values():
        x |= {v: float(k) for k, v in enumerate(level)}
    for sweep in range(SWEEPS):
        for r in sorted(levels, reverse=sweep % 2 == 1):
            level = levels[r]
            wish = {v: mean([x[n] for n in near[v]], x[v]) for v in level}
            if sweep < SWEEPS - 2:  # at last the order stays
                level.sort(key=lambda v: (round(wish[v], 6), x[v]))
            widths = [1.0 if v in row else LANE for v in level]
            x.update(zip(level, spread([wish[v] for v in level], widths), strict=True))
    least = min(x.values(), default=0.0)
    return {v: x[v] - least for v in x}


def path(i: Value, v: Value, row: Mapping[Value, int]) -> list[Hashable]:
    """The ends of an edge that is drawn, and its lane; nothing of an edge that is named."""
    drop = row[v] - row[i]
    return [i, v] if drop == 1 else [i, (i, v), v] if drop == 2 else []


def pairs(line: Sequence[Hashable]) -> Iterable[tuple[Hashable, Hashable]]:
    return zip(line, line[1:])


def mean(numbers: Sequence[float], otherwise: float) -> float:
    return sum(numbers) / len(numbers) if numbers else otherwise


def spread(wishes: Sequence[float], widths: Sequence[float]) -> list[float]:
    """The positions nearest to the wishes, in their order, at which nothing overlaps: what would
    overlap becomes a block, which stands at the mean of what its members wish."""
    offset = 0.0
    offsets = [offset := offset + (a + b) / 2 for a, b in zip([0.0, *widths], widths)]
    blocks: list[tuple[float, int]] = []  # the mean and the number of members
    for wish, shift in zip(wishes, offsets, strict=True):
        average, count = wish - shift, 1
        while blocks and blocks[-1][0] >= average:
            before, size = blocks.pop()
            average = (before * size + average * count) / (size + count)
            count += size
        blocks.append((average, count))
    starts = [average for average, count in blocks for _ in range(count)]
    return [start + shift for start, shift in zip(starts, offsets, strict=True)]
