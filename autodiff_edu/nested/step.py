"""One step of a loop: a Python function called once, and its results taken apart."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..expr import (
    Constant,
    Expr,
    Input,
    MissingInputError,
    ShapeError,
    Shared,
    TensorType,
    at,
    constant,
    steps_now,
    substitute,
)
from ..ops import arange, full
from .body import captured, closed
from .history import history
from .loop import alike
from .recurrence import Recurrence, Results, State
from .taps import Taps


class Until(NamedTuple):
    """The condition after which a loop ends."""

    condition: Expr


def until(condition: Any) -> Until:
    """Among what a step returns: end the loop after the first step where this holds."""
    found = condition if isinstance(condition, Expr) else constant(condition)
    return Until(found != 0 if found.dtype.kind != "b" else found)


class Step:
    """The function of a step with what it is called with: the slices, the outputs before (from
    `begins`, None for outputs without), and the other arguments."""

    def __init__(
        self,
        fn: Callable[..., Any],
        steps: Any,
        slices: Sequence[tuple[Input, Expr]],
        begins: Sequence[Taps | None],
        others: Sequence[Expr],
        words: Iterator[str],
    ):
        self.fn, self.steps, self.slices, self.others = fn, steps, list(slices), others
        self.t = Input("t", TensorType("int64"))
        self.begins = list(begins)
        self.names = [next(words) for b in begins if b for _ in b.taps]

    def read(self, strict: bool, how: Mapping[str, Any]) -> Recurrence:
        """The recurrence that the function describes."""
        states, outputs, updates, condition = self.settled()
        rows = [y for k, y in enumerate(outputs) if self.begins[k] is None]
        shared = [State(Input(w.name or "shared", w.type), w, e) for w, e in updates.items()]
        roots = [*[s.new for s in (*states, *shared)], *rows, *condition]
        roots = substitute(roots, {s.start: s.symbol for s in shared})
        symbols = [*[s.symbol for s in (*states, *shared)], *[x for x, _ in self.slices], self.t]
        outer = captured(roots, symbols)
        if strict:
            check_listed(outer, self.others)
        roots, inner = closed(roots, outer)
        changing = [State(s.symbol, s.start, e) for s, e in zip((*states, *shared), roots)]
        places = tuple(range(len(states), len(changing)))
        count = len(changing) + len(rows)
        return Recurrence(
            self.steps,
            changing,
            [*self.slices, (self.t, arange(self.steps))],
            list(zip(inner, outer, strict=True)),
            roots[len(changing) : count],
            roots[count] if condition else None,
            dict(how) | {"updates": places} if places else dict(how),
        )

    def settled(self) -> tuple[list[State], list[Expr], dict, list[Expr]]:
        """The function's results, once the first states have the types that it gives them."""
        while True:
            registers = [None if b is None else self.registers(b) for b in self.begins]
            outputs, updates, condition = self.call(registers)
            if not self.begins:
                self.begins = [None] * len(outputs)
                registers = [None] * len(outputs)
            if len(outputs) != len(self.begins):
                raise ValueError(
                    f"a step returns {len(outputs)} outputs, and outputs_info has "
                    f"{len(self.begins)} entries: write None for one that needs none"
                )
            told = [b if b is None else adopting(b, y) for b, y in zip(self.begins, outputs)]
            if all(new is old for new, old in zip(told, self.begins)):
                break
            self.begins = told
        states = []
        for line, y in zip(registers, outputs, strict=True):
            new = y
            for symbol, start in line or ():
                states.append(State(symbol, start, new))
                new = symbol  # what was one step before is two steps before, and so on
        return states, outputs, updates, condition

    def registers(self, begin: Taps) -> list[tuple[Input, Expr]]:
        """A symbol for the output one step before, two steps before, ... and its first value."""
        if begin.taps == (-1,):
            return [(Input("", begin.array.type), begin.array)]
        far, t = -min(begin.taps), begin.array.type
        one = TensorType(t.dtype, t.shape[1:])
        return [(Input("", one), begin.array[far - k]) for k in range(1, far + 1)]

    def call(self, registers: Sequence[Any]) -> tuple[list[Expr], dict, list[Expr]]:
        names = iter(self.names)
        past = []
        for begin, line in zip(self.begins, registers, strict=True):
            for tap in begin.taps if begin else ():
                past.append((line or [])[-tap - 1][0])
                past[-1].name = next(names)
        token = steps_now.set((*steps_now.get(), self.t))
        try:
            found = self.fn(*[x for x, _ in self.slices], *past, *self.others)
        finally:
            steps_now.reset(token)
        return taken_apart(found)

    def outputs(self, found: Results) -> list[Expr]:
        """What the user gets: all states but those before the first step, or the rows."""
        rows, place, given = iter(found.rows), 0, []
        for begin in self.begins:
            if begin is None:
                given.append(next(rows))
                continue
            given.append(history(found.every[place], found.last[place]))
            place += -min(begin.taps)
        return given


def taken_apart(found: Any) -> tuple[list[Expr], dict[Shared, Expr], list[Expr]]:
    """The outputs of a step, its updates of shared values, and its condition, if it has one."""
    outputs: list[Expr] = []
    updates: dict[Shared, Expr] = {}
    condition: list[Expr] = []
    for part in (
        found if isinstance(found, (list, tuple)) and not isinstance(found, Until) else [found]
    ):
        if isinstance(part, Until):
            condition.append(part.condition)
        elif isinstance(part, Mapping):
            updates.update(part)
        elif isinstance(part, (list, tuple)):
            more, new, ends = taken_apart(part)
            outputs, condition = outputs + more, condition + ends
            updates.update(new)
        elif part is not None:
            outputs.append(part if isinstance(part, Expr) else constant(part))
    return outputs, updates, condition


def adopting(begin: Taps, y: Expr) -> Taps:
    """The first state in the type that a step gives it. Raises ShapeError where it has another."""
    x = begin.array
    one = x.type if begin.taps == (-1,) else TensorType(x.dtype, x.type.shape[1:])
    if alike(one, y.type):
        return begin
    if np.result_type(one.dtype, y.dtype) == y.dtype and one.dtype != y.dtype:
        return begin._replace(array=x.astype(y.dtype))
    if begin.weak and y.type.known:
        return begin._replace(array=full(y.shape, x, y.dtype))
    raise ShapeError(
        f"a state is {one!r} before a step and {y.type!r} after it{at(y)}: begin with an array of "
        "the type that a step gives, ad.zeros(...) or .astype(...)"
    )


def check_listed(outer: Sequence[Expr], others: Sequence[Expr]) -> None:
    """Raises MissingInputError for what a strict step takes from outside unlisted."""
    stack, seen = list(outer), set(others)
    while stack:
        n = stack.pop()
        if n in seen:
            continue
        seen.add(n)
        if n.op is None and not isinstance(n, Constant):
            raise MissingInputError(f"the step takes {n}{at(n)} from outside: add it to "
                                    "non_sequences, or drop strict=True")  # fmt: skip
        stack.extend(n.inputs)
