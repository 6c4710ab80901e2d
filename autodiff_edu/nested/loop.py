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

from ..expr import Expr, Graph, ShapeError, TensorType, TupleType, evaluate_all, infer, upstairs
from .nested import Nested, built_like


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
        self.label = name if steps is None else f"{name} × {steps}"
        self.how = {"until": until, "kept": kept, "updates": updates, "truncate": truncate}
        self.how["name"] = name
        self.key = (states, slices, steps, *self.how.values(), built_like(body))

    def changed(self, body: Graph) -> "Scan":
        return Scan(body, self.states, self.slices, self.steps, **self.how)  # type: ignore

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
        rows = [y.name or "rows" for y in self.body.outputs[self.states :][: self.rows]]
        return (*[f"last {s}" for s in names], *[f"every {s}" for s in names], *rows)

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
        known = infer(self.body, dict(zip(self.body.inputs, given, strict=True)))
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
        return upstairs["cotangents of a loop"](self, inputs, outputs, cotangents)

    def pushforward(self, inputs: Any, outputs: Any, tangents: Any, **_: Any) -> list[Expr]:
        return upstairs["tangents of a loop"](self, inputs, outputs, tangents)

    def batch(self, inputs: Sequence[Expr], flags: Sequence[bool]) -> Sequence[Expr]:
        return upstairs["a loop over many"](self, inputs, flags)

    # ---- values

    def perform(self, *values: Any) -> tuple:
        return self.run(interpreter(self.body), range(len(values) * 3), *values)

    def lowered(self, compile: Callable[..., Any], wanted: frozenset[int]) -> Any:
        """The function of the loop, which keeps only the results that are wanted."""
        return compile(self.body, self.name, (self, wanted))

    def run(self, step: Callable[..., Sequence], wanted: Any, *values: Any) -> tuple:
        """The results, None for those that are not wanted."""
        if values[0] <= 0:
            return self.nothing(step, values)
        n, states, sequences, constants = self.split(values)
        c = self.states
        stores = self.stores(int(n), states, wanted)
        done = 0
        for slices in each(int(n), *sequences):
            found = step(*states, *slices, *constants)
            states = list(found[:c])
            for k, rows in stores:
                rows.put(done, found[k])
            done += 1
            if self.until and found[-1]:
                break
        last = [np.array(v, y.dtype)[()] for v, y in zip(states, self.body.outputs, strict=False)]
        stacked = {rows.place: rows.stacked(done) for _, rows in stores}
        return (*last, *[stacked.get(k) for k in range(c, 2 * c + self.rows)])

    def nothing(self, step: Callable[..., Sequence], values: Sequence[Any]) -> tuple:
        """The results of no steps. What shape rows would have, a step on zeros tells."""
        if values[0] < 0:
            raise ValueError(f"{values[0]} steps: their number is 0 or more")
        _, states, sequences, constants = self.split(values)
        types = [y.type for y in self.body.outputs[self.states :][: self.rows]]
        shapes: list[Any] = [t.shape for t in types]
        if not all(t.known for t in types):
            zeros = [np.zeros(np.shape(s)[1:], np.asarray(s).dtype)[()] for s in sequences]
            shapes = [np.shape(v) for v in step(*states, *zeros, *constants)[self.states :]]
        rows = [np.empty((0, *s), t.dtype) for s, t in zip(shapes, types, strict=False)]
        return (*states, *[np.array(s)[None] for s in states], *rows)

    def stores(self, n: int, states: Sequence[Any], wanted: Any) -> list[tuple[int, "Rows"]]:
        """Where to put the k-th output of each step, for the results that are wanted."""
        c, outputs = self.states, self.body.outputs
        firsts = enumerate([*states, *[None] * self.rows])
        return [(k, Rows(c + k, outputs[k].type, n, v)) for k, v in firsts if c + k in wanted]


class Rows:
    """One stacked result in the making: a row for each step, and one before them for states."""

    def __init__(self, place: int, type: TensorType, n: int, first: Any = None):
        self.place, self.type, self.n, self.extra = place, type, n, first is not None
        self.array: Any = None
        if first is not None:
            self.put(-1, first)

    def make(self, shape: tuple[int, ...]) -> None:
        self.array = np.empty((self.n + self.extra, *shape), self.type.dtype)

    def put(self, k: int, value: Any) -> None:
        if self.array is None:
            self.make(np.shape(value))
        self.array[k + self.extra] = value

    def stacked(self, done: int) -> np.ndarray:
        return self.array[: done + self.extra]


def each(n: int, *sequences: Any) -> Iterator[tuple]:
    """The slices for each step."""
    for s in sequences:
        if len(s) != n:
            raise ShapeError(f"a sequence of {len(s)} slices for {n} steps")
    return zip(*sequences, strict=True) if sequences else repeat((), n)


def interpreter(body: Graph) -> Callable[..., list]:
    """One step, a node after the other."""

    def step(*values: Any) -> list:
        known = evaluate_all(body.outputs, dict(zip(body.inputs, values, strict=True)))
        return [known[y] for y in body.outputs]

    return step


def alike(t: TensorType, other: TensorType) -> bool:
    """May a value have both types?"""
    lengths = zip(t.shape, other.shape, strict=False)
    same = t.dtype == other.dtype and t.ndim == other.ndim
    return same and all(None in (n, m) or n == m for n, m in lengths)


def longer(t: TensorType, n: int | None) -> TensorType:
    return TensorType(t.dtype, (n, *t.shape))
