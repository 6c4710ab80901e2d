"""Orders and rounds: each operation after those that it uses, and as early as possible.

Operations are given as a dict from each name to the names that it uses; a name that is no key
is an input.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...harness.check import call, where
from ...harness.checker import checker
from ...harness.counterexample import smallest, without
from ...harness.feedback import Wrong, complain, spell
from ...harness.sketch import sketch
from .lecture_05_topological_order import Links, random_graph


@checker
def check_sequence(student: Callable[[], Sequence[str]], uses: Links) -> None:
    """student() is any list of all operations in which each comes after those that it uses.

    Parameters
    ----------
    uses : dict
        The names that each operation uses.

    Raises
    ------
    Wrong
        If it is not so, with where.
    """
    order, name = call(student, ()), student.__name__
    if not are_names(order):
        complain(name, "a list of names", spell(order))
    problem, at = fault(uses, [[n] for n in order])
    if problem:
        raise Wrong(f"{name}: {problem}\n  got       {spell(order)}\n  at        {at}")
    print(f"{name}: each of the {len(order)} operations comes after those that it uses")


@checker
def check_rounds(
    student: Callable[[Links], Sequence[Sequence[str]]],
    *,
    trials: int = 40,
    seed: int | None = None,
) -> None:
    """student(uses) puts all operations into as few rounds as possible.

    What an operation uses is an input, or in a round before its own.

    Parameters
    ----------
    trials : int, default: 40
        How many random graphs are tried.
    seed : int, optional
        Of the random graphs; by default a fresh one each time.

    Raises
    ------
    Wrong
        If it is not so, with where.
    """
    rng, name = np.random.default_rng(seed), student.__name__
    for k in range(trials):
        graph = random_graph(rng, 2 + k // 3)
        uses = {n: operands for n, operands in graph.items() if operands}
        if is_wrong(uses, called(student, uses)):
            uses = smallest(uses, without, lambda other: fails(student, other))
            draw(student, "the smallest graph whose rounds are wrong", uses)
        at, got = where(student, (uses,)), called(student, uses)
        if not isinstance(got, (list, tuple)) or not all(map(are_names, got)):
            complain(name, "a list of rounds, each a list of names", spell(got), at)
        problem, place = fault(uses, got)
        if problem:
            raise Wrong(f"{name}: {problem}: {place}\n  got       {spell(got)}\n  at        {at}")
        if len(got) > longest(uses):
            needed = f"no more than {longest(uses)}"
            complain(f"{name}: fewer rounds are enough", needed, spell(got), at)
    draw(student, "your rounds of a small graph", SMALL)
    print(f"{name}: as few rounds as possible for {trials} random graphs")


SMALL: Links = {"y": ["v", "w"], "v": ["x"], "w": ["x", "v"], "u": ["x"]}
Rounds = Callable[[Links], Sequence[Sequence[str]]]


def called(student: Rounds, uses: Links) -> Any:
    return call(student, ({n: list(operands) for n, operands in uses.items()},))


def is_wrong(uses: Links, got: Any) -> bool:
    if not isinstance(got, (list, tuple)) or not all(map(are_names, got)):
        return True
    return bool(fault(uses, got)[0]) or len(got) > longest(uses)


def fails(student: Rounds, uses: Links) -> bool:
    """Are the rounds wrong? An error is another fault than the one that is to be shown."""
    try:
        return bool(uses) and all(uses.values()) and is_wrong(uses, called(student, uses))
    except Wrong:
        return False


def draw(student: Rounds, title: str, uses: Links) -> None:
    """Sketch a graph, with the round of each operation."""
    got = called(student, uses)
    rounds = got if isinstance(got, (list, tuple)) and all(map(are_names, got)) else []
    when = {n: k for k, names in enumerate(rounds, 1) for n in names}
    notes = {n: f"round {when[n]}" if n in when else "in no round" for n in uses}
    early = [
        n
        for n, row in uses.items()
        if any(when.get(o, 0) >= when.get(n, 0) for o in row if o in uses)
    ]
    sketch(f"{student.__name__}: {title}", uses, notes=notes, wrong=early)


def are_names(found: Any) -> bool:
    return isinstance(found, (list, tuple)) and all(isinstance(n, str) for n in found)


FEW = 3  # missing operations that are named


def fault(uses: Links, rounds: Sequence[Sequence[str]]) -> tuple[str, str]:
    """What is wrong with the rounds, and where; both are empty if nothing is."""
    when = {n: k for k, names in enumerate(rounds) for n in names}
    if strange := [n for n in when if n not in uses]:
        return "this is no operation", strange[0]
    if missing := [n for n in uses if n not in when]:
        return f"{len(missing)} of {len(uses)} operations are missing", ", ".join(missing[:FEW])
    if sum(map(len, rounds)) > len(when):
        return "an operation is there more than once", f"{len(when)} are different"
    pairs = [(n, o) for n, operands in uses.items() for o in operands if o in uses]
    early = [f"{n}, which uses {o}" for n, o in pairs if when[o] >= when[n]]
    return ("an operation comes too early", early[0]) if early else ("", "")


def longest(uses: Links) -> int:
    """The operations on the longest way: so many rounds are needed, and are enough."""
    depth: dict[str, int] = {}

    def of(n: str) -> int:
        if n in uses and n not in depth:
            depth[n] = 1 + max(map(of, uses[n]))
        return depth.get(n, 0)

    return max(map(of, uses), default=0)
