"""Nodes whose reading ended at another node, since something else uses that one too.

They are visited again when one of those in their way is used only once.
"""

from ...expr import Expr
from .use_counts import Uses


class Blocked:
    """For each node those that it waits for."""

    def __init__(self) -> None:
        self.those: dict[Expr, set[Expr]] = {}

    def keep(self, n: Expr, met: list[Expr]) -> None:
        """n has been visited, and waits for what its reading met."""
        if met:
            self.those[n] = self.those.get(n, set()).union(met)

    def freed(self, uses: Uses) -> set[Expr]:
        """Those that need not wait any more."""
        once = uses.once
        free = {n for n, those in self.those.items() if any(map(once, those))}
        for n in free:
            del self.those[n]
        return free
