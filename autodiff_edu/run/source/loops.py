"""The text of a loop: the operations of a step, between the line that asks for the next slices and
the lines that keep what is wanted.

    for k, (x,) in enumerate(each(steps, all_x)):
        v1 = x @ U
        ...
        every_h[k + 1] = v4
        h = v4
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...expr import Expr
from ...nested.loops.scan_op import each

Lines = list[tuple[str, Expr | None]]  # and the node that a line computes, if it computes one


class Loop:
    """Names for what the loop has besides its body, and its lines before and after."""

    fresh = False  # what it gives is copied into arrays of its own

    def __init__(self, op: Any, wanted: frozenset[int], names: Sequence[str], new: Any):
        a, b = op.states, op.states + op.slices
        self.op, self.wanted = op, wanted
        self.states, self.slices, self.constants = names[:a], names[a:b], names[b:]
        self.steps, self.k = new("steps"), new("k")
        self.sequences = [new(f"all_{x}") for x in self.slices]
        rows = [y.name or "rows" for y in op.body.outputs[a : a + op.rows]]
        words = [*(f"every_{s}" for s in self.states), *(f"all_{y}" for y in rows)]
        self.kept = {k: new(word) for k, word in enumerate(words) if a + k in wanted}
        self.space: dict[str, Any] = {"each": each, "room": room, "no_steps": op.perform}

    @property
    def arguments(self) -> str:
        return ", ".join([self.steps, *self.states, *self.sequences, *self.constants])

    @property
    def counts(self) -> bool:
        """Does anything in the loop depend on how many steps were made?"""
        return bool(self.kept) or self.op.until

    def has(self, m: Expr, n: Expr) -> bool:
        """Is there a value of m wherever n is computed?"""
        return True

    def text(
        self, body: Lines, found: Sequence[str], numbers: bool = False, left: Sequence[str] = ()
    ) -> Lines:
        """The lines of the function; `found` are the texts of the body's outputs, and `left` the
        names of arrays to be given back before the next step makes new ones."""
        after = [*self.keeping(found, numbers), *self.moving_on(found)]
        after += [f"del {', '.join(left)}"] if left else []
        inside = [*body, *plain(after)]
        lines = [f"if {self.steps} < 1:", f"    return no_steps({self.arguments})"]
        lines += self.as_numbers() if numbers else []
        lines += [f"{self.kept[k]} = {self.first(k, numbers)}" for k in self.kept
                  if numbers or k < len(self.states)]  # fmt: skip
        lines.append(self.head())
        return [
            *plain(lines),
            *[(f"    {line}", n) for line, n in inside or [("pass", None)]],
            (f"return {self.results(numbers)}", None),
        ]

    def as_numbers(self) -> list[str]:
        """Plain Python's numbers are ten times as fast as NumPy's."""
        lines = [f"{x} = float({x})" for x in (*self.states, *self.constants)]
        return lines + [f"{x} = {x}.tolist()" for x in self.sequences]

    def first(self, k: int, numbers: bool) -> str:
        """What is kept of the k-th output before the first step."""
        if k >= len(self.states):
            return "[]"
        return f"[{self.states[k]}]" if numbers else f"room({self.steps} + 1, {self.states[k]})"

    def head(self) -> str:
        if not self.slices:
            return f"for {self.k} in range({self.steps}):"
        slices = ", ".join(self.slices) + "," * (len(self.slices) == 1)
        each_of = f"each({self.steps}, {', '.join(self.sequences)})"
        if self.counts:
            return f"for {self.k}, ({slices}) in enumerate({each_of}):"
        return f"for {slices} in {each_of}:"

    def keeping(self, found: Sequence[str], numbers: bool) -> list[str]:
        lines = []
        for k, name in self.kept.items():
            if numbers:
                lines.append(f"{name}.append({found[k]})")
            elif k < len(self.states):
                lines.append(f"{name}[{self.k} + 1] = {found[k]}")
            else:
                lines += [f"if not {self.k}:", f"    {name} = room({self.steps}, {found[k]})"]
                lines.append(f"{name}[{self.k}] = {found[k]}")
        return lines

    def moving_on(self, found: Sequence[str]) -> list[str]:
        """The states become the new ones, all at once; and the loop may end."""
        pairs = [(s, new) for s, new in zip(self.states, found, strict=False) if s != new]
        lines = [" = ".join(", ".join(side) for side in zip(*pairs))] if pairs else []
        return lines + ([f"if {found[-1]}:", "    break"] if self.op.until else [])

    def results(self, numbers: bool) -> str:
        """All results in their places, None for those that nobody wants."""
        texts = ["None"] * (2 * len(self.states) + self.op.rows)
        for k in self.wanted:
            texts[k] = self.result(k, numbers)
        return ", ".join(texts) + "," * (len(texts) == 1)

    def result(self, k: int, numbers: bool) -> str:
        c = len(self.states)
        if k < c:
            s = self.states[k]
            return f"np.float64({s})" if numbers else f"fresh({s})[()]"
        name = self.kept[k - c]
        if numbers:
            return f"np.array({name})"
        return f"{name}[: {self.k} + {1 + (k < 2 * c)}]" if self.op.until else name


def plain(lines: Sequence[str]) -> Lines:
    return [(line, None) for line in lines]


def room(n: int, first: Any) -> np.ndarray:
    """An array of n rows of which the first is known."""
    rows = np.empty((n, *np.shape(first)), np.asarray(first).dtype)
    rows[0] = first
    return rows
