"""Equal nodes merged: a table with one row for each different node of a tree."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...harness.chart import OPERATORS, chart
from ...harness.check import call, where
from ...harness.checker import checker
from ...harness.failing_tree import Tree, smallest_tree
from ...harness.feedback import Wrong, complain, kind, spell
from ..lecture_03 import VALUES, part


@checker
def check_merged(
    student: Callable[[Tree], Sequence[Any]],
    trees: Sequence[Tree] = (),
    *,
    trials: int = 40,
    seed: int | None = None,
) -> None:
    """student(tree) is a table with one row for each different node of the tree.

    A row is a leaf, or (operation, i, j) with the numbers of two rows above it; the last row is
    the tree.

    Parameters
    ----------
    trees : sequence of tuple, default: ()
        Trees that are tried after the random ones.
    trials : int, default: 40
        How many random trees are tried.
    seed : int, optional
        Of the random trees; by default a fresh one each time.

    Raises
    ------
    Wrong
        If it is not so, with the tree and the row.
    """
    rng, name, sizes = np.random.default_rng(seed), student.__name__, []
    for tree in [*(part(rng, min(k // 8, 4)) for k in range(trials)), *trees]:
        at = where(student, (tree,))
        rows = call(student, (unshared(tree),))
        if not isinstance(rows, (list, tuple)) or not rows:
            complain(name, "a list of rows", spell(rows), at)
        if miswritten(rows, tree):
            tree = smallest_tree(tree, lambda other: is_miswritten(student, other))
            rows, at = call(student, (unshared(tree),)), where(student, (tree,))
            title = f"{name}: your table for the smallest tree that is written wrongly"
            chart_rows(title, rows, tree)
            problem = miswritten(rows, tree)
            raise Wrong(f"{name}: {problem}\n  got       {spell(rows)}\n  at        {at}")
        sizes.append(str(len(rows)))
    rows = call(student, (unshared(SQUARES),))
    chart_rows(f"{name}: your table for x·x + x·x", rows, SQUARES)
    counts = f", then {', '.join(sizes[trials:])} rows" if trees else ""
    print(f"{name}: right for {trials} random trees{counts}")


def unshared(tree: Tree) -> Tree:
    """The same tree, each of its tuples made anew: that two are one object tells nothing."""
    return (tree[0], *map(unshared, tree[1:])) if isinstance(tree, tuple) else tree


def miswritten(rows: Sequence[Any], tree: Tree) -> str:
    """What is wrong with a table of the tree; empty if nothing is."""
    first: dict[Any, int] = {}
    for k, row in enumerate(rows):
        if isinstance(row, tuple):
            above = [isinstance(i, (int, np.integer)) and 0 <= i < k for i in row[1:]]
            if above != [True, True] or row[0] not in list(VALUES):
                return f"row {k} must be a leaf, or (operation, i, j) with i and j above it"
        elif not isinstance(row, (str, int)):
            return f"row {k} must be a leaf or a tuple, and is {kind(row)}"
        if first.setdefault(row, k) < k:
            return f"rows {first[row]} and {k} are equal"
    if written(rows) != tree:
        return "the last row is not this tree"
    used = {i for row in rows if isinstance(row, tuple) for i in row[1:]}
    idle = [k for k in range(len(rows) - 1) if k not in used]
    return f"row {idle[0]} is used by no other" if idle else ""


SQUARES: Tree = ("add", ("multiply", "x", "x"), ("multiply", "x", "x"))


def is_miswritten(student: Callable[[Tree], Sequence[Any]], tree: Tree) -> bool:
    """Is the table of this tree wrong? An error is another fault than the one to be shown."""
    try:
        rows = call(student, (unshared(tree),))
    except Wrong:
        return False
    return isinstance(rows, (list, tuple)) and bool(rows) and bool(miswritten(rows, tree))


def chart_rows(title: str, rows: Sequence[Any], tree: Tree) -> None:
    """Draw a table: a node for each row, with what is wrong with it."""
    links: dict[str, list[str]] = {}
    texts, notes, first = dict[str, str](), dict[str, str](), dict[Any, int]()
    for k, row in enumerate(rows):
        operands = row[1:] if isinstance(row, tuple) else ()
        if any(not isinstance(i, (int, np.integer)) or not 0 <= i < k for i in operands):
            return  # no graph
        links[f"r{k}"] = [f"r{i}" for i in operands]
        texts[f"r{k}"] = OPERATORS.get(row[0], str(row[0])) if operands else str(row)
        if first.setdefault(row, k) < k:
            notes[f"r{k}"] = f"row {k}, equal to row {first[row]}"
    operands_of_all = {i for row in links.values() for i in row}
    notes |= {n: f"row {n[1:]}, used by none" for n in [*links][:-1] if n not in operands_of_all}
    if written(rows) != tree:
        notes[f"r{len(rows) - 1}"] = f"row {len(rows) - 1}, another tree"
    chart(title, links, texts, {n: f"row {n[1:]}" for n in links} | notes, notes)


def written(rows: Sequence[Any]) -> Tree:
    """The tree of the last row."""
    trees: list[Tree] = []
    for row in rows:
        is_leaf = not isinstance(row, tuple)
        trees.append(row if is_leaf else (row[0], *(trees[i] for i in row[1:])))
    return trees[-1]
