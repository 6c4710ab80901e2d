"""A plan: in which order a graph is computed, when each value dies, and what may be overwritten."""

from collections.abc import Sequence
from typing import Any

from ..expr import (
    Expr,
    Graph,
    Stage,
    TupleType,
    as_graph,
    cached_property,
    computed_by,
    item,
    postorder,
)
from ..ops import embed, index, sum
from ..ops.index import ALL
from .fused import accumulated, swallowed
from .numpy_function import is_ufunc, ours
from .regions import Region, arranged, nodes_of, regions


class Plan:
    """The steps of a computation; `into[n]` is the node whose array n may overwrite.

    A step is a node, or a `Region` of nodes that run block by block; `order` lists the nodes
    of all steps. `owner[n]` is the node in whose array the value of n lives, and `dies[n]` the
    place in the order of the last operation that reads that array. A node in `swallowed` has no
    array: it is computed together with its one user, as a dot product or as a slice that is
    added in place; `fused` is the same the other way round, and `joint` tells what those read that
    swallow others. `foreign` are the operations of users.

    Of the nodes of regions, those in `escaping` are needed outside, and those in `local` have
    a block each. `places[n]` is the place of a node in the order, and `over[n]` the place at
    which its step is over; `read_by_region` tells which arrays a region reads until when.

    Parameters
    ----------
    graph : Graph
        What is computed.
    in_place : bool, default: True
        Whether the target of the program can write into arrays.
    first : list of Expr, default: ()
        What is to be computed before all else.
    fuse : bool, default: True
        Whether operations may be joined: as regions, dot products and slices added in place.

    Examples
    --------
    >>> x = ad.vector("x", shape=3)
    >>> plan = ad.plan(ad.exp(x) * x).after
    >>> plan.order, plan.into
    ((exp(x), exp(x) * x), {exp(x) * x: exp(x)})
    """

    def __init__(
        self,
        graph: Graph,
        in_place: bool = True,
        first: Sequence[Expr] = (),
        fuse: bool = True,
    ):
        self.graph, self.in_place = graph, in_place
        order = postorder([*first, *graph.outputs]) if first else graph.order
        nodes = [n for n in order if n.op is not None]
        arrays = any(n.type.shape for n in nodes)  # else nothing is joined or written over
        fuse = fuse and in_place and arrays and not first
        self.swallowed = swallowed(nodes, graph.outputs) if fuse else {}
        self.fused = {n: inner for inner, n in self.swallowed.items()}
        self.joint = {n: joint(n, inner) for n, inner in self.fused.items()}
        nodes = [n for n in nodes if n not in self.swallowed]
        self.foreign = [n for n in nodes if not ours(n.op)]
        self.regions = self._regions(nodes) if fuse else []
        self.steps: tuple[Expr | Region, ...] = tuple(nodes)
        self.order = tuple(nodes)
        if self.regions:
            self.steps = tuple(arranged(nodes, graph.outputs, self.reads, self.regions))
            self.order = tuple([n for step in self.steps for n in nodes_of(step)])
        self.places = {n: k for k, n in enumerate(self.order)}
        last = {n: self.places[r.members[-1]] for r in self.regions for n in r.members}
        self.over = self.places | last
        self.escaping = {n for r in self.regions for n in (*r.ends, *r.kept)}
        self.local = {n for r in self.regions for n in r.members} - self.escaping
        self.owner = owners(self.order)
        self.read_by_region = read_by_regions(self)
        self.into: dict[Expr, Expr] = {}
        if in_place and arrays:
            self._overwrite()

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
        if n in self.fused and n.op not in (sum, embed):
            return accumulated(n, self.fused[n])
        if not n.ndim or not is_ufunc(n.op):
            return None
        if n in self.escaping:
            return self._given_up(n)
        for i in n.inputs:
            made = i.op is not None and not i.op.view
            if made and i.type is n.type and self.dies[self.home(i)] == k:
                return i
        return None

    def _overwrite(self) -> None:
        """Choose the arrays over which results are written."""
        owner, dies = self.owner, self.dies
        for k, n in enumerate(self.order):
            target = self.reusable(k, n)
            if target is not None:
                self.into[n] = target
                owner[n] = self.home(target)
                dies[owner[n]] = dies.get(n, k)
            elif n.op.view:  # what it views may have been written over another array
                owner[n] = self.home(owner[n])

    def _regions(self, nodes: Sequence[Expr]) -> list[Region]:
        """Operations on large arrays that are joined."""
        alone = {n for n in self.fused if n.op is not sum or n.ndim}
        alone |= {*self.foreign}
        return regions(nodes, self.graph.outputs, self.reads, alone)

    def _given_up(self, n: Expr) -> Expr | None:
        """For a result that is written block by block: an array that its region reads the same
        way, for the last time before that."""
        for home, (operands, last) in self.read_by_region[n].items():
            i, *others = operands
            same = home.op is not None and home.type is n.type is i.type
            dying = self.dies[self.home(home)] == self.over[n]  # if none was written over it yet
            before = last <= self.places[n] and dying
            if same and not others and not i.op.view and before:
                return i
        return None

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

    def __repr__(self) -> str:
        return f"Plan({len(self.order)} operations, {len(self.into)} in place, {self.peak} arrays)"


def read_by_regions(plan: Plan) -> dict[Expr, dict[Expr, tuple[set[Expr], int]]]:
    """For each node of a region that is kept: by array that dies in the region, through which
    operands it is read there, and the place in the order of the last operation that does."""
    found = {}
    for r in plan.regions:
        read: dict[Expr, tuple[set[Expr], int]] = {}
        members = set(r.members)
        for n in r.members:
            for i in (i for i in plan.reads(n) if i not in members):
                home = plan.owner.get(i, i)
                read[home] = read.get(home, (set(), 0))[0] | {i}, plan.places[n]
        end = plan.over[r.members[-1]]
        dying = {home: how for home, how in read.items() if home.op and plan.dies[home] == end}
        found.update(dict.fromkeys(r.kept, dying))
    return found


def is_reversal(n: Expr) -> bool:
    """Does it read all rows of its operand, from the last to the first?"""
    first, *others = dict(n.static)["key"] if n.op is index else (None,)
    return first == (None, None, -1) and all(k == ALL for k in others)


def has_room(n: Expr) -> bool:
    """Is its value one array or several, and no number?"""
    return bool(n.type.shape) or isinstance(n.type, TupleType)


def joint(n: Expr, inner: Expr) -> tuple[Expr, ...]:
    """What the step of a node reads that swallows another."""
    return tuple([j for i in n.inputs for j in (i.inputs if i is inner else (i,))])


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


class Planned(Stage):
    """A stage whose result is a plan."""

    after: Plan


def plan(what: Any) -> Planned:
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
    >>> ad.plan(ad.exp(x) * x).after
    Plan(2 operations, 1 in place, 1 arrays)
    """
    graph = as_graph(what)
    return Planned("plan", graph, Plan(graph))
