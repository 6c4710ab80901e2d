"""The text of a loop: the operations of a step, between the line that asks for the next slices and
the lines that keep what is wanted.

    for k, (x,) in enumerate(each(steps, all_x)):
        v1 = np.matmul(x, U, out=every_h[k + 1])
        ...
        h = v4

What is kept of each step is computed in its row, where it can be. Rows that are only read from the
last to the first are stored so, and are then in a row in memory when they are read.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...expr import Expr
from ...nested.loops.scan_op import each
from ...ops import matmul
from ...ops.in_python import is_ufunc
from ..plan import Plan, room_for_speed
from .text import Lines, plain


class Loop:
    """Names for what the loop has besides its body, and its lines before and after."""

    fresh = False  # what it gives is copied into arrays of its own
    moves_on = True  # its arguments become the states of the next step
    flipped: frozenset[int] = frozenset()  # the results that are only read backwards
    dying: frozenset[tuple[int, bool]] = frozenset()  # the sequences that may be written over
    no_steps = "no_steps"  # the name of what answers where there is nothing to do

    def __init__(self, op: Any, wanted: frozenset[int], names: Sequence[str], new: Any):
        a, b = op.states, op.states + op.slices
        self.op, self.wanted = op, wanted
        self.states, self.slices, self.constants = names[:a], names[a:b], names[b:]
        self.steps, self.k = new("steps"), new("k")
        self.sequences = [new(f"all_{x}") for x in self.slices]
        rows = [y.name or "rows" for y in op.body.outputs[a : a + op.rows]]
        words = [*(f"every_{s}" for s in self.states), *(f"all_{y}" for y in rows)]
        self.kept = {k: new(word) for k, word in enumerate(words) if a + k in wanted}
        self.rooms: dict[int, Expr] = {}  # what is computed in its row, by place
        self.before: list[str] = []  # lines before the first step
        self.space: dict[str, Any] = {"each": each, "room": room, "no_steps": op.perform}

    @property
    def arguments(self) -> str:
        return ", ".join([self.steps, *self.states, *self.sequences, *self.constants])

    @property
    def counts(self) -> bool:
        """Does anything in the loop depend on how many steps were made?"""
        return bool(self.new) or self.op.until

    @property
    def new(self) -> dict[int, str]:
        """The names of new arrays that keep rows, by place: all but sequences."""
        return {k: name for k, name in self.kept.items() if name not in self.sequences}

    def has(self, m: Expr, n: Expr) -> bool:
        """Is there a value of m wherever n is computed?"""
        return True

    def take_rooms(self, plan: Plan) -> dict[Expr, str]:
        """Decide what is computed in the row where it is kept; the rows, by operation."""
        found: dict[Expr, str] = {}
        for k, name in self.kept.items():
            y = self.op.body.outputs[k]
            n, state = first_written(plan, y), k < len(self.states)
            same = not state or self.op.body.inputs[k].type is y.type
            if same and n.type is y.type and fills(plan, n) and n not in found:
                self.rooms[k] = n
                found[n] = f"{name}[{self.k}{' + 1' * state}]"
        fast = room_for_speed()
        if fast:
            fast.quicken(self, plan, found)
        return found

    def text(
        self, body: Lines, found: Sequence[str], numbers: bool = False, left: Sequence[str] = ()
    ) -> Lines:
        """The lines of the function; `found` are the texts of the body's outputs, and `left` the
        names of arrays to be given back before the next step makes new ones."""
        after = [*self.keeping(found, numbers), *self.moving_on(found)]
        after += [f"del {', '.join(left)}"] if left else []
        inside = [*body, *plain(after)]
        lines = [] if (self.op.steps or 0) > 0 else [
            f"if {self.steps} < 1:", f"    return {self.no_steps}({self.arguments})"]  # fmt: skip
        lines += self.as_numbers() if numbers else []
        lines += self.before
        lines += [f"{name} = {self.first(k, numbers)}" for k, name in self.new.items()
                  if numbers or k < len(self.states) or k in self.rooms]  # fmt: skip
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
            return "[]" if numbers else self.rows(k)
        return f"[{self.states[k]}]" if numbers else f"room({self.steps} + 1, {self.states[k]})"

    def rows(self, k: int) -> str:
        """Room for the rows of the k-th output."""
        kind = self.rooms[k].type
        dtype = "" if kind.dtype == "float64" else f", {str(kind.dtype)!r}"
        lengths = ", ".join(map(str, (self.steps, *kind.shape)))
        return f"np.empty(({lengths}){dtype}){self.turn(k)}"

    def turn(self, k: int) -> str:
        """What lets the first step write the last row."""
        return "[::-1]" if len(self.states) + k in self.flipped and not self.op.until else ""

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
            elif k in self.rooms:
                continue
            elif k < len(self.states):
                lines.append(f"{name}[{self.k} + 1] = {found[k]}")
            else:
                rows = f"room({self.steps}, {found[k]}){self.turn(k)}"
                lines += [f"if not {self.k}:", f"    {name} = {rows}"]
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


def first_written(plan: Plan, y: Expr) -> Expr:
    """The node over whose array y is written; y itself where it is a view, in another order."""
    while y in plan.into:
        y = plan.into[y]
    return y


def fills(plan: Plan, n: Expr) -> bool:
    """Is it a new array of known lengths, which its operation can write into any room?"""
    known = n in plan.places and n.ndim > 0 and n.type.known and n not in plan.into
    joined = n in plan.fused or n in plan.local or n in plan.escaping
    if not known or joined:
        return False
    if n.op is matmul:
        return all(i.ndim > 1 and i.dtype == n.dtype for i in n.inputs)
    return is_ufunc(n.op)


def room(n: int, first: Any) -> np.ndarray:
    """An array of n rows of which the first is known."""
    rows = np.empty((n, *np.shape(first)), np.asarray(first).dtype)
    rows[0] = first
    return rows
