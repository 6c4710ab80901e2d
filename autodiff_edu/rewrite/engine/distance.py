"""How far a node stands above what was rewritten: what no rule sees from there, it need not see.

A node all of whose rules have been tried gets new inputs, since something below it was rewritten.
Rules look a few operations down, and through whole sums and products. Further up the node only
has to be made of its new inputs, and none of its rules is tried again.
"""

from collections.abc import Container, Mapping
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
    through which rules look, however many there are."""

    def __init__(self, rules: Sight):
        self.rules, self.regions = rules, rules.regions
        self.known: dict[Expr, int] = {}

    def far(self, n: Expr, became: Mapping[Expr, Expr], final: Mapping[Expr, Expr]) -> bool:
        """Does n get new inputs, and is no rewrite in sight of it?"""
        found = []
        inside = n.op in self.regions
        for i in n.inputs:
            now = final[i]
            if now is not i:
                d = self.known.get(i, 0) if became.get(i) is now else 0  # or i itself was rewritten
                found.append(d + (not (n.op.view or inside and i.op in self.regions)))
        if found:
            self.known[n] = min(found)
        return bool(found) and self.known[n] > SIGHT and self.known[n] > self.rules.depth
