"""What is near the steps of a film of some steps among thousands of nodes: what they change, its
users, and what both are computed from."""

from collections.abc import Collection, Iterable, Sequence

from ...expr import Expr
from .parts import Parts, Shown
from .shortening import operands_of

DEEP = 2  # operands of operands


def neighbourhood(shots: Sequence[Shown]) -> set[str]:
    """The parts that are near what single steps change."""
    near = set[str]()
    for (_, before), (moment, after) in zip(shots, shots[1:]):
        if moment is None or moment.words.get("steps", 1) > 1:  # several, which are left out
            continue
        contents = before.contents | after.contents
        changed = {p for p in contents if before.contents.get(p) != after.contents.get(p)}
        changed |= {moment.part, *moment.words["bind"].values()}
        users = {p for frame in (before, after) for p, content in frame.contents.items()
                 if not changed.isdisjoint(operands_of(content))}  # fmt: skip
        near |= changed | users
        edge: Iterable[str] = changed | users
        for _ in range(DEEP):
            edge = [a for p in edge for a in operands_of(contents.get(p, ["empty"]))]
            near.update(edge)
    return near


def around(near: Collection[str], parts: Parts) -> list[Expr]:
    """The values among these parts, and those beside which the others stand."""
    spots = [spot for p, spot in parts.spots.items() if p in near]
    needed = {*near, *(p for spot in spots for p in (spot.of, spot.user))}
    return [n for n in parts.values if parts.of_value[n] in needed]
