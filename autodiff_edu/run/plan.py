"""A plan: in which order a graph is computed, when each array dies, and what passes add to that.

The order is that of the graph. Where there are arrays, two passes of `fast` follow: one joins
operations, and one writes results over arrays that die. Without them a program is slower, and
says the same.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any, NamedTuple

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
from ..ops import index
from ..ops.in_python import ours
from ..ops.index import ALL


class Region(NamedTuple):
    """Operations on large arrays that run block by block, a block being some rows of each.

    Parameters
    ----------
    members : tuple of Expr
        The operations.
    ends : tuple of Expr
        Those that are sums over the rows.
    kept : tuple of Expr
        Those whose whole arrays are needed.
    sliced : tuple of Expr
        The arrays of which each block reads its rows.
    length : int
        That of the first axis.
    rows : int
        How many rows a block has.

    Examples
    --------
    >>> x = ad.vector("x", shape=100_000)
    >>> region, = ad.plan(ad.exp(ad.sin(x))).after.regions
    >>> region.members, region.rows
    ((sin(x), exp(sin(x))), 16384)
    """

    members: tuple[Expr, ...]
    ends: tuple[Expr, ...]
    kept: tuple[Expr, ...]
    sliced: tuple[Expr, ...]
    length: int | None
    rows: int


class Fusion(NamedTuple):
    """What the first pass gives: the steps, those of them that are regions, and each operation that
    has no array of its own, with the one that computes it."""

    steps: tuple[Expr | Region, ...]
    regions: Sequence[Region] = ()
    swallowed: dict[Expr, Expr] = {}


class Reuse(NamedTuple):
    """What the second pass gives: for each result that is written over an array the node of this
    array, and then for each node its array's, and for each array its last reader."""

    into: dict[Expr, Expr]
    owner: dict[Expr, Expr]
    dies: dict[Expr, int]


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
    which its step is over.

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
        steps = tuple([n for n in order if n.op is not None])
        fast = room_for_speed() if in_place and any(n.type.shape for n in steps) else None
        joined = Fusion(steps)
        if fast and fuse and not first:
            joined = fast.fuse(graph, steps)
        self.steps, self.regions, self.swallowed = joined
        self.order: tuple[Expr, ...] = steps
        if self.swallowed or self.regions:
            self.order = tuple([n for step in self.steps for n in nodes_of(step)])
        self.fused = {n: inner for inner, n in self.swallowed.items()}
        self.joint = {n: joint(n, inner) for n, inner in self.fused.items()}
        self.into: dict[Expr, Expr] = {}
        if fast:
            self.into, self.owner, self.dies = fast.reuse(self)

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

    def __repr__(self) -> str:
        return f"Plan({len(self.order)} operations, {len(self.into)} in place, {self.peak} arrays)"


def room_for_speed() -> ModuleType | None:
    """The passes of `fast`, which need not be there."""
    try:
        from . import fast
    except ImportError:
        return None
    return fast


def nodes_of(step: Expr | Region) -> tuple[Expr, ...]:
    """What a step of a plan computes: one node, or the members of a region."""
    return step.members if isinstance(step, Region) else (step,)


def joint(n: Expr, inner: Expr) -> tuple[Expr, ...]:
    """What the step of a node reads that swallows another."""
    return tuple([j for i in n.inputs for j in (i.inputs if i is inner else (i,))])


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
