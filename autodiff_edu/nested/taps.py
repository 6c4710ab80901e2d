"""Sequences and first states of a loop as its user gives them, and how many steps they allow.

A tap is a place relative to the step t: taps (-1, 0) of x are x[t-1] and x[t].
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

from ..expr import Expr, Input, TensorType, at, constant, same
from ..ops import minimum


class Taps(NamedTuple):
    """A sequence, or the first states of an output, and the places that a step sees of it."""

    array: Expr
    taps: tuple[int, ...]
    weak: bool = False  # a Python number, which takes the type of what it meets

    @property
    def reach(self) -> tuple[int, int]:
        """How far the taps reach back and ahead of t."""
        return min(0, *self.taps), max(0, *self.taps)

    @property
    def length(self) -> Any:
        """The number of steps for which all taps lie within the sequence."""
        back, ahead = self.reach
        n = self.array.shape[0]
        return n + back - ahead if back or ahead else n

    def slices(
        self, words: Iterator[str], steps: Any, go_backwards: bool
    ) -> list[tuple[Input, Expr]]:
        """A symbol for what a step sees at each tap, and the sequence of that."""
        back, ahead = self.reach
        found = []
        for tap in self.taps:
            part = self.array[tap - back : (tap - ahead) or None] if back or ahead else self.array
            part = part[::-1] if go_backwards else part
            part = part if same_length(part, steps) else part[:steps]
            t = TensorType(part.dtype, part.type.shape[1:])
            found.append((Input(next(words), t), part))
        return found


def same_length(x: Expr, steps: Any) -> bool:
    n = x.shape[0]
    if isinstance(n, Expr) or isinstance(steps, Expr):
        return isinstance(n, Expr) and isinstance(steps, Expr) and same([n], [steps])
    return n == steps


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
    if not array.ndim and (key == "input" or taps != (-1,)):
        raise ValueError(f"{array}{at(array)} is one number: a step takes a slice of an array")
    return Taps(array, taps, type(value) in (bool, int, float))


def number_of_steps(lengths: Sequence[Any], n_steps: Any) -> Any:
    """The number of steps: what was asked for, or what the shortest sequence allows."""
    known = [n for n in lengths if not isinstance(n, Expr)]
    if n_steps is not None:
        steps = n_steps if isinstance(n_steps, Expr) else whole(n_steps)
        if not isinstance(steps, Expr) and known and min(known) < steps:
            raise ValueError(f"{steps} steps, but a sequence has slices for {min(known)}")
        return steps
    if not lengths:
        raise ValueError("nothing tells how many steps: give n_steps, or a sequence")
    unknown = [n for n in lengths if isinstance(n, Expr)]
    return reduce(minimum, unknown + ([min(known)] if known else [])) if unknown else min(known)


def whole(n: Any) -> int:
    if int(n) != n or n < 0:
        raise ValueError(f"n_steps is a whole number from 0 on, or an expression, not {n!r}")
    return int(n)
