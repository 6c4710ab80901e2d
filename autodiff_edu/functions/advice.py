"""What the paths of a function tell about how else it could be written: `where`, `cond`, `scan`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from ..expr.text import SHORT
from .decision_tree import Question, Tree, questions
from .decisions import Guard
from .paths import Path

LONG = 50  # times that one line asks: a loop that is long when it is unrolled

# ---- branches


def one_formula(tree: Tree) -> Iterator[str]:
    """The yes/no questions after which both sides go on alike and give results of one type."""
    alike: dict[Any, int] = {}  # what follows, as a number: equal for what is equal
    number: dict[int, int] = {}  # of a question or a path, by its identity
    found: list[Guard] = []
    for node in reversed([*questions(tree)]):
        follows = [(a, number_of(way, alike, number)) for a, way in node.ways.items()]
        numbers = {n for _, n in follows}
        if is_branch(node) and len(numbers) == 1:
            found.append(node.guards[0])
            number[id(node)] = numbers.pop()
            continue
        rest = tuple(follows)
        for k in reversed(range(len(node.guards))):
            number[id(node)] = number_in(alike, (node.guards[k].place, rest))
            rest = ((node.guards[k - 1].answer, number[id(node)]),)
    lines: dict[str, Guard] = {}
    for g in reversed(found):
        lines.setdefault(str(g.place), g)
    yield from map(as_where, lines.values())


def is_branch(node: Question) -> bool:
    """Were both answers met to a question whose answer is yes or no?"""
    return len(node.ways) == 2 and all(isinstance(a, bool) for a in node.ways)


def number_of(node: Tree, alike: dict[Any, int], number: dict[int, int]) -> int:
    if isinstance(node, Question):
        return number[id(node)]
    return number_in(alike, tuple([y.type for y in node.returned]))


def number_in(table: dict[Any, int], key: Any) -> int:
    return table.setdefault(key, len(table))


def as_where(g: Guard) -> str:
    condition = str(g.condition) if len(str(g.condition)) <= SHORT else "condition"
    return (
        f"{g.place or g.condition} chooses between results of one type: "
        f"ad.where({condition}, a, b) makes one path of both and computes both sides; "
        f"ad.cond({condition}, a, b) computes only the one that is taken"
    )


# ---- loops


def loops(paths: Sequence[Path]) -> Iterator[str]:
    """Paths that differ only in how often one line asked."""
    groups: dict[Any, list[list[int]]] = {}
    for path in paths:
        runs = path.runs()
        keys = tuple([(run[0].place, run[0].answer) for run in runs])
        groups.setdefault(keys, []).append(list(map(len, runs)))
    for keys, counts in groups.items():
        differing = [k for k, column in enumerate(zip(*counts)) if len(set(column)) > 1]
        if len(differing) == 1:
            often = [row[differing[0]] for row in counts]
            yield as_scan(keys[differing[0]][0], len(counts), min(often), max(often))


def as_scan(place: Any, n: int, least: int, most: int) -> str:
    return (
        f"{n} paths differ only in how often {place} has the same answer in a row, {least} to "
        f"{most:,} times: ad.scan makes one path of them, if its step ends in ad.until(condition)"
    )


def unrolled(paths: Iterable[Path]) -> Iterator[str]:
    """The path on which one line asked most often, where that is many times."""
    often = [(n, place, path) for path in paths
             for place, n in Counter([g.place for g in path.guards]).most_common(1)]  # fmt: skip
    n, place, path = max(often, key=itemgetter(0), default=(0, None, None))
    if path and n >= LONG:
        yield (
            f"{place} asked {n:,} times on one path: the loop is unrolled, into a program of "
            f"{len(path.graph.operations):,} operations; ad.scan keeps one step"
        )


def advice(paths: Sequence[Path], tree: Tree) -> list[str]:
    """All that can be said of the paths for arguments of the same types."""
    return [*one_formula(tree), *loops(paths), *unrolled(paths)]
