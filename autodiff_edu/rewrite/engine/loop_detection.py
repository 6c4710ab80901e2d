"""Does rewriting come to an end? It may take any number of steps, but it must get somewhere.

A chain of rewrites leads from a node to what a rule makes of it, and from there on. It is looked at
after 100 steps, 200, 400 and so on. Each time the graph must be cheaper than ever before in this
chain, or the expression at hand smaller. Both are whole numbers, so no chain goes on for ever.
"""

from collections.abc import Iterable
from math import inf

from ...core.graph import postorder
from ...core.node import Expr

FIRST = 100  # steps before a chain is looked at

# how many steps led to a node, after how many the next look is due, and the least cost and size
Chain = tuple[int, int, float, float]
START: Chain = (0, FIRST, inf, inf)


class Progress:
    """The chain behind each node that was made by a rule."""

    def __init__(self) -> None:
        self.chains: dict[Expr, Chain] = {}

    def move(self, n: Expr, new: Expr) -> None:
        """n with other inputs: the same chain is behind it."""
        if n in self.chains:
            self.chains[new] = self.chains[n]

    def advances(self, n: Expr, new: Expr, fresh: Iterable[Expr], cost: float) -> bool:
        """A rule made n into new, with these fresh operations; so much does the graph cost now.
        Has the chain got somewhere?"""
        steps, due, least_cost, least_size = self.chains.get(n, START)
        steps += 1
        if steps == due:
            size = len(postorder([new]))
            if cost >= least_cost and size >= least_size:
                return False
            due, least_cost, least_size = 2 * due, min(cost, least_cost), min(size, least_size)
        chain = steps, due, least_cost, least_size
        self.chains |= dict.fromkeys((new, *fresh), chain)
        return True
