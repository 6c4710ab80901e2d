"""The tree of the conditions of a function: each way from its root to a leaf is a path."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Union

from .decisions import Guard
from .paths import Path


class Question(NamedTuple):
    """A condition, and what follows each answer; or several in a row that all paths answer alike.

    Parameters
    ----------
    guards : tuple of Guard
        What was asked: one where there are several ways, else all up to the next fork.
    ways : dict
        By the answer to the last: the next question or the path.
    """

    guards: tuple[Guard, ...]
    ways: dict[Any, Union["Question", Path]]


Tree = Question | Path


class OfOneType(NamedTuple):
    """The paths for arguments of the same types: these in words, and the tree of the conditions."""

    arguments: str
    paths: tuple[Path, ...]
    tree: Tree


def decision_tree(paths: Sequence[Path]) -> Tree:
    """The tree of paths for arguments of the same types."""
    top: dict[Any, Tree] = {}
    waiting: list[tuple[dict[Any, Tree], Any, Sequence[Path], int]] = [(top, None, paths, 0)]
    while waiting:
        ways, answer, group, k = waiting.pop()
        guards = group[0].guards
        if k == len(guards):
            ways[answer] = group[0]
            continue
        end = max(next_fork(group, k), k + 1)
        groups = by_answer(group, end - 1)
        question = Question(guards[k:end], dict.fromkeys(groups))  # type: ignore[arg-type]
        ways[answer] = question  # whose ways are found below, and keep this order
        waiting += [(question.ways, a, some, end) for a, some in groups.items()]
    return top[None]


def next_fork(group: Sequence[Path], k: int) -> int:
    """The place of the first guard from the k-th on that these paths answer in several ways; the
    number of guards where there is none."""
    n = len(group[0].guards)
    if len(group) == 1:
        return n
    return next((j for j in range(k, n) if len({p.answers[j] for p in group}) > 1), n)


def by_answer(group: Sequence[Path], k: int) -> dict[Any, Sequence[Path]]:
    """Yes before no, small numbers before large ones."""
    found: dict[Any, Any] = {}
    for path in sorted(group, key=lambda p: order(p.answers[k])):
        found.setdefault(path.answers[k], []).append(path)
    return found


def order(answer: Any) -> Any:
    if isinstance(answer, tuple):
        return tuple([order(a) for a in answer])
    return -answer if isinstance(answer, bool) else answer


def questions(tree: Tree) -> Iterator[Question]:
    """Every question of a tree, those above before those below."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Question):
            yield node
            waiting += reversed(node.ways.values())
