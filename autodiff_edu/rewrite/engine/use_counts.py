"""Who uses what: the one table by which the rewriter knows what a rewrite would cost.

It counts the uses of every node in the graph as it stands after each rewrite, and adds up the cost
of its operations.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from math import inf
from typing import Any

from ...expr import Expr
from ...ops import broadcast_to, weight

# A node, and how often at least and at most it was used when a rule met it
Met = tuple[Expr, float, float]


class Uses:
    """How often each node is used; and by which node, where it is used only once. That one may have
    got other inputs since, but it is the same operation."""

    def __init__(self, order: Sequence[Expr], roots: Sequence[Expr]):
        self.count = Counter(chain.from_iterable([n.inputs for n in order]))
        self.count.update(roots)
        self.user: dict[Expr, Expr | None] = {i: n for n in order for i in n.inputs}
        self.user |= {n: None for n, times in self.count.items() if times > 1}
        self.user |= dict.fromkeys(roots)
        self.opened: dict[Expr, Any] = {}  # the operations of users that may not be the only ones
        self.single: set[Expr] = set()  # nodes of whose users one may be left
        self.covered: dict[Expr, Callable[[Expr], bool]] = {}  # those that are left to their user
        self.met: list[Met] = []  # what readings and rules rested on
        self.kept: dict[Any, tuple[Any, list[Met]]] = {}  # what was read
        self.cost = total_weight(order)

    def find_users(self, order: Sequence[Expr]) -> set[Expr]:
        """Once a round is done: name the only users of those that have got one. Which nodes have
        another one than before?"""
        count, user, covered = self.count, self.user, self.covered
        single = {n for n in self.single if count[n] == 1 and user[n] is None}
        bare = set[Expr]()
        for n in order if single or covered else ():
            for i in n.inputs:
                if i in single:
                    user[i] = n
                if i in covered and not covered[i](n):
                    user[i] = n if count[i] == 1 else None
                    bare.add(i)
                    del covered[i]
        opened, self.opened, self.single = self.opened, {}, set()
        self.kept.clear()
        changed = {n for n, op in opened.items() if count[n] and self.user_op(n) is not op}
        return changed | bare

    def __contains__(self, n: object) -> bool:
        return n in self.count

    def user_op(self, n: Expr) -> Any:
        """The operation of the only user, or None."""
        user = self.user.get(n)
        return None if user is None else user.op

    def is_covered(self, n: Expr, covers: Callable[[Expr], bool]) -> bool:
        """Is n left to its only user, which covers it? Once it does not, n is visited again."""
        user = self.user.get(n)
        if user is None or not covers(user):
            return False
        self.covered[n] = covers
        return True

    def once(self, n: Expr) -> bool:
        return self.count[n] == 1

    def is_stretched(self, n: Expr) -> bool:
        """Is it spread for an operation alone that stretches its operands anyway?"""
        user = self.user_op(n)
        return n.op is broadcast_to and user is not None and bool(user.elementwise)

    def alone(self, n: Expr) -> bool:
        """The same, for a reading that ends at n if it is not so."""
        once: bool = self.count[n] == 1
        self.met.append((n, 1, 1) if once else (n, 2, inf))
        return once

    def until_changed(self, what: Any, reads: Callable[[], Any]) -> Any:
        """What is read, which is kept until a count changes."""
        found = self.kept.get(what)
        if found is not None:
            self.met += found[1]
            return found[0]
        begun = len(self.met)
        value = reads()
        self.kept[what] = value, self.met[begun:]
        return value

    def move(self, n: Expr, new: Expr) -> None:
        """new stands where n stood, and uses what n used."""
        self.count[new] = self.count.pop(n)
        self.user[new] = self.user.get(n)
        if n in self.covered:
            self.covered[new] = self.covered.pop(n)
        op = n.op
        if callable(op.cost) if op.elementwise else types_differ(n, new):
            self.cost += weight(new) - weight(n)  # what it costs depends on its inputs

    def replace(self, n: Expr, new: Expr) -> None:
        """What used n uses new; n is gone, and so is what only n used."""
        self.kept.clear()
        self.hold(new, self.count.pop(n), self.user.get(n))
        self.drop(n)

    def hold(self, n: Expr, times: int, user: Expr | None) -> None:
        """n is used so often more; if it is new, it uses its inputs."""
        counts, users = self.count, self.user
        stack = [(n, times, user)]
        while stack:
            n, times, user = stack.pop()
            before = counts.get(n, 0)
            counts[n] = before + times
            if before:
                if (only := users.get(n)) is not None:
                    self.opened.setdefault(n, only.op)
                users[n] = None
                continue
            users[n] = user
            if n.op is not None:
                self.cost += weight(n)
                for i in n.inputs:
                    stack.append((i, 1, n))

    def drop(self, n: Expr) -> None:
        """n is used no more, nor what only n used."""
        count, single, stack = self.count, self.single, [n]
        while stack:
            gone = stack.pop()
            self.cost -= weight(gone)
            for i in gone.inputs:
                count[i] = left = count[i] - 1
                if left == 1:
                    single.add(i)
                elif not left and i.op is not None:
                    stack.append(i)

    def no_worse(self, n: Expr, new: Expr, fresh: Sequence[Expr], strictly: bool = False) -> bool:
        """When n has become new, with these fresh operations: are there no more operations than
        before, and do they cost no more? Strictly: and one of both less?"""
        nodes = cost = 0
        for m in fresh:
            nodes += not m.op.free
            cost += weight(m)
        for gone in self.dying(n, new, fresh):
            nodes -= not gone.op.free
            cost -= weight(gone)
            if nodes <= 0 and cost <= 0 and (nodes or cost or not strictly):
                return True
        return False

    def fewer(self, n: Expr, new: Expr, fresh: Sequence[Expr]) -> bool:
        """Are there fewer, or as many, whatever they cost?"""
        left = operations(fresh) if len(fresh) > 1 else 0
        return left <= 1 or operations(islice(self.dying(n, new, fresh), left + 1)) >= left

    def cheaper(self, n: Expr, new: Expr, fresh: Sequence[Expr]) -> bool:
        """Are there fewer, or do they cost less?"""
        return self.no_worse(n, new, fresh, strictly=True)

    def freed(self, n: Expr, enough: int) -> int:
        """How many operations could go with n, if nothing new used them? No more are counted."""
        return sum(1 for _ in islice((g for g in self.dying(n, n, ()) if not g.op.free), enough))

    def dying(self, n: Expr, new: Expr, fresh: Sequence[Expr]) -> Iterator[Expr]:
        """The operations that nothing would need any more; at the end, what is in the way of more
        is met."""
        holds = {new: 1}
        for m in fresh:
            for i in m.inputs:
                holds[i] = holds.get(i, 0) + 1
        dropped: dict[Expr, int] = {}
        stack, count = [n], self.count
        while stack:
            gone = stack.pop()
            yield gone
            for i in gone.inputs:
                if i.op is not None:
                    dropped[i] = times = dropped.get(i, 0) + 1
                    if count[i] + holds.get(i, 0) == times:
                        stack.append(i)
        for i, times in dropped.items():
            held = holds.get(i, 0)
            if count[i] + held > times > held:
                self.met.append((i, times - held + 1, inf))


def total_weight(nodes: Iterable[Expr]) -> int:
    return sum([weight(n) for n in nodes if n.op is not None])


def types_differ(n: Expr, new: Expr) -> bool:
    """Has a length of an operand become known?"""
    for i, j in zip(n.inputs, new.inputs, strict=True):
        if i.type is not j.type:
            return True
    return False


def operations(nodes: Iterable[Expr]) -> int:
    """How many of them count."""
    return sum([not n.op.free for n in nodes])
