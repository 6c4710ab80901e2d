"""A loop as one operation, whose body is a step.

    body       (states, slices, constants) -> (new states, rows, is it the last step?)
    operands   the number of steps, the first states, the sequences, the constants
    results    the last states, all states from the first on, the rows stacked

Every other form of recurrence, with taps or without states, is written as one of these.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from ...expr import (
    HOOKS,
    Expr,
    Graph,
    ShapeError,
    TensorType,
    TupleType,
    infer,
    name_of,
)
from ...ops import agree
from ..subgraph.base import Nested, built_like
from ..subgraph.body import outputs_at


class Scan(Nested):
    """`steps` is None where the number is not known; `until` says whether the body's last output
    may end the loop; `kept` that no work is to be moved out of it; `updates` are the states that
    are the values of Shared operands; `truncate` how many steps derivatives go back."""

    arity = None

    def __init__(
        self,
        body: Graph,
        states: int,
        slices: int,
        steps: int | None,
        until: bool = False,
        kept: bool = False,
        updates: tuple[int, ...] = (),
        truncate: int = -1,
        name: str = "scan",
    ):
        super().__init__()
        self.body, self.states, self.slices, self.steps = body, states, slices, steps
        self.until, self.kept, self.updates, self.truncate = until, kept, updates, truncate
        self.name = name
        many = "" if steps is None else f" {'≤' if until else '×'} {steps}"
        self.label = name + many
        self.how = {"until": until, "kept": kept, "updates": updates, "truncate": truncate}
        self.how["name"] = name
        self.key = (states, slices, steps, *self.how.values(), built_like(body))

    def changed(self, body: Graph) -> "Scan":
        return Scan(body, self.states, self.slices, self.steps, **self.how)  # type: ignore

    @property
    def lengths(self) -> tuple[int, ...]:
        first = 1 + self.states + self.slices  # what varies from step to step is not told
        return (*[0] * (self.steps is None), *[k for k in self.decides if k >= first])

    def with_lengths(self, lengths: Sequence[Any]) -> "Scan":
        """The loop of so many steps, where their number is told, and lengths inside."""
        values = dict(zip(self.lengths, lengths, strict=True))
        steps = values.pop(0, None)
        inside: dict[Expr, Any] = {self.body.inputs[k - 1]: v for k, v in values.items()}
        numbers = {i: v for i, v in inside.items() if v is not None}
        fits = steps is not None and steps >= 0  # the program refuses others
        if not fits and not numbers:
            return self
        steps = int(steps) if fits else self.steps
        told = Scan(self.body, self.states, self.slices, steps, **self.how)  # type: ignore
        told.numbers = numbers
        return told

    # ---- what is where

    @property
    def rows(self) -> int:
        """How many rows a step gives."""
        return len(self.body.outputs) - self.states - self.until

    def split(self, operands: Sequence[Any]) -> tuple[Any, list, list, list]:
        """The number of steps, the first states, the sequences, the constants."""
        n, *rest = operands
        a, b = self.states, self.states + self.slices
        return n, rest[:a], rest[a:b], rest[b:]

    def parts(self, results: Sequence[Any]) -> tuple[list, list, list]:
        """The last states, all states, the rows."""
        c, given = self.states, list(results)
        return given[:c], given[c : 2 * c], given[2 * c :]

    # ---- what pictures say

    @property
    def operand_words(self) -> tuple[str, ...]:
        return ("steps", *[i.name or "" for i in self.body.inputs])

    @property
    def result_words(self) -> tuple[str, ...]:
        names = [i.name or "" for i in self.body.inputs[: self.states]]
        rows = [y.name or (f"rows {k}" if self.rows > 1 else "rows")
                for k, y in enumerate(self.body.outputs[self.states :][: self.rows])]  # fmt: skip
        return (*[f"last {s}" for s in names], *[f"every {s}" for s in names], *rows)

    def write(self, parts: Sequence[str]) -> str:
        """The number of steps is told where no sequence tells it."""
        return f"{name_of(self.name)}({', '.join(parts[self.slices > 0 :])})"

    @property
    def inside(self) -> tuple[int | None, ...]:
        """The input of the body that each operand feeds."""
        return (None, *range(len(self.body.inputs)))

    @property
    def feedback(self) -> tuple[tuple[int, int], ...]:
        """The outputs of a step that are inputs of the next one."""
        return tuple((k, k) for k in range(self.states))

    # ---- types

    def infer_type(self, *types: TensorType) -> TupleType:
        _, starts, sequences, constants = self.split(types)
        lengths = {t.shape[0] for t in sequences} - {None}
        n = self.steps if self.steps is not None else next(iter(lengths), None)
        if lengths - {n}:
            raise ShapeError(f"sequences of lengths {sorted({*lengths, n})} for one loop")
        given = [*starts, *[TensorType(t.dtype, t.shape[1:]) for t in sequences], *constants]
        known = infer(self.body, dict(zip(self.body.inputs, given, strict=True)), self.numbers)
        found = [known[y] for y in self.body.outputs]
        for i, start, new in zip(self.body.inputs, starts, found, strict=False):
            if not alike(start, new):
                raise ShapeError(f"the state {i.name} is {start!r} before a step, {new!r} after it")
        n = None if self.until else n
        every = [longer(t, None if n is None else n + 1) for t in found[: self.states]]
        rows = [longer(t, n) for t in found[self.states : self.states + self.rows]]
        return TupleType([*found[: self.states], *every, *rows])

    def differentiable(self, n_inputs: int) -> tuple[int, ...]:
        return tuple(range(1, n_inputs))

    def pullback(self, inputs: Any, outputs: Any, cotangents: Any, **_: Any) -> list[Expr | None]:
        return HOOKS["cotangents of a loop"](self, inputs, outputs, cotangents)

    def pushforward(self, inputs: Any, outputs: Any, tangents: Any, **_: Any) -> list[Expr]:
        return HOOKS["tangents of a loop"](self, inputs, outputs, tangents)

    def batch(self, inputs: Sequence[Expr], flags: Sequence[bool]) -> Sequence[Expr]:
        return HOOKS["a loop over many"](self, inputs, flags)

    # ---- values

    def perform(self, *values: Any) -> tuple:
        n, states, sequences, constants = self.split(values)
        if n < 1:
            return self.nothing(values)
        every, rows = [states], []
        for slices in each(int(n), *sequences):
            found = outputs_at(self.body, [*states, *slices, *constants])
            states = found[: self.states]
            every.append(states)
            rows.append(found[self.states : self.states + self.rows])
            if self.until and found[-1]:
                break
        return (*states, *map(np.array, zip(*every)), *map(np.array, zip(*rows)))

    def nothing(self, values: Sequence[Any]) -> tuple:
        """The results of no steps. What shape rows would have, a step on zeros tells."""
        n, states, sequences, constants = self.split(values)
        if n < 0:
            raise ValueError(f"{n} steps: their number is 0 or more")
        types = [y.type for y in self.body.outputs[self.states :][: self.rows]]
        shapes: list[Any] = [t.shape for t in types]
        if not all(t.known for t in types):
            zeros = [np.zeros(np.shape(s)[1:], np.asarray(s).dtype)[()] for s in sequences]
            one = outputs_at(self.body, [*states, *zeros, *constants])
            shapes = [np.shape(v) for v in one[self.states :]]
        rows = [np.empty((0, *s), t.dtype) for s, t in zip(shapes, types, strict=False)]
        return (*states, *[np.array(s)[None] for s in states], *rows)

    def lowered(self, compile: Callable[..., Any], wanted: frozenset[int]) -> Any:
        """The function of the loop, which keeps only the results that are wanted."""
        return compile(self.body, self.name, (self, wanted))


def each(n: int, *sequences: Any) -> Iterator[tuple]:
    """The slices for each step."""
    for s in sequences:
        if len(s) != n:
            raise ShapeError(f"a sequence of {len(s)} slices for {n} steps")
    return zip(*sequences, strict=True) if sequences else repeat((), n)


def alike(t: TensorType, other: TensorType) -> bool:
    """May a value have both types?"""
    return t.dtype == other.dtype and agree(t.shape, other.shape)


def longer(t: TensorType, n: int | None) -> TensorType:
    return TensorType(t.dtype, (n, *t.shape))
