"""A plan: in which order a graph is computed, when each value dies, and what may be overwritten."""

from functools import cached_property
from typing import Any

import numpy as np

from ..expr import Expr, Graph, Stage, TupleType, as_graph, computed_by, item, postorder
from ..ops import of_house


class Plan:
    """The order of computation; `into[n]` is the node whose array n may overwrite.

    Parameters
    ----------
    graph : Graph
        What is computed.
    in_place : bool, default: True
        Whether the target of the program can write into arrays.
    """

    def __init__(self, graph: Graph, in_place: bool = True):
        self.graph = graph
        self.order = tuple(n for n in postorder(graph.outputs) if n.op is not None)
        self.owner = owners(self.order)
        self.dies = self.deaths()
        self.into: dict[Expr, Expr] = {}
        for k, n in enumerate(self.order):
            target = self.reusable(k, n) if in_place else None
            if target is not None:
                self.into[n] = target
                self.owner[n] = self.home(target)
                self.dies[self.owner[n]] = self.dies.get(n, k)

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
        """
        while self.owner.get(n, n) is not n:
            n = self.owner[n]
        return n

    def deaths(self) -> dict[Expr, int]:
        """For each array, the place in the order of the last operation that reads it.

        Returns
        -------
        dict
            The place by the node that made the array.
        """
        dies: dict[Expr, int] = {}
        for k, n in enumerate(self.order):
            for i in n.inputs:
                dies[self.owner.get(i, i)] = k
        held = [i for n in self.order if not ours(n) for i in (n, *n.inputs)]
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
        """
        while n.op is not None and n.op.view:
            if n.op.overlaps or not ours(n):
                return True
            n = n.inputs[0]
        return n.op is None or not ours(n)

    def reusable(self, k: int, n: Expr) -> Expr | None:
        """An operand whose array dies here and has the shape and dtype of the result.

        Parameters
        ----------
        k : int
            The place in the order.
        n : Expr
            The node there.

        Returns
        -------
        Expr or None
            The operand, if there is one.
        """
        elementwise = getattr(n.op, "elementwise", False)
        if not (n.ndim and elementwise and isinstance(numpy_function(n), np.ufunc)):
            return None
        for i in n.inputs:
            home = self.home(i)
            same = home.op is not None and home.type is n.type is i.type
            if same and self.dies[home] == k and not i.op.view:
                return i
        return None

    @cached_property
    def frees(self) -> dict[int, list[Expr]]:
        """The arrays that may go after the k-th operation, where a later one needs room."""
        fresh = [k for k, n in enumerate(self.order) if self.takes_room(n)]
        read = {self.home(i): k for k, n in enumerate(self.order) for i in n.inputs}
        read |= dict.fromkeys(map(self.home, self.graph.outputs), len(self.order))
        found: dict[int, list[Expr]] = {}
        for n in self.order:
            home = self.home(n)
            end = read.get(home, len(self.order))
            if (home.ndim or isinstance(home.type, TupleType)) and fresh and end < fresh[-1]:
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
        freed = {n for part in self.frees.values() for n in part}
        return [n for n in self.order if n not in freed and self.home(n) not in kept
                and (n.ndim or isinstance(n.type, TupleType))]  # fmt: skip

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
        made = n.ndim > 0 or isinstance(n.type, TupleType) or isinstance(n.op.body, Graph)
        return made and not n.op.view and n not in self.into

    @property
    def peak(self) -> int:
        """The largest number of arrays that are alive at once, inputs aside."""
        alive, most = set[Expr](), 0
        ends: dict[int, list[Expr]] = {}
        for k, n in enumerate(self.order):
            home = self.home(n)
            alive.add(home)
            ends.setdefault(max(k, self.dies[home]), []).append(home)
            most = max(most, len(alive))
            alive.difference_update(ends.pop(k, ()))
        return most

    def __repr__(self) -> str:
        return f"Plan({len(self.order)} operations, {len(self.into)} in place, {self.peak} arrays)"


def owners(order: tuple[Expr, ...]) -> dict[Expr, Expr]:
    """For each node, the one whose array it lives in: its own, or that of what it views; each of
    several results is an array of its own."""
    owner: dict[Expr, Expr] = {}
    results: dict[tuple[Expr, int], Expr] = {}
    for n in order:
        if n.op is item:
            owner[n] = results.setdefault(computed_by(n), n)
        else:
            viewed = n.inputs[0] if n.op.view else n
            owner[n] = owner.get(viewed, viewed)
    return owner


def numpy_function(n: Expr) -> Any:
    """NumPy's function of the same name, for an operation of this package, or None."""
    stated = n.op is not None and ours(n) and not isinstance(n.op.body, Graph)  # a box has any name
    return getattr(np, n.op.name, None) if stated else None


def ours(n: Expr) -> bool:
    """Is the operation one of this package's? Of a user's nothing is known: its result may be a
    view of any operand, and its name somebody else's."""
    return n.op is item or of_house(n.op.body)


def plan(what: Any) -> Stage:
    """The order, the lifetimes and the reused arrays for computing a graph.

    Parameters
    ----------
    what : Graph, Stage, Expr or list of Expr
        What is computed.

    Returns
    -------
    Stage
        `stage.after` is a Plan.

    See Also
    --------
    generate : The program of a plan.

    Examples
    --------
    >>> x = ad.vector("x", shape=3)
    >>> ad.plan(ad.exp(x) * x)
    Stage(plan: 0 steps)
    """
    graph = as_graph(what)
    return Stage("plan", graph, Plan(graph))
