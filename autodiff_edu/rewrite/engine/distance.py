"""How far a node stands above what was rewritten: what no rule sees from there, it need not see.

A node all of whose rules have been tried gets new inputs, since something below it was rewritten.
Rules look a few operations down, and through whole sums and products. Further up the node only
has to be made of its new inputs, and none of its rules is tried again.
"""

from collections.abc import Container, Mapping
from math import inf
from typing import Protocol

from ...expr import Expr

SIGHT = 12  # operations: no pattern and no proof of the catalogue looks further


class Sight(Protocol):
    """How far rules look: through all operations of `regions`, and `depth` others."""

    regions: Container

    @property
    def depth(self) -> int: ...


class Distance:
    """The operations between a node and the nearest rewrite below it, in one round, but for those
    through which rules look, however many there are: views, and sums and products that one node
    uses."""

    def __init__(self, rules: Sight, count: Mapping[Expr, int]):
        self.rules, self.regions, self.count = rules, rules.regions, count
        self.above: dict[Expr, float] = {}  # by node: the distance of what uses it

    def far(self, n: Expr) -> bool:
        """Is no rewrite in sight of n, which gets new inputs? It is taken to be what it was."""
        above, nearest = self.above, inf
        for i in n.inputs:
            d = above.get(i, inf)
            if d < nearest:
                nearest = d
        op = n.op
        through = op is None or op.view or op in self.regions and self.count[n] == 1
        above[n] = nearest if through else nearest + 1
        return nearest == inf or nearest > SIGHT and nearest > self.rules.depth  # found at need

    def rewritten(self, n: Expr) -> None:
        """n has become another node."""
        self.above[n] = 1
