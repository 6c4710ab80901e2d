"""Sine and cosine of the same values, side by side in a region, which computes them together."""

from collections.abc import Sequence

from ..expr import Expr
from ..ops import cos, sin


def partners(members: Sequence[Expr]) -> dict[Expr, Expr]:
    """For the second of each pair, the first."""
    alone: dict[tuple[Expr, object], Expr] = {}
    found: dict[Expr, Expr] = {}
    for n in members:
        if n.op in (sin, cos) and n.dtype == "float64" and n.inputs[0].type is n.type:
            (x,) = n.inputs
            first = alone.pop((x, cos if n.op is sin else sin), None)
            if first is None:
                alone[x, n.op] = n
            else:
                found[n] = first
    return found


def side_by_side(members: Sequence[Expr]) -> tuple[Expr, ...]:
    """The members, the second of each pair next to the first."""
    found = partners(members)
    second = {one: two for two, one in found.items()}
    rows = [(n, second[n]) if n in second else (n,) for n in members if n not in found]
    return tuple([n for row in rows for n in row])
