"""The folded layout: the values at the left, and their derivative at the right, which is the same
picture again, shifted.

A value stands in an even row, and the place of its derivative in the same. What a use adds to a
derivative stands half a row above the user, and what that is computed from beside it or, if it is
a longer computation, in rows between. An edge that passes a row goes through the gap between two
parts that is nearest; edges over more than two rows are not drawn but named in their user.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

SWEEPS = 12
LANE = 0.4  # the width of an edge that passes a row of values, in columns
BESIDE = {"term": 0.0, "sum": 0.01, "helper": 0.6}  # how far out a part wishes to stand
FREE = 0.62  # from the middle of a part an edge that passes it keeps so far away, if it can
HALF, TALL = 0.48, 0.33  # half of a part, in columns and in rows
NEWTON = 6  # steps to the parameter of a curve

Point = tuple[float, float]
Value = Any  # what names a value: a text, in documents


class Spot(NamedTuple):
    """A part at the right: its kind, the value that uses another one, the one `of`
    which it has the derivative, or what that use adds to it; a rank among such parts, and how far
    from the half row above the user it stands."""

    kind: str
    user: Value | None
    of: Value
    rank: int = 0
    offset: float = 0.0


class Bend(NamedTuple):
    """Where an edge passes a row, and whether it goes straight through, as in a narrow gap."""

    x: float
    y: float
    narrow: bool


def folded(
    operands: Mapping[Value, Sequence[Value]], spots: Mapping[str, Spot], centred: bool = False
) -> dict[str, Point]:
    """The column and the row of each value, which comes after its operands, and of each part."""
    row = rows(operands)
    left = columns(row, operands, centred)
    axis = max([left[v] for v in operands], default=0.0) + 0.75
    right = {v: x + axis + 0.75 for v, x in left.items()}
    between = half_rows(spots, row, right)
    least = min([x for x, _ in between.values()], default=axis + 0.5)
    places = {p: s.of for p, s in spots.items() if s.kind == "place"}
    shift = axis + 0.5 - least  # nothing of it stands among the values
    shift = max(0.0, shift) if places else shift  # or far from them, where no derivative is
    at: dict[str, Point] = {v: (left[v], 2 * r) for v, r in row.items()}
    at |= {p: (right[v] + shift, 2 * row[v]) for p, v in places.items()}
    return at | {p: (x + shift, y) for p, (x, y) in between.items()}


def half_rows(
    spots: Mapping[str, Spot], row: Mapping[Value, int], right: Mapping[Any, float]
) -> dict[str, Point]:
    """Where the parts stand that are neither values nor places."""
    levels: dict[float, list[tuple[float, int, str]]] = {}
    for p, s in spots.items():
        if s.kind != "place":
            u = s.of if s.user is None else s.user
            close = row[u] - row[s.of] <= 1
            x = (right[u] + right[s.of]) / 2 if close else right.get((s.of, u), right[u])
            x += BESIDE[s.kind] * (max(1, s.rank) if s.kind == "helper" else 1)
            levels.setdefault(2 * row[u] - 1 + s.offset, []).append((x, s.rank, p))
    at: dict[str, Point] = {}
    for y, level in levels.items():
        level.sort(key=lambda entry: entry[:2])
        xs = spread([x for x, *_ in level], [1.0] * len(level))
        at |= {p: (x, y) for (*_, p), x in zip(level, xs, strict=True)}
    return at


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
    row: Mapping[Value, int], operands: Mapping[Value, Sequence[Value]], centred: bool
) -> dict[Hashable, float]:
    """The column of each value and of each lane: near the mean of its neighbours, without overlap;
    neighbours of equal mean keep the order of the formula. Long chains begin in the middle."""
    levels: dict[int, list[Hashable]] = {}
    near: dict[Hashable, list[Hashable]] = {v: [] for v in row}
    for v, inputs in operands.items():
        levels.setdefault(row[v], []).append(v)
        for i in dict.fromkeys(inputs):
            if row[v] - row[i] == 2:
                levels.setdefault(row[v] - 1, []).append((i, v))
            for a, b in pairwise(path(i, v, row)):
                near.setdefault(a, []).append(b)
                near.setdefault(b, []).append(a)
    x: dict[Hashable, float] = {}
    for level in levels.values():
        first = -(len(level) - 1) / 2 if centred else 0.0
        x |= {v: first + k for k, v in enumerate(level)}
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


# ---- edges


class Rows(NamedTuple):
    """The parts of each row, from left to right, and the number of each row."""

    parts: list[list[float]]
    number: dict[float, int]


def routes(
    at: Mapping[str, Point],
    edges: Iterable[tuple[str, str]],
    every: bool = False,
    ends: Mapping[str, Point] | None = None,
) -> dict[tuple[str, str], list[Bend]]:
    """Where these edges bend, so that they pass no part: in a row that a curve would hit, at the
    gap that is nearest; or in `every` row that they pass, straight through it. Some `ends` of edges
    are no parts: nothing stands there."""
    levels: dict[float, list[float]] = {y: [] for _, y in (ends or {}).values()}
    for x, y in at.values():
        levels.setdefault(y, []).append(x)
    heights = sorted(levels)
    table = Rows([sorted(levels[y]) for y in heights], {y: k for k, y in enumerate(heights)})
    bends: dict[tuple[str, str], list[Bend]] = {}
    places = {**at, **(ends or {})}
    for a, b in edges:
        (x0, y0), (x1, y1) = places[a], places[b]
        line = route((x0, table.number[y0]), (x1, table.number[y1]), table.parts, every)
        if line:
            bends[a, b] = [Bend(x, heights[int(k)], narrow) for x, k, narrow in line]
    return bends


def route(start: Point, end: Point, rows: Sequence[Sequence[float]], every: bool) -> list[Bend]:
    """The bends of one edge, by the numbers of their rows: one more while the curve hits a part."""
    step = 1 if end[1] > start[1] else -1
    passed = range(int(start[1]) + step, int(end[1]), step)
    begin, finish = (start[0], start[1] + step * TALL), (end[0], end[1] - step * TALL)
    line: dict[int, Bend] = {}
    while True:
        stops = [begin, *straightened([line[k] for k in passed if k in line], step), finish]
        open_rows = [k for k in passed if k not in line or not line[k].narrow]
        hit = next((k for k in open_rows if hits(stops, k, rows[k])), None)
        if hit is None:
            if every:
                xs = {k: line[k].x if k in line else crossing(stops, k) for k in passed}
                line = {k: Bend(x, k, narrow=True) for k, x in xs.items()}
            return [line[k] for k in passed if k in line]
        if hit in line:
            line[hit] = line[hit]._replace(narrow=True)
        else:
            line[hit] = gap(rows[hit], crossing(stops, hit), hit)


def straightened(line: Sequence[Bend], step: int) -> Iterable[Point]:
    """The stops of a curve: it goes straight through a row where it bends in a narrow gap."""
    for x, y, narrow in line:
        yield from [(x, y - step * TALL), (x, y + step * TALL)] if narrow else [(x, y)]


def hits(stops: Sequence[Point], k: int, xs: Sequence[float]) -> bool:
    """Does the curve meet one of the parts of a row? It may pass many while it goes through it."""
    passed = [crossing(stops, y) for y in (k - TALL, k, k + TALL)]
    j = bisect_right(xs, min(passed) - HALF)
    return j < len(xs) and xs[j] < max(passed) + HALF


def crossing(stops: Sequence[Point], y: float) -> float:
    """The column at which the curve through these stops is at a height: a piece of it leaves and
    arrives upright."""
    for (x0, y0), (x1, y1) in pairwise(stops):
        if min(y0, y1) <= y <= max(y0, y1) and y0 != y1:
            share = (y - y0) / (y1 - y0)
            t = share
            for _ in range(NEWTON):  # 1.5 t - 1.5 t² + t³ = share
                t -= (1.5 * t - 1.5 * t * t + t**3 - share) / (1.5 - 3 * t + 3 * t * t)
            return x0 + (x1 - x0) * t * t * (3 - 2 * t)
    return stops[-1][0]


def gap(xs: Sequence[float], x: float, y: float) -> Bend:
    """The place nearest to x at which an edge passes these parts, which are in their order."""
    k = bisect_left(xs, x)
    if all(abs(x - other) >= FREE for other in xs[max(0, k - 1) : k + 1]):
        return Bend(x, y, narrow=False)
    ends = [Bend(xs[0] - FREE, y, narrow=False), Bend(xs[-1] + FREE, y, narrow=False)]
    for a, b in pairwise(xs):
        if b - a >= 2 * FREE:
            ends += [Bend(a + FREE, y, narrow=False), Bend(b - FREE, y, narrow=False)]
        else:
            ends.append(Bend((a + b) / 2, y, narrow=True))
    return min(ends, key=lambda bend: (abs(bend.x - x), bend.x))
