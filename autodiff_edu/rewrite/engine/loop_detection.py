"""Does rewriting come to an end? It may take any number of steps, but it must get somewhere.

A chain of rewrites leads from a node to what a rule makes of it, and from there on. It is looked at
after 100 steps, 200, 400 and so on. Each time the graph must be cheaper than ever before in this
chain, or the expression at hand smaller. Both are whole numbers, so no chain goes on for ever.
"""

from collections.abc import Iterable
from math import inf
from typing import NamedTuple

from ...expr import Expr, postorder

FIRST = 100  # steps before a chain is looked at


class Chain(NamedTuple):
    """How many steps led to a node, after how many the next look is due, and what was least."""

    steps: int = 0
    due: int = FIRST
    cost: float = inf
    size: float = inf


START = Chain()


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
        chain = Chain(steps + 1, due, least_cost, least_size)
        if chain.steps == due:
            size = len(postorder([new]))
            if cost >= chain.cost and size >= chain.size:
                return False
            least = min(cost, chain.cost), min(size, chain.size)
            chain = Chain(chain.steps, 2 * chain.due, *least)
        self.chains[new] = chain
        for m in fresh:
            self.chains[m] = chain
        return True
