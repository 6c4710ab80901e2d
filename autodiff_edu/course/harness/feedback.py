"""What a checker says: what is wrong, what it got, and at which input.

A message says `expected` only where a function is compared at a random input: what is right there
helps to find the error, and gives no answer away. `needed` repeats what the task asks for. Where an
input is fixed, or the answer is one number, set or word, the kind of error is all that is said.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

import numpy as np

from ...expr.text import PLACE

LONGEST = 400  # characters of a value that are still read


class Wrong(AssertionError):
    """An answer is not right. A notebook shows the message, without a traceback through us."""

    def __init__(self, *said: Any):
        # by no function of the engine, which a watch over an answer would refuse
        super().__init__(*[PLACE.sub("", str(words)) for words in said])

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]

    def rephrase(self, words: str) -> "Wrong":
        """The same in other words: an answer that was stopped stays one."""
        return (Stopped if isinstance(self, Stopped) else Wrong)(words)


class Unsolved(Wrong):
    """A task that nobody has begun."""


class Stopped(Wrong):
    """An answer that did not come to its end: its time or its steps were over, or it waited."""


class Ended(Wrong):
    """An answer that ended the process in which it ran."""


def complain(what: str, needed: Any, got: Any, at: str = "") -> NoReturn:
    """Raise Wrong: what is wrong, what the task asks for, what there is, and where."""
    lines = [what, f"  needed    {needed}", f"  got       {got}"]
    raise Wrong("\n".join(lines + [f"  at        {at}"] * bool(at)))


def expect(
    wanted: Any,
    got: Any,
    at: str = "",
    rtol: float = 1e-9,
    atol: float = 1e-12,
    tell: bool = True,
) -> None:
    """Raise Wrong unless `got` is `wanted`: a number, an array, or a tuple or dict of such.

    Shapes must agree, nan equals nan, and numbers may differ by atol + rtol·|wanted|.

    Parameters
    ----------
    wanted : object
        What is right: a number, an array, or a tuple or dict of such.
    got : object
        What the student gave.
    at : object, default: ''
        Where; in a message, in words.
    rtol : float, default: 1e-09
        What may differ, as a part.
    atol : float, default: 1e-12
        What may differ at least.
    tell : bool, default: True
        Whether to say what is right: not where that would give an answer away.

    Raises
    ------
    Wrong
        If it is not so, with where and, if told, with what is right.
    """
    for problem, w, g in differences(wanted, got, rtol, atol):
        lines = [problem, *[f"  expected  {spell(w)}"] * tell, f"  got       {spell(g)}"]
        raise Wrong("\n".join(lines + [f"  at        {at}"] * bool(at)))


Difference = tuple[str, Any, Any]  # what is wrong, in words; the part expected; the part found


def differences(wanted: Any, got: Any, rtol: float, atol: float) -> Iterator[Difference]:
    """Every part that is wrong, in order."""
    if isinstance(wanted, (Mapping, tuple)):
        yield from of_parts(wanted, got, rtol, atol)
        return
    want, found = np.asarray(wanted, dtype=float), numbers(got)
    if found is None:
        yield f"the result must consist of numbers, and is {kind(got)}", wanted, got
    elif found.shape != want.shape:
        yield f"the shape must be {want.shape}, not {found.shape}", wanted, got
    elif (wrong := ~np.isclose(found, want, rtol, atol, equal_nan=True)).any():
        place = [int(i) for i in np.argwhere(wrong)[0]]
        yield f"the value at {place} differs" if place else "the value differs", wanted, got


def of_parts(wanted: Any, got: Any, rtol: float, atol: float) -> Iterator[Difference]:
    """Of two dicts, or of two tuples."""
    want, found = by_name(wanted), by_name(got)
    if found is None or isinstance(wanted, Mapping) != isinstance(got, Mapping):
        yield f"the result must be {kind(wanted)}, and is {kind(got)}", wanted, got
    elif want.keys() != found.keys():
        yield of_names(want, found), wanted, got
    else:
        for name in want:
            for problem, w, g in differences(want[name], found[name], rtol, atol):
                yield f"{name}: {problem}", w, g


def of_names(want: Mapping, found: Mapping) -> str:
    """Which parts are not there, or which should not be."""
    lacking = [name for name in want if name not in found]
    if lacking:
        return f"the result lacks {', '.join(map(said, lacking))}"
    return f"the result should not have {', '.join(said(n) for n in found if n not in want)}"


def said(name: Any) -> str:
    """A part of a tuple is called so; a key of a dict is spelled."""
    return name if str(name).startswith("part ") else f"the key {name!r}"


def kind(value: Any) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"


def by_name(value: Any) -> Any:
    """The parts of a dict, a tuple or a list by their names."""
    if isinstance(value, Mapping):
        return value
    parts = value if isinstance(value, (tuple, list)) else None
    return None if parts is None else {f"part {k}": part for k, part in enumerate(parts)}


def numbers(value: Any) -> np.ndarray | None:
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return None


# ---- values in words that can be pasted into a cell


def spell(value: Any) -> str:
    """A value as Python writes it, cut where nobody would read on."""
    words = repr(plain(value))
    return words if len(words) <= LONGEST else words[:LONGEST] + " …"


def plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's numbers and lists."""
    if isinstance(value, Mapping):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value)([plain(v) for v in value])
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
