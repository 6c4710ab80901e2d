"""A plan: in which order a graph is computed, and what passes add to that.

The order is that of the graph, for programs of numbers as it is. Where there are arrays, two passes
of `fast` follow: one joins operations, and one writes results over arrays that die. Without them
a program is slower, and says the same.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any, NamedTuple

from ..expr import Expr, Graph, Stage, as_graph, postorder
from .lifetimes import Lifetimes


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


class Plan(Lifetimes):
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
