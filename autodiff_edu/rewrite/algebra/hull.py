"""Is a point a mixture of other points? Computed exactly, with fractions.

    (1, 1) of (0, 0), (2, 2)      yes: a half of each
    (1, 1) of (2, 0), (0, 2)      yes: a half of each
    (0, 2) of (0, 0), (0, 1)      no

A mixture is Σ w·p with weights w ≥ 0 that are 1 together. The first phase of the simplex method
finds them: at first all of q is missing, and one point after the other enters the mixture, until
nothing is missing or no point makes it less.

Letters: q the point, p one of the others, w a weight.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

Point = tuple[Any, ...]  # of whole numbers and fractions
MOST = 64  # exchanges


@lru_cache(4096)
def is_mixture(q: Point, points: frozenset[Point]) -> bool:
    """Is q one of the points, or between them? If that takes long to say, the answer is no."""
    near = on_edges(q, points)
    if q in near or not near:
        return q in near
    axes = [axis for axis in zip(q, *near, strict=True) if len(set(axis)) > 1]
    return len(axes) == 1 or is_reached(axes)


def on_edges(q: Point, points: Iterable[Point]) -> list[Point]:
    """The points that can be part of the mixture: if q is as far out as any of them along an axis,
    those alone that are there too; if it is farther, none."""
    near, before = [*points], -1
    while len(near) != before:
        before = len(near)
        for k, v in enumerate(q):
            along = [p[k] for p in near]
            if near and not min(along) < v < max(along):
                near = [p for p in near if p[k] == v]
    return sorted(near)


def is_reached(axes: list[Point]) -> bool:
    """Are there weights? Each row is an equation: the number last, the points' parts before it."""
    turned = [[*along, v] if v >= 0 else [-p for p in (*along, v)] for v, *along in axes]
    rows = [[*map(Fraction, row)] for row in turned]
    rows.append([Fraction(1)] * len(axes[0]))
    missing = set(range(len(rows)))  # rows to which no point belongs yet
    owner = {k: len(axes[0]) + k for k in missing}
    for _ in range(MOST):
        if not any(rows[k][-1] for k in missing):
            return True
        gain = [sum(rows[k][j] for k in missing) for j in range(len(axes[0]) - 1)]
        column = next((j for j, g in enumerate(gain) if g > 0), None)
        if column is None:
            return False
        _, _, k = min((r[-1] / r[column], owner[k], k) for k, r in enumerate(rows) if r[column] > 0)
        exchange(rows, k, column)
        owner[k] = column
        missing.discard(k)
    return False


def exchange(rows: list[list[Fraction]], k: int, column: int) -> None:
    """The k-th equation is solved for the weight of the point that enters, and put into the
    others."""
    pivot = rows[k] = [v / rows[k][column] for v in rows[k]]
    for other, row in enumerate(rows):
        if other != k and row[column]:
            rows[other] = [v - row[column] * w for v, w in zip(row, pivot, strict=True)]
