"""Nodes at which a rule was stopped: since something else uses what it would take away, or since
the graph has not what it would make.

They are visited again when what was read there is used more or less, or when what was missing came
to be; and only then, so that a round in which nothing changes visits no node.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ...expr import Expr
from .hash_consing import Present, moved
from .use_counts import Met, Uses


class Blocked:
    """For each node those that it met, and the keys of those that it missed."""

    def __init__(self) -> None:
        self.met: dict[Expr, list[Met]] = {}
        self.missed: dict[Expr, set[Any]] = {}

    def keep(self, n: Expr, met: list[Met], missed: Iterable[Any]) -> None:
        """n has been visited. If a rule was refused there, it waits for any change, otherwise until
        what was in the way goes."""
        if missed:
            self.missed.setdefault(n, set()).update(missed)
        else:
            met = [one for one in met if one[1] > 1]
        if met:
            if len(met) > 1:
                met = list(dict.fromkeys(met))
            self.met[n] = [*self.met[n], *met] if n in self.met else met

    def move(self, n: Expr, new: Expr, graph: Present) -> bool:
        """new, with the final inputs of n, waits for what n waited for, made of other nodes now.
        Not if the graph has it."""
        final = graph.final
        if n in self.missed:
            try:
                missed = {moved(place, final) for place in self.missed[n]}
            except KeyError:  # it would be made of what is not final yet
                return False
            if is_there(missed, new, graph.table, graph.uses):
                return False
            self.missed[new] = missed
        if n in self.met:
            met = self.met.pop(n)
            self.met[new] = [(final.get(m, m), least, most) for m, least, most in met]
        return True

    def freed(self, uses: Uses, table: Mapping[Any, Expr]) -> set[Expr]:
        """Those that need not wait any more. What is not in the graph any more is forgotten."""
        count, free = uses.count, set()
        self.met = {n: met for n, met in self.met.items() if count[n]}
        self.missed = {n: missed for n, missed in self.missed.items() if count[n]}
        for n, met in self.met.items():
            for m, least, most in met:
                if not least <= count[m] <= most:
                    free.add(n)
                    break
        for n, missed in self.missed.items():
            if is_there(missed, n, table, uses):
                free.add(n)
        for n in free:
            self.met.pop(n, None)
            self.missed.pop(n, None)
        return free


def is_there(missed: Iterable[Any], n: Expr, table: Mapping[Any, Expr], uses: Uses) -> bool:
    """Has the graph one of these that n missed?"""
    for place in missed:
        made = table.get(place)
        if made is not None and made is not n and uses.count[made]:
            return True
    return False
