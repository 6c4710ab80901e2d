"""Is a point a mixture of other points? Computed exactly, with whole numbers.

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
from math import gcd, lcm
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
    """Are there weights? Each row is an equation: the number last, the points' parts before it. A
    row may be multiplied by any number above 0, so that all of them are whole."""
    rows = whole([[*along, v] if v >= 0 else [-p for p in (*along, v)] for v, *along in axes])
    missing = [sum(column) for column in zip(*rows, strict=True)]  # in all rows together
    owner = [len(missing) + k for k in range(len(rows))]  # the point that a row gives its weight
    for _ in range(MOST):
        if not missing[-1]:
            return True
        column = next((j for j, gain in enumerate(missing[:-1]) if gain > 0), None)
        if column is None:
            return False
        takes = [(k, row) for k, row in enumerate(rows) if row[column] > 0]
        _, _, k = min((Fraction(row[-1], row[column]), owner[k], k) for k, row in takes)
        pivot, owner[k] = rows[k], column
        rows = [row if row is pivot else without(column, row, pivot) for row in rows]
        missing = without(column, missing, pivot)
    return False


def whole(rows: list[list[Any]]) -> list[list[int]]:
    """All rows times one number that makes them whole, and one more: weights are 1 together."""
    times = lcm(*[v.denominator for row in rows for v in row])
    return [*[[int(v * times) for v in row] for row in rows], [times] * len(rows[0])]


def without(column: int, row: list[int], pivot: list[int]) -> list[int]:
    """The row in which the weight of the point that enters is what another row says of it."""
    v, p = row[column], pivot[column]
    new = [p * a - v * b for a, b in zip(row, pivot, strict=True)] if v else row
    shared = gcd(*new)
    return [a // shared for a in new] if shared > 1 else new
