"""Topological orders: random graphs to try a student's function on, and the check of its answer.

A graph is a dict from each node's name to the list of the names of its inputs.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...harness.chart import chart
from ...harness.check import call
from ...harness.checker import checker
from ...harness.counterexample import smallest, without
from ...harness.feedback import Wrong, kind, spell

Links = dict[str, list[str]]
Sort = Callable[[Links], list[str]]
SMALL: Links = {"y": ["l", "r"], "r": ["x", "x"], "l": ["x"], "x": []}


@checker
def check_order(
    student: Sort, *, trials: int = 60, chain: int = 100_000, seed: int | None = None
) -> None:
    """student(graph) lists every node once, inputs before what uses them.

    Tried on growing random graphs, each in a shuffled order, then on a chain so long that
    only a loop of linear cost comes through.

    Parameters
    ----------
    chain : int, default: 100000
        The length of the chain.
    """
    rng = np.random.default_rng(seed)
    for k in range(trials):
        graph = random_graph(rng, 1 + k // 4)
        if fault(graph, listed(student, graph)):
            graph = smallest(graph, without, lambda other: fails(student, other))
            draw(student, "the smallest graph that is ordered wrongly", graph)
            judge(student, graph, f"graph = {spell(graph)}")
    judge(student, long_chain(chain), f"a chain of {chain} nodes, given from its end", depth=200)
    draw(student, "your order of a small graph", SMALL)
    print(f"{student.__name__}: right on {trials} random graphs and on a chain of {chain} nodes")


def judge(student: Sort, graph: Links, at: str, **limits: Any) -> None:
    problem = fault(graph, listed(student, graph, **limits))
    if problem:
        raise Wrong(f"{student.__name__}: {problem}\n  at        {at}")


def listed(student: Sort, graph: Links, **limits: Any) -> Any:
    return call(student, ({n: list(i) for n, i in graph.items()},), **limits)


def fails(student: Sort, graph: Links) -> bool:
    """Is the order of this graph wrong? An error is another fault than the one to be shown."""
    try:
        return bool(fault(graph, listed(student, graph)))
    except Wrong:
        return False


def draw(student: Sort, title: str, graph: Links) -> None:
    """Chart a graph, with the place of each node in the student's order."""
    got = listed(student, graph)
    place = {n: k for k, n in enumerate(got, 1)} if isinstance(got, (list, tuple)) else {}
    notes = {n: f"place {place[n]}" if n in place else "nowhere" for n in graph}
    late = [n for n, row in graph.items() if any(place.get(i, 0) > place.get(n, 0) for i in row)]
    wrong = [*late, *(n for n in graph if n not in place)]
    chart(f"{student.__name__}: {title}", graph, notes=notes, wrong=wrong)


def fault(graph: Links, got: Any) -> str:
    """Why a list is not a topological order of the graph; empty if it is one."""
    if not isinstance(got, (list, tuple)):
        return f"the result must be a list, and is {kind(got)}"
    place = {n: k for k, n in enumerate(got)}
    missing = [n for n in graph if n not in place]
    if missing or len(got) != len(graph):
        return (
            f"each of the {len(graph)} nodes must be there once: of {len(got)} entries "
            f"{len(place)} are different, and there is no {spell(missing[:5])}"
        )
    late = ((i, n) for n, inputs in graph.items() for i in inputs if place[i] > place[n])
    return next((f"{i} must come before {n}, which uses it: {spell(got)}" for i, n in late), "")


def random_graph(rng: np.random.Generator, size: int) -> Links:
    """A random acyclic graph: names and order tell nothing, and an input may occur twice.

    Parameters
    ----------
    rng : Generator
        Where the numbers come from.
    size : int
        How many nodes.

    Returns
    -------
    dict
        The names of what each node uses, by name.
    """
    names = [f"n{k}" for k in rng.permutation(size)]
    links = {
        name: [names[i] for i in rng.integers(0, k, rng.integers(0, 4))] if k else []
        for k, name in enumerate(names)
    }
    return {names[k]: links[names[k]] for k in rng.permutation(size)}


def long_chain(length: int) -> Links:
    """n0 ← n1 ← n2 …, the last one first."""
    return {f"n{k}": [f"n{k - 1}"] if k else [] for k in reversed(range(length))}
