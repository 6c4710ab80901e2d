"""Sequences and first states of a loop as its user gives them, and how many steps they allow.

A tap is a place relative to the step t: taps (-1, 0) of x are x[t-1] and x[t].
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from ...expr import Expr, Input, TensorType, at, constant, same
from ...ops import maximum, minimum
from .truncation import cut


class Taps(NamedTuple):
    """A sequence, or the first states of an output, and the places that a step sees of it."""

    array: Expr
    taps: tuple[int, ...]
    number: Any = None  # a Python number, which takes the type of what it meets

    @property
    def one(self) -> TensorType:
        """The type of a first state."""
        t = self.array.type
        return t if self.taps == (-1,) else TensorType(t.dtype, t.shape[1:])

    @property
    def reach(self) -> tuple[int, int]:
        """How far the taps reach back and ahead of t."""
        return min(0, *self.taps), max(0, *self.taps)

    @property
    def length(self) -> Any:
        """The number of steps for which all taps lie within the sequence."""
        back, ahead = self.reach
        n = self.array.shape[0]
        if not (back or ahead):
            return n
        return maximum(n + (back - ahead), 0) if isinstance(n, Expr) else max(n + back - ahead, 0)

    def slices(
        self, words: Iterator[str], steps: Any, go_backwards: bool
    ) -> list[tuple[Input, Expr]]:
        """A symbol for what a step sees at each tap, and the sequence of that."""
        back, ahead = self.reach
        found = []
        for tap in self.taps:
            part = self.array[tap - back : (tap - ahead) or None] if back or ahead else self.array
            part = part[::-1] if go_backwards else part
            t = TensorType(part.dtype, part.type.shape[1:])
            found.append((Input(next(words), t), cut(part, steps)))
        return found


def tapped(given: Any, key: str, default: tuple[int, ...]) -> Taps:
    """What a user gave for one sequence or output. Raises ValueError for taps that mean nothing."""
    known = dict(given) if isinstance(given, Mapping) else {key: given}
    taps = known.pop("taps", None)
    value = known.pop(key, None)
    if known or value is None:
        raise ValueError(f'write {{"{key}": array, "taps": [...]}}, not {given!r}')
    taps = default if taps is None else tuple(taps) if isinstance(taps, Sequence) else (taps,)
    unusable = [k for k in taps if type(k) is not int or (key == "initial" and k >= 0)]
    if unusable or len(set(taps)) < len(taps) or not taps:
        rule = "negative whole numbers" if key == "initial" else "whole numbers"
        raise ValueError(f"taps are different {rule}, not {list(taps)}")
    array = value if isinstance(value, Expr) else constant(value)
    check_taps(array, taps, key)
    return Taps(array, taps, value if type(value) in (int, float) else None)


def check_taps(array: Expr, taps: Sequence[int], key: str) -> None:
    """Raises ValueError for an array that has nothing at these taps."""
    if not array.ndim and (key == "input" or taps != (-1,)):
        raise ValueError(f"{array}{at(array)} is one number: a step takes a slice of an array. "
                         "Write outputs_info= for the state at the start")  # fmt: skip
    rows = array.type.shape[0] if key == "initial" and taps != (-1,) else None
    if rows is not None and rows < -min(taps):
        raise ValueError(f"{array}{at(array)} has {rows} first rows, and the taps {list(taps)} "
                         f"reach {-min(taps)} back")  # fmt: skip


def number_of_steps(lengths: Sequence[Any], n_steps: Any) -> Any:
    """The number of steps: what was asked for, or what the shortest sequence allows."""
    known = [n for n in lengths if not isinstance(n, Expr)]
    if n_steps is not None:
        steps = whole(n_steps)
        if not isinstance(steps, Expr) and known and min(known) < steps:
            raise ValueError(f"{steps} steps, but a sequence has slices for {min(known)}")
        return steps
    if not lengths:
        raise ValueError("nothing tells how many steps: give n_steps, or a sequence")
    unknown: list[Any] = []
    for n in lengths:
        if isinstance(n, Expr) and not any(same([n], [m]) for m in unknown):
            unknown.append(n)
    return reduce(minimum, unknown + ([min(known)] if known else [])) if unknown else min(known)


def whole(n: Any) -> Any:
    """A number of steps. Raises ValueError."""
    known = isinstance(n, Expr) or (isinstance(n, (int, np.integer)) and n >= 0)
    if not known or (isinstance(n, Expr) and (n.ndim or n.dtype.kind not in "iu")):
        what = f"{n}, {n.type!r}{at(n)}" if isinstance(n, Expr) else repr(n)
        raise ValueError(f"n_steps is a whole number from 0 on, or an expression, not {what}")
    return n if isinstance(n, Expr) else int(n)
