"""A program that stops at the first nan or inf that its inputs did not have.

v2 = np.log(v1)
finite(v2, 4, v1)
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...expr import Expr, at, word_of


def check_line(source: Any, n: Expr) -> str:
    """The line that looks at the value of a node, and at its operands if that is not finite."""
    look = source.bind("finite", Finite(source)) if "finite" not in source.space else "finite"
    place = source.plan.places[n]
    names = [source.operand(i) for i in n.inputs]
    return f"{look}({', '.join([source.names[n], str(place), *names])})"


def kinds(value: Any) -> set[str]:
    """Which of nan and inf occur in a value."""
    found = set()
    for part in parts(value):
        found |= {"nan"} if np.isnan(part).any() else set()
        found |= {"inf"} if np.isinf(part).any() else set()
    return found


def parts(value: Any) -> Iterator[np.ndarray]:
    """The arrays of floats of which a value consists."""
    if isinstance(value, (tuple, list)):
        for v in value:
            yield from parts(v)
    elif value is not None and np.asarray(value).dtype.kind == "f":
        yield np.asarray(value)


class Finite:
    """Raises FloatingPointError for a value that is not finite where all operands are.

    It knows the program, for the words of the error.
    """

    def __init__(self, source: Any):
        self.source = source

    def __call__(self, value: Any, place: int, *operands: Any) -> None:
        if all(np.isfinite(part).all() for part in parts(value)):
            return
        new = kinds(value).difference(*map(kinds, operands))
        if new:
            raise FloatingPointError(self.message(value, place, operands, min(new)))

    def message(self, value: Any, place: int, operands: Any, kind: str) -> str:
        """The operation, its line, the operands and the user's line."""
        n = self.source.plan.order[place]
        line = next(k for k, m in self.source.lines.items() if m is n)
        row = self.source.written[line - 1].strip()
        names = [self.source.operand(i) for i in n.inputs]
        where, entry = first(value, kind)
        pairs = [(name, told(v, where, value)) for name, v in zip(names, operands, strict=True)]
        met = [name if name == text else f"{name} = {text}" for name, text in pairs]
        given = f" of {' and '.join(met)}" if met else ""
        there = f" at {list(where)}" if where else ""
        number = line + self.source.above
        return f"{word_of(n.op)}{given} is {entry}{there}: line {number}, {row}{at(n)}"


def first(value: Any, kind: str) -> tuple[tuple[int, ...], Any]:
    """Where a value is nan or inf for the first time, and what stands there."""
    test = np.isnan if kind == "nan" else np.isinf
    array = next(part for part in parts(value) if test(part).any())
    where = tuple(int(k) for k in np.argwhere(test(array))[0])
    return where, array[where]


def told(operand: Any, where: tuple[int, ...], value: Any) -> str:
    """The operand's entry that led there, where entries correspond; else its shape and range."""
    array = np.asarray(operand)
    if array.ndim == 0:
        return str(array)
    try:
        return str(np.broadcast_to(array, np.shape(value))[where])
    except ValueError:
        return f"an array of shape {array.shape} from {array.min()} to {array.max()}"
