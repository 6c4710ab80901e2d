"""Which boxes of a picture are open: all of them, so many levels, or chosen ones; if they fit."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from ...expr import Expr, Graph, at, check_expressions, computed_by
from .subgraphs import body

Open = bool | int | Expr | Sequence[Expr]
EVERY = 10**9  # more levels than there are


class Opening(NamedTuple):
    """Open these nodes, or all where None, in so many levels; `cut` where more were asked for."""

    levels: int = 0
    nodes: tuple[Expr, ...] | None = None
    cut: bool = False

    def asks(self, n: Expr) -> bool:
        chosen = self.nodes is None or any(n is m for m in self.nodes)
        return chosen and body(n) is not None

    def opens(self, n: Expr) -> bool:
        return self.levels > 0 and self.asks(n)

    def refuses(self, n: Expr) -> bool:
        """Does the node stay closed only because there is no room?"""
        return self.cut and not self.levels and self.asks(n)

    def below(self) -> "Opening":
        """What remains to be opened within an open box."""
        return self._replace(levels=self.levels - 1)


def opening(what: Open) -> Opening:
    """True for all boxes, a number for so many levels, or the nodes themselves.

    Raises ValueError for a node that is no box.
    """
    if isinstance(what, (bool, int)):
        return Opening(EVERY if what is True else max(0, what))
    chosen = tuple(computed_by(n)[0] for n in check_expressions(what))
    for n in chosen:
        if body(n) is None:
            raise ValueError(
                f"{n} cannot be opened, since its operation has no graph inside{at(n)}: "
                "choose boxes, or write open=True for all of them"
            )
    return Opening(EVERY, chosen)


def layers(graph: Graph, asked: Opening) -> Iterator[list[Expr]]:
    """The boxes to be opened, level by level; a box within another as often as that is used."""
    level = [graph]
    while found := [n for g in level for n in g.operations if asked.asks(n)]:
        yield found
        level = [n.op.body for n in found]


def fitting(graph: Graph, what: Open, most: int) -> Opening:
    """As many of the levels as have, together, no more nodes than a reader can follow."""
    asked, total, levels = opening(what), len(graph), 0
    for found in islice(layers(graph, asked), asked.levels):
        total += sum(len(n.op.body) for n in found)
        if total > most:
            return asked._replace(levels=levels, cut=True)
        levels += 1
    return asked._replace(levels=levels)
