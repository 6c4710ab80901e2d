"""Who uses what, and what a rewrite would cost.

A spreadsheet knows which cells to compute anew, since each cell names those that it reads. So it is
here: whatever a rule asks about is noted in `asked`, and whatever a rewrite changes in `changed`. A
node that is left with one use counts as changed at the end of a round, when its user can be named.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from ...core.node import Expr
from ...core.seams import HOOKS


class Uses:
    """How often each node of a graph is used, by which node if it is only one, and what all costs.

    The user that is named may have other inputs by now; its operation is the same.
    """

    def __init__(self, order: Sequence[Expr], roots: Sequence[Expr]):
        self.count = Counter(chain.from_iterable([n.inputs for n in order]))
        self.count.update(roots)
        self.weight: Callable[[Expr], int] = HOOKS["weight"]
        self.cost = sum([self.weight(n) for n in order if n.op is not None])
        self.asked: set[Any] = set()
        self.changed: set[Expr] = set()
        self.single: set[Expr] = set()  # one use is left, of a user that is still to be named
        self.name_users(order, roots)

    def name_users(self, order: Iterable[Expr], roots: Iterable[Expr]) -> set[Expr]:
        """Name the only user of each node that has but one. Of which nodes was it not known?"""
        single, self.single = self.single, set()
        self.user: dict[Expr, Expr | None] = {i: n for n in order for i in n.inputs}
        self.user |= {n: None for n, times in self.count.items() if times > 1}
        self.user |= dict.fromkeys(roots)
        return single

    def __contains__(self, n: object) -> bool:
        return n in self.count

    # ---- what rules ask

    def once(self, n: Expr) -> bool:
        """Is n used only once?"""
        self.asked.add(n)
        return self.count[n] == 1

    def user_op(self, n: Expr) -> Any:
        """The operation of the only user, or None."""
        self.asked.add(n)
        return getattr(self.user.get(n), "op", None)

    def is_covered(self, n: Expr, covers: Callable[[Expr], bool]) -> bool:
        """Has n one user alone, which covers it?"""
        user = self.user.get(n)
        self.asked |= {n, user}
        return user is not None and covers(user)

    def is_stretched(self, n: Expr) -> bool:
        """Is n spread for one operation alone, which stretches its operands anyway?"""
        op = self.user_op(n) if n.op.spreads else None
        return op is not None and bool(op.elementwise)

    # ---- what a rewrite would cost

    def dying(self, n: Expr, new: Expr, fresh: Iterable[Expr]) -> Iterator[Expr]:
        """The operations that nothing needs once n has become new, with these fresh operations."""
        count, dropped = self.count, Counter[Expr]()
        held = Counter([new, *chain.from_iterable([m.inputs for m in fresh])])
        dead = [n]
        for gone in dead:  # which grows on the way
            yield gone
            for i in gone.inputs:
                if i.op is not None:
                    self.asked.add(i)
                    dropped[i] += 1
                    if count[i] + held[i] == dropped[i]:
                        dead.append(i)

    def freed(self, n: Expr, enough: int) -> int:
        """How many operations could go with n? No more are counted than are enough."""
        counted = (gone for gone in self.dying(n, n, ()) if not gone.op.free)
        return sum(1 for _ in islice(counted, enough))

    def balance(self, n: Expr, new: Expr, fresh: Sequence[Expr]) -> tuple[int, int]:
        """How many operations more, and how much more they cost."""
        dead = [*self.dying(n, new, fresh)]
        cost = sum(map(self.weight, fresh)) - sum(map(self.weight, dead))
        return operations(fresh) - operations(dead), cost

    def fewer(self, n: Expr, new: Expr, fresh: Sequence[Expr]) -> bool:
        """Are there fewer operations, or as many, whatever they cost?"""
        return self.balance(n, new, fresh)[0] <= 0

    def no_worse(self, n: Expr, new: Expr, fresh: Sequence[Expr]) -> bool:
        """Are there no more operations, and do they cost no more?"""
        return max(self.balance(n, new, fresh)) <= 0

    def cheaper(self, n: Expr, new: Expr, fresh: Sequence[Expr]) -> bool:
        """The same, with one of both less?"""
        balance = self.balance(n, new, fresh)
        return max(balance) <= 0 and min(balance) < 0

    # ---- what a rewrite does

    def move(self, n: Expr, new: Expr) -> None:
        """new stands where n stood; it is the same operation on other inputs."""
        self.count[new], self.user[new] = self.count.pop(n), self.user.get(n)
        self.cost += self.weight(new) - self.weight(n)

    def replace(self, n: Expr, new: Expr) -> None:
        """new takes the place of n. Nothing uses n any more, nor what only n used."""
        self.hold(new, self.count.pop(n), self.user.get(n))
        self.drop(n)

    def hold(self, n: Expr, times: int, user: Expr | None) -> None:
        """n is used so often more; if it is new, it uses its inputs."""
        stack = [(n, times, user)]
        while stack:
            n, times, user = stack.pop()
            before = self.count.get(n, 0)
            self.count[n] = before + times
            self.user[n] = None if before else user
            if before:
                self.changed.add(n)
            elif n.op is not None:
                self.cost += self.weight(n)
                stack += [(i, 1, n) for i in n.inputs]

    def drop(self, n: Expr) -> None:
        """n is used no more."""
        stack = [n]
        while stack:
            gone = stack.pop()
            self.cost -= self.weight(gone)
            for i in gone.inputs:
                self.count[i] = uses = self.count[i] - 1
                if uses:
                    (self.single if uses == 1 else self.changed).add(i)
                elif i.op is not None:
                    stack.append(i)


def operations(nodes: Iterable[Expr]) -> int:
    """How many of them count: not those that are free."""
    return sum([not n.op.free for n in nodes])
