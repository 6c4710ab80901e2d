"""The smallest case in which an answer fails: parts are left out as long as it still does.

A case is a graph, or a program with its numbers. A checker says how a case becomes smaller, and
whether an answer fails in it:

    n0 ← n1 ← n2 ← n3, and n1 must come before n2     becomes     n1 ← n2
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

Case = TypeVar("Case")
TRIES = 300  # calls of an answer, at most
DIGITS = 6


def smallest(
    case: Case,
    smaller: Callable[[Case], Iterable[Case]],
    fails: Callable[[Case], bool],
    tries: int = TRIES,
) -> Case:
    """The case after as many cuts as leave it a failure.

    Parameters
    ----------
    case : object
        In which the answer fails.
    smaller : callable
        Gives cases that are a little smaller, until there are none.
    fails : callable
        Whether the answer fails in a case.
    tries : int, default: 300
        How often the answer is called, at most.

    Returns
    -------
    object
        The last case in which it fails.
    """
    while True:
        for other in smaller(case):
            tries -= 1
            if tries < 0:
                return case
            if fails(other):
                case = other
                break
        else:
            return case


def without(links: Mapping[str, Sequence[str]]) -> Iterable[dict[str, list[str]]]:
    """The graph without one of its nodes, for each of them; then without one of its edges."""
    for node in links:
        yield {n: [o for o in row if o != node] for n, row in links.items() if n != node}
    for node, row in links.items():
        for k in range(len(row)):
            yield {**links, node: [*row[:k], *row[k + 1 :]]}  # type: ignore[dict-item]


def rounded(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers with six digits, as a person writes them; what is no number stays."""
    return {
        name: float(f"{number:.{DIGITS}g}") if isinstance(number, float) else number
        for name, number in numbers.items()
    }
