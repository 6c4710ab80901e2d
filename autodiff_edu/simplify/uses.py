"""Who uses what: the one table by which the rewriter knows what a rewrite would cost.

It counts the uses of every node in the graph as it stands after each rewrite, and adds up the cost
of its operations.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..expr import Expr
from .measure import FREE, weight


class Uses:
    """How often each node is used; and by which operation, where it is used only once."""

    def __init__(self, order: Sequence[Expr], roots: Sequence[Expr]):
        self.count: dict[Expr, int] = dict.fromkeys(order, 0)
        self.user: dict[Expr, Any] = {}
        for n in order:
            for i in n.inputs:
                self.count[i] += 1
                self.user[i] = n.op if i not in self.user else None
        for r in roots:
            self.count[r] += 1
            self.user[r] = None
        self.cost = sum([weight(n) for n in order if n.op is not None])

    def __contains__(self, n: Expr) -> bool:
        return n in self.count

    def once(self, n: Expr) -> bool:
        return self.count.get(n) == 1

    def move(self, n: Expr, new: Expr) -> None:
        """new stands where n stood, and uses what n used."""
        self.count[new] = self.count.pop(n, 1)
        self.user[new] = self.user.get(n)

    def add(self, fresh: Sequence[Expr]) -> bool:
        """New operations use their inputs. Has an input that one operation used got another?"""
        changed = False
        for m in fresh:
            self.cost += weight(m)
            for i in m.inputs:
                changed |= self.user.get(i) not in (None, m.op)
                self.count[i] = self.count.get(i, 0) + 1
                self.user[i] = m.op if self.count[i] == 1 else None
        return changed

    def replace(self, n: Expr, new: Expr, final: Mapping[Expr, Expr]) -> None:
        """What used n uses new; n is gone, and so is what only n used."""
        shared = new in final
        self.user[new] = None if shared else self.user.get(n)
        self.count[new] = self.count.get(new, 0) + self.count.pop(n, 1)
        stack = [n]
        while stack:
            gone = stack.pop()
            self.cost -= weight(gone)
            for i in gone.inputs:
                i = final.get(i, i)
                self.count[i] = left = self.count.get(i, 1) - 1
                if not left and i.op is not None:
                    stack.append(i)

    def pays(self, n: Expr, new: Expr, fresh: Sequence[Expr]) -> bool:
        """Are there no more operations after n became new, with these fresh ones, than before?"""
        costly = operations(fresh)
        if costly <= 1:
            return True
        for gone in self.dying(n, new, fresh):
            costly -= gone.op.name not in FREE
            if costly <= 0:
                return True
        return False

    def saves(self, n: Expr, new: Expr, fresh: Sequence[Expr]) -> bool:
        """Are there fewer, or as many that cost less?"""
        gone = list(self.dying(n, new, fresh))
        left, cost = operations(gone), sum(map(weight, gone))
        return (operations(fresh), sum(map(weight, fresh))) < (left, cost)

    def dying(self, n: Expr, new: Expr, fresh: Sequence[Expr]) -> Iterator[Expr]:
        """The operations that nothing would need any more."""
        holds = Counter([new, *[i for m in fresh for i in m.inputs]])
        dropped: Counter[Expr] = Counter()
        stack = [n]
        while stack:
            gone = stack.pop()
            yield gone
            for i in gone.inputs:
                dropped[i] += 1
                if i.op is not None and self.count.get(i, 0) + holds[i] == dropped[i]:
                    stack.append(i)


def operations(nodes: Iterable[Expr]) -> int:
    """How many of them count."""
    return sum([n.op.name not in FREE for n in nodes])
