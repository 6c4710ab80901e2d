"""The smallest call in which an answer is wrong, drawn: arguments, function, results.

Arrays lose entries and numbers lose digits, as long as the answer is wrong:

    pullback(ct=[0.31, -1.7], x=[2.05, 0.4])     becomes     pullback(ct=[-2.0], x=[1.0])
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from .chart import NEAR, brief, chart, contrast
from .counterexample import smallest_failure
from .feedback import by_name, differences

Arguments = Sequence[Any]
TRIES = 40  # calls of an answer, at most


def smallest_call(
    cases: Iterable[tuple[Arguments, bool]], fails: Callable[[Arguments], Any]
) -> tuple[Arguments, bool]:
    """The smallest random arguments for which an answer is wrong, as in `smallest_failure`."""
    with np.errstate(all="ignore"):
        return smallest_failure(cases, smaller, fails, TRIES)


def smaller(args: Arguments) -> Iterator[Arguments]:
    """Arrays without a half of an axis, then without a place of it, then numbers with few digits.

    An axis is cut in all arrays that have one of this length.
    """
    lengths = sorted({n for a in args if is_array(a) for n in a.shape if n > 1}, reverse=True)
    for part in (2, 1):
        for n in lengths:
            size = n // 2 if part == 2 else 1
            for first in range(0, n, size):
                yield [without(a, n, range(first, min(first + size, n))) for a in args]
    for digits in range(3):
        for k, a in enumerate(args):
            simple = rounded(a, digits)
            if simple is not None:
                yield [*args[:k], simple, *args[k + 1 :]]


def is_array(a: Any) -> bool:
    return isinstance(a, np.ndarray) and a.dtype.kind == "f"


def without(a: Any, length: int, places: range) -> Any:
    """An array without these places of each axis of this length; all else as it is."""
    if isinstance(a, np.ndarray):
        for axis in range(a.ndim):
            if a.shape[axis] == length:
                a = np.delete(a, list(places), axis)
    return a


def rounded(a: Any, digits: int) -> Any:
    """The number or the array with so many digits behind the point, or None.

    It is None if nothing changes, a number becomes zero, or two that differ become equal: there
    another question could be asked than at random numbers.
    """
    if not (is_array(a) or isinstance(a, float)):
        return None
    before = np.asarray(a)
    after = np.round(before, digits) + 0.0
    if np.array_equal(before, after) or np.any((after == 0) & (before != 0)):
        return None
    if len(np.unique(np.abs(after))) < len(np.unique(np.abs(before))):
        return None
    return after if is_array(a) else float(after)


# ---- its picture


def chart_call(
    title: str,
    name: str,
    arguments: Sequence[tuple[str, Any]],
    own: Any,
    right: Any,
    tell: bool = True,
    tolerance: tuple[float, float] = NEAR,
) -> None:
    """Draw a call: its arguments, the function, and each result with the right one beside it.

    Parameters
    ----------
    title : str
        What stands above the picture.
    name : str
        The name of the function.
    arguments : sequence of tuple
        The arguments with their names.
    own : object
        The student's result: numbers, or a tuple or dict of such.
    right : object
        The right result. A part can be words that the student's result does not fulfil.
    tell : bool, default: True
        Whether right numbers are written beside wrong ones.
    tolerance : tuple, default: NEAR
        How much may differ, as a part and at least.
    """
    ids = {f"argument {k}": pair for k, pair in enumerate(arguments)}
    links = {"call": list(ids)}
    texts = {"call": name} | {id: argument for id, (argument, _) in ids.items()}
    notes = {id: brief(value) for id, (_, value) in ids.items()}
    wrong = set()
    one, other = parts(own), parts(right)
    for part in dict.fromkeys([*one, *other]):
        node, mine, theirs = part or "call", one.get(part), other.get(part)
        if part:
            links[part] = ["call"]
        notes[node] = brief(mine)
        if isinstance(theirs, str):
            notes[node] += f": {theirs}"
        elif not is_other(theirs, mine, tolerance):
            continue
        elif mine is None or theirs is None:
            notes[node] += ", should not be here" if mine is not None else " here"
        elif tell:
            notes[node] = contrast(mine, theirs)
        wrong.add(node)
    chart(title, links, texts, notes, wrong)


def parts(result: Any) -> dict[str, Any]:
    """The parts of a tuple or a dict by name; a single result has no name."""
    if isinstance(result, (dict, tuple)):
        return {str(key): part for key, part in by_name(result).items()}
    return {} if result is None else {"": result}


def is_other(right: Any, own: Any, tolerance: tuple[float, float]) -> bool:
    return right is None or any(differences(right, own, *tolerance))
