"""The smallest case in which an answer fails: parts are left out as long as it still does.

A case is a graph, or a program with its numbers. A checker says how a case becomes smaller, and
whether an answer fails in it:

    n0 ← n1 ← n2 ← n3, and n1 must come before n2     becomes     n1 ← n2
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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


def smallest_failure(
    cases: Iterable[tuple[Any, bool]],
    smaller: Callable[[Any], Iterable[Any]],
    fails: Callable[[Any], Any],
    tries: int = TRIES,
) -> tuple[Any, bool]:
    """The first random case in which an answer fails, after as many cuts as leave it a failure.

    Parameters
    ----------
    cases : iterable of tuple
        Cases, and whether each is random: of others a message does not say what is right.
    smaller : callable
        Gives cases that are a little smaller, until there are none.
    fails : callable
        Whether the answer fails in a case; it does in one of them. An error is another fault.
    tries : int, default: 300
        How often the answer is called for smaller cases, at most.

    Returns
    -------
    tuple
        The case, and whether it is random. If no random one fails, it is the first of all that
        does, as it is.
    """
    each, is_failure = list(cases), without_errors(fails)
    random_first = sorted(each, key=lambda pair: not pair[1])
    case, fresh = next((pair for pair in random_first if is_failure(pair[0])), each[0])
    return (smallest(case, smaller, is_failure, tries) if fresh else case), fresh


def without_errors(fails: Callable[[Any], Any]) -> Callable[[Any], bool]:
    """A question that is answered by no where it raises an error: that is another fault.

    Parameters
    ----------
    fails : callable
        Whether an answer fails in a case.

    Returns
    -------
    callable
        A function of a case, which raises no error.
    """

    def is_failure(case: Any) -> bool:
        try:
            return bool(fails(case))
        except Exception:  # of the answer, or since the case is none of the task
            return False

    return is_failure


def without(links: Mapping[str, Sequence[str]]) -> Iterable[dict[str, list[str]]]:
    """The graph without one of its nodes, for each of them; then without one of its edges."""
    for node in links:
        yield {n: [o for o in row if o != node] for n, row in links.items() if n != node}
    for node, row in links.items():
        for k in range(len(row)):
            yield {**links, node: [*row[:k], *row[k + 1 :]]}  # type: ignore[dict-item]


def fewer(numbers: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Tuples in which one of the whole numbers is halved, or one less; each stays at least 1."""
    for smaller in (lambda n: n // 2, lambda n: n - 1):
        for k, n in enumerate(numbers):
            if isinstance(n, int) and smaller(n) >= 1:
                yield (*numbers[:k], smaller(n), *numbers[k + 1 :])


Row = tuple[str, str, tuple[str, ...]]  # name, operation, names of its operands


def shorter(tape: Sequence[Row]) -> Iterator[list[Row]]:
    """A row less: the last one, one that nobody uses, or one whose operand takes its place."""
    used = {o for _, _, operands in tape for o in operands}
    for k, (name, op, operands) in reversed([*enumerate(tape)]):
        rest, last = [*tape[:k], *tape[k + 1 :]], k == len(tape) - 1
        if last and rest and rest[-1][1] != "input":
            yield rest
        elif not last and name not in used:
            yield rest
        elif not last and op != "input":
            for o in dict.fromkeys(operands):
                yield [(n, f, tuple(o if i == name else i for i in row)) for n, f, row in rest]


Program = tuple[Sequence[tuple], Sequence[str]]  # lines (name, ..., reads, ...), and the results


def fewer_lines(program: Program) -> Iterator[Program]:
    """A program with a line less.

    What reads the line reads the first of its operands instead. The last line stays a result.
    """
    lines, results = program
    place = next(k for k, part in enumerate(lines[0]) if isinstance(part, tuple))
    for cut in lines:
        rest, other = [line for line in lines if line is not cut], cut[place][0]
        if rest:
            reads = [tuple(other if r == cut[0] else r for r in line[place]) for line in rest]
            less = [(*line[:place], row, *line[place + 1 :]) for line, row in zip(rest, reads)]
            names = [line[0] for line in rest]
            yield less, tuple(n for n in names if n in results or n == names[-1])


def rounded(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers with six digits, as a person writes them; what is no number stays."""
    return {
        name: float(f"{number:.{DIGITS}g}") if isinstance(number, float) else number
        for name, number in numbers.items()
    }
