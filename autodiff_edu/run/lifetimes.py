"""Lifetimes: in whose array a value lives, when it is read for the last time, and what may go then.

A mixin of `Plan`, which has the order.
"""

from collections.abc import Sequence
from typing import Any

from ..expr import Expr, Graph, TupleType, cached_property, computed_by, item
from ..ops import index
from ..ops.index import ALL
from .numpy_function import ours


class Lifetimes:
    """What follows from the order of a plan."""

    graph: Graph
    order: tuple[Expr, ...]
    regions: Sequence[Any]
    joint: dict[Expr, tuple[Expr, ...]]
    into: dict[Expr, Expr]

    # ---- places

    @cached_property
    def places(self) -> dict[Expr, int]:
        """The place of each node in the order."""
        return {n: k for k, n in enumerate(self.order)}

    @cached_property
    def over(self) -> dict[Expr, int]:
        """The place at which the step of a node is over."""
        last = {n: self.places[r.members[-1]] for r in self.regions for n in r.members}
        return self.places | last

    @cached_property
    def escaping(self) -> set[Expr]:
        """The nodes of regions that are needed outside."""
        return {n for r in self.regions for n in (*r.ends, *r.kept)}

    @cached_property
    def local(self) -> set[Expr]:
        """The nodes of regions that have a block each."""
        return {n for r in self.regions for n in r.members} - self.escaping

    @cached_property
    def foreign(self) -> list[Expr]:
        """The operations of users."""
        return [n for n in self.order if not ours(n.op)]

    # ---- arrays

    @cached_property
    def owner(self) -> dict[Expr, Expr]:
        """The node in whose array the value of each node lives."""
        return owners(self.order)

    @cached_property
    def dies(self) -> dict[Expr, int]:
        """For each array, the place of the last operation that reads what is in it."""
        return self.deaths()

    def reads(self, n: Expr) -> Sequence[Expr]:
        """What the step of a node reads: its operands, and those of a node that it swallows.

        Parameters
        ----------
        n : Expr
            A node.

        Returns
        -------
        tuple of Expr
            The nodes.

        Examples
        --------
        >>> x = ad.vector("x", shape=3)
        >>> y = ad.sum(x * ad.exp(x))
        >>> ad.plan(y).after.reads(y)
        (x, exp(x))
        """
        return self.joint.get(n, n.inputs)

    def home(self, n: Expr) -> Expr:
        """The node that made the array in which this value lives.

        Parameters
        ----------
        n : Expr
            A node.

        Returns
        -------
        Expr
            The node that made the array.

        Examples
        --------
        >>> x = ad.vector("x", shape=3)
        >>> y = ad.exp(x)
        >>> ad.plan(y.reshape(3, 1)).after.home(y)
        exp(x)
        """
        return self.owner.get(n, n)

    def deaths(self) -> dict[Expr, int]:
        """For each array, the place in the order of the last operation that reads it.

        Returns
        -------
        dict
            The place by the node that made the array.

        Examples
        --------
        >>> x = ad.vector("x", shape=3)
        >>> y = ad.exp(x)
        >>> ad.plan(y * x).after.deaths()[y]
        2
        """
        owner, local, places, over = self.owner, self.local, self.places, self.over
        dies = {owner.get(i, i): (places if i in local else over)[n]
                for n in self.order for i in self.reads(n)}  # fmt: skip
        held = [i for n in self.foreign for i in (n, *n.inputs)]
        for o in (*self.graph.outputs, *held):
            dies[self.owner.get(o, o)] = len(self.order)
        return dies

    def lent(self, n: Expr) -> bool:
        """May the value's array belong to somebody else, or be one that cannot be written?

        Parameters
        ----------
        n : Expr
            A node.

        Returns
        -------
        bool
            Whether nothing may be written into it.

        Examples
        --------
        >>> x = ad.vector("x", shape=3)
        >>> y = ad.exp(x)
        >>> ad.plan(y * x).after.lent(x), ad.plan(y * x).after.lent(y)
        (True, False)
        """
        while n.op is not None and n.op.view:
            if n.op.overlaps or not ours(n.op):
                return True
            n = n.inputs[0]
        return n.op is None or not ours(n.op)

    @cached_property
    def read_backwards(self) -> dict[Expr, frozenset[int]]:
        """The places of results that are only read from the last row to the first, by operation."""
        users: dict[Expr, list[Expr]] = {n: [] for n in self.order if n.op is item}
        for n in self.order if users else ():
            for i in self.reads(n):
                if i in users:
                    users[i].append(n)
        places: dict[Expr, set[int]] = {}
        for r in users.keys() - set(self.graph.outputs):
            if users[r] and all(is_reversal(n) for n in users[r]):
                n, place = computed_by(r)
                places.setdefault(n, set()).add(place)
        return {n: frozenset(found) for n, found in places.items()}

    @cached_property
    def frees(self) -> dict[int, list[Expr]]:
        """The arrays that may go after the k-th operation, where a later one needs room."""
        places = range(len(self.order))
        last = next((k for k in reversed(places) if self.takes_room(self.order[k])), 0)
        if not last:
            return {}
        owner, never = self.owner, len(places)
        read = {owner.get(i, i): self.over[n] for n in self.order for i in self.reads(n)}
        read |= {owner.get(o, o): never for o in self.graph.outputs}
        found: dict[int, list[Expr]] = {}
        for n in self.order:
            home = owner[n]
            end = read.get(home, never)
            if end < last and n not in self.local and has_room(home):
                found.setdefault(end, []).append(n)
        return found

    def left(self, carried: int) -> list[Expr]:
        """What is still held after the last operation, but for the first outputs.

        Where the same order is run again, room is needed for it again.

        Parameters
        ----------
        carried : int
            How many first outputs do not count.

        Returns
        -------
        list of Expr
            The nodes that made the arrays.
        """
        kept = {self.home(y) for y in self.graph.outputs[:carried]}
        gone = self.local.union(*self.frees.values())
        return [n for n in self.order if n not in gone and has_room(n) and self.home(n) not in kept]

    def takes_room(self, n: Expr) -> bool:
        """Does a node need room for an array, or for what is inside it?

        Parameters
        ----------
        n : Expr
            A node.

        Returns
        -------
        bool
            Whether it does.
        """
        made = has_room(n) or isinstance(n.op.body, Graph)
        return made and not n.op.view and n not in self.into

    @property
    def peak(self) -> int:
        """The largest number of arrays that are alive at once, inputs aside."""
        alive, most = set[Expr](), 0
        ends: dict[int, list[Expr]] = {}
        for k, n in enumerate(self.order):
            if n in self.local:
                continue
            home = self.home(n)
            alive.add(home)
            ends.setdefault(max(k, self.dies[home]), []).append(home)
            most = max(most, len(alive))
            alive.difference_update(ends.pop(k, ()))
        return most


def is_reversal(n: Expr) -> bool:
    """Does it read all rows of its operand, from the last to the first?"""
    first, *others = dict(n.static)["key"] if n.op is index else (None,)
    return first == (None, None, -1) and all(k == ALL for k in others)


def has_room(n: Expr) -> bool:
    """Is its value one array or several, and no number?"""
    return bool(n.type.shape) or isinstance(n.type, TupleType)


def owners(order: tuple[Expr, ...]) -> dict[Expr, Expr]:
    """For each node, the one whose array it lives in: its own, or that of what it views; each of
    several results is an array of its own."""
    owner = {n: n for n in order}
    results: dict[tuple[Expr, int], Expr] = {}
    for n in [n for n in order if n.op.view]:
        if n.op is item:
            owner[n] = results.setdefault(computed_by(n), n)
        else:
            owner[n] = owner.get(n.inputs[0], n.inputs[0])
    return owner
