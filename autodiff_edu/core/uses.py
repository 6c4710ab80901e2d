"""Who uses what, and what a rewrite would cost.

A spreadsheet knows which cells to compute anew, since each cell names those that it reads. So it is
here: whatever a rule asks about is noted in `asked`, and whatever a rewrite changes in `changed`. A
node that is left with one use counts as changed at the end of a round, when its user can be named.

A replacement is made of what the graph has already, as far as it can be. `hash_cons` asks the
rewriter, which holds the graph as it is now, for four things: `uses`; `by_key`, one node of each
kind; `final`, the nodes that others have become; and `leaf`, the one of equal constants.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import chain
from math import prod
from typing import Any

import numpy as np

from .graph import rebuild
from .node import Constant, Expr
from .seams import HOOKS
from .types import TupleType


class Uses:
    """How often each node of a graph is used, by which node if it is only one, and what all costs.

    The user that is named may have other inputs by now; its operation is the same.
    """

    def __init__(self, order: Sequence[Expr], roots: Sequence[Expr]):
        self.count = Counter(chain.from_iterable([n.inputs for n in order]))
        self.count.update(roots)
        self.cost = sum([weight(n) for n in order if n.op is not None])
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

    # ---- what rules ask

    def once(self, n: Expr) -> bool:
        """Is n used only once?"""
        self.asked.add(n)
        return self.count[n] == 1

    def user_op(self, n: Expr) -> Any:
        """The operation of the only user, or None."""
        self.asked.add(n)
        return getattr(self.user.get(n), "op", None)

    def is_stretched(self, n: Expr) -> bool:
        """Is n spread for one operation alone, which stretches its operands anyway?"""
        op = self.user_op(n) if n.op.spreads else None
        return op is not None and bool(op.elementwise)

    # ---- what a rewrite would cost

    def dying(self, n: Expr, new: Expr, fresh: Iterable[Expr]) -> Iterator[Expr]:
        """The operations that nothing needs once n has become new, with these fresh operations."""
        count, dropped = self.count, Counter[Expr]()
        again = Counter([new, *chain.from_iterable([m.inputs for m in fresh])])
        dead = [n]
        for m in dead:  # which grows on the way
            yield m
            for i in m.inputs:
                if i.op is not None:
                    self.asked.add(i)
                    dropped[i] += 1
                    if count[i] + again[i] == dropped[i]:
                        dead.append(i)

    def balance(self, n: Expr, new: Expr, fresh: Sequence[Expr]) -> tuple[int, int]:
        """How many operations more, and how much more they cost."""
        dead = [*self.dying(n, new, fresh)]
        cost = sum(map(weight, fresh)) - sum(map(weight, dead))
        return operations(fresh) - operations(dead), cost

    def fewer(self, n: Expr, new: Expr, fresh: Sequence[Expr]) -> bool:
        """Are there fewer operations, or as many, whatever they cost?"""
        return self.balance(n, new, fresh)[0] <= 0

    def no_worse(self, n: Expr, new: Expr, fresh: Sequence[Expr]) -> bool:
        """Are there no more operations, and do they cost no more?"""
        return max(self.balance(n, new, fresh)) <= 0

    def cheaper(self, n: Expr, new: Expr, fresh: Sequence[Expr]) -> bool:
        """Are there no more operations, do they cost no more, and is one of both less?"""
        balance = self.balance(n, new, fresh)
        return max(balance) <= 0 and min(balance) < 0

    # ---- what a rewrite does

    def move(self, n: Expr, new: Expr) -> None:
        """new stands where n stood; it is the same operation on other inputs."""
        self.count[new], self.user[new] = self.count.pop(n), self.user.get(n)
        self.cost += weight(new) - weight(n)

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
                self.cost += weight(n)
                stack += [(i, 1, n) for i in n.inputs]

    def drop(self, n: Expr) -> None:
        """n is used no more."""
        stack = [n]
        while stack:
            m = stack.pop()
            self.cost -= weight(m)
            for i in m.inputs:
                self.count[i] = uses = self.count[i] - 1
                if uses:
                    (self.single if uses == 1 else self.changed).add(i)
                elif i.op is not None:
                    stack.append(i)


def weight(n: Expr) -> int:
    """The price of one operation, in additions: as it states for numbers; for arrays, the room of
    costs knows."""
    op = n.op
    if op.elementwise and op.cost.__class__ is int and not n.type.shape:
        return op.cost
    return HOOKS["weight"](n)


def operations(nodes: Iterable[Expr]) -> int:
    """How many of them count: not those that are free."""
    return sum([not n.op.free for n in nodes])


# ---- what is made of nodes that the graph has


def key(n: Expr) -> tuple:
    """Equal for nodes that compute the same; x·y is y·x."""
    inputs = n.inputs
    if n.op.commutative and id(inputs[0]) > id(inputs[1]):
        inputs = inputs[::-1]
    return (n.op, inputs, n.static)


def hash_cons(new: Expr, rewriter: Any) -> tuple[Expr, list[Expr]]:
    """The replacement made of nodes that exist, and the operations that do not, inputs first. What
    is constant is computed at once."""
    if new.op is None or new in rewriter.uses.count:
        return new, []
    became: dict[Expr, Expr] = {}
    fresh: dict[tuple, Expr] = {}
    for m in unknown(new, rewriter.uses.count):
        inputs = [became.get(i, i) if i.op is not None else rewriter.leaf(i) for i in m.inputs]
        now = rebuild(m, tuple(inputs))
        own = key(now) if m.op.merges else (now,)
        equal = fresh[own] if own in fresh else lookup(own, rewriter)
        if equal is not None:
            became[m] = equal
        elif (value := number(now)) is not None:
            became[m] = rewriter.leaf(value)
        else:
            became[m] = fresh[own] = now
    return became[new], [*fresh.values()]


def lookup(own: tuple, rewriter: Any) -> Expr | None:
    """The node with this key, as it is by now, if the graph has one that is done."""
    equal = rewriter.by_key.get(own)
    now = rewriter.final.get(equal) if equal is not None else None
    return now if now is not None and rewriter.uses.count[now] else None


def unknown(new: Expr, nodes: Container[Expr]) -> list[Expr]:
    """The operations of the replacement that the graph did not have, inputs first: new and others
    below it."""
    order: dict[Expr, None] = {}
    stack = [new]
    while stack:
        n = stack.pop()
        below = [i for i in n.inputs if i.op is not None and i not in nodes and i not in order]
        if below:  # once more after these
            stack += [n, *below[::-1]]
        else:
            order[n] = None
    return [*order]


def number(n: Expr) -> Constant | None:
    """The value of an operation on constants, but for exact zeros, which only the rules know."""
    plain = all_constant(n.inputs) and not any(i.exact for i in n.inputs)
    return computed(n) if plain else None


def computed(n: Expr) -> Constant | None:
    """The value of an operation on constants, unless it is large or a nan. Where it cannot be
    computed, as the largest of no numbers, the program will say so when it is run."""
    several = isinstance(n.type, TupleType)
    if several or not n.inputs or not n.type.known or n.op.exact_zeros:
        return None
    sizes = [prod(e.type.shape) for e in (n, *n.inputs)]  # type: ignore[arg-type]
    if sizes[0] > max(64, 2 * max(sizes[1:])):
        return None
    try:
        with np.errstate(all="ignore"):
            value = n.op.perform(*[i.value for i in n.inputs], **dict(n.static))
    except Exception:
        return None
    return None if n.type.is_float and np.isnan(value).any() else Constant(value)


def all_constant(inputs: tuple[Expr, ...]) -> bool:
    for i in inputs:
        if not isinstance(i, Constant):
            return False
    return bool(inputs)
