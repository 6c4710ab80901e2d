"""One step of a loop: a Python function called once, and its results taken apart."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import signature
from operator import is_
from typing import Any, NamedTuple

from ...expr import (
    Constant,
    Expr,
    Input,
    MissingInputError,
    ShapeError,
    Shared,
    TensorType,
    at,
    called,
    constant,
    postorder,
    steps_now,
    substitute,
    watch,
)
from ...ops import arange
from ..subgraph.body import closure_convert, free_variables
from .all_states import history
from .initial_state import adopting, by_default, is_open, is_smallest, opened
from .recurrence import Recurrence, Results, State
from .shared_updates import moved_on, said
from .taps import Taps


class Until(NamedTuple):
    """The condition after which a loop ends."""

    condition: Expr


def until(condition: Any) -> Until:
    """Among what a step of `scan` returns: end the loop after the first step where this holds.

    Parameters
    ----------
    condition : Expr
        One truth value.

    Returns
    -------
    Until
        To be returned last.

    Raises
    ------
    ShapeError
        If the condition is not one truth value.

    See Also
    --------
    scan : A loop.

    Examples
    --------
    >>> def step(s):
    ...     return 2 * s, ad.until(s > 10)
    ...
    >>> powers = ad.scan(step, outputs_info=1, n_steps=100)
    >>> ad.evaluate(powers)
    array([ 2,  4,  8, 16, 32])
    """
    found = condition if isinstance(condition, Expr) else constant(condition)
    if found.ndim:
        raise ShapeError(f"until takes one truth value, not {found.type!r}{at(found)}: write "
                         "ad.any(...) or ad.all(...) around it")  # fmt: skip
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
        self.begins = [b and opened(b) for b in begins]
        self.names = [next(words) for b in begins if b for _ in b.taps]
        self.own: list[Expr] = []  # what belongs to a step, whatever it is made of

    def read(self, strict: bool, how: Mapping[str, Any]) -> Recurrence:
        """The recurrence that the function describes."""
        states, outputs, updates, condition = self.typed_states()
        rows = [y for k, y in enumerate(outputs) if self.begins[k] is None]
        updates |= moved_on(postorder([*outputs, *updates.values(), *condition]), updates)
        shared = [State(Input(w.name or "shared", w.type), w, e, True) for w, e in updates.items()]
        changing = [*states, *shared]
        roots = [*[s.new for s in changing], *rows, *condition]
        roots = substitute(roots, {s.start: s.symbol for s in shared})
        symbols = [*[s.symbol for s in changing], *[x for x, _ in self.slices], self.t]
        outer = free_variables(roots, [*symbols, *self.own])
        if strict:
            check_listed(outer, self.others)
        roots, inner = closure_convert(roots, outer)
        changing = [s._replace(new=e) for s, e in zip(changing, roots)]
        count = len(changing) + len(rows)
        return Recurrence(
            self.steps,
            changing,
            [*self.slices, (self.t, arange(self.steps))],
            list(zip(inner, outer, strict=True)),
            roots[len(changing) : count],
            roots[count] if condition else None,
            dict(how),
        )

    def typed_states(self) -> tuple[list[State], list[Expr], dict, list[Expr]]:
        """The function's results, once the first states have the types that it gives them."""
        while True:
            registers = [self.registers(b) for b in self.begins]
            outputs, updates, condition = self.call(registers)
            if self.typed(outputs):
                break
        states = []
        for line, y in zip(registers, outputs, strict=False):
            new = y
            for symbol, start in line:
                states.append(State(symbol, start, new))
                new = symbol  # what was one step before is two steps before, and so on
        return states, outputs, updates, condition

    def typed(self, outputs: Sequence[Expr]) -> bool:
        """Have the first states had the types that they need? If not, they have them now."""
        before = self.begins or [None] * len(outputs)
        check_outputs(outputs, len(before))
        waiting = any(map(is_open, before))
        told = [b if b is None or (waiting and is_smallest(y)) else adopting(b, y)
                for b, y in zip(before, outputs, strict=True)]  # fmt: skip
        same = all(map(is_, told, before))
        self.begins = [b and by_default(b) for b in told] if same else told
        return same and not waiting

    def registers(self, begin: Taps | None) -> list[tuple[Input, Expr]]:
        """A symbol for the output one step before, two steps before, ... and its first value."""
        if begin is None:
            return []
        if begin.taps == (-1,):
            return [(Input("", begin.array.type), begin.array)]
        far = -min(begin.taps)
        return [(Input("", begin.one), begin.array[far - k]) for k in range(1, far + 1)]

    def call(self, registers: Sequence[Any]) -> tuple[list[Expr], dict, list[Expr]]:
        names = iter(self.names)
        past = []
        for begin, line in zip(self.begins, registers, strict=True):
            for tap in begin.taps if begin else ():
                past.append(line[-tap - 1][0])
                past[-1].name = next(names)
            name_the_others([symbol for symbol, _ in line])
        check_call(self.fn, len(self.slices), len(past), len(self.others))
        self.own = []
        tokens = steps_now.set((*steps_now.get(), self.t)), watch.set(self.note)
        try:
            found = called(self.fn, *[x for x, _ in self.slices], *past, *self.others)
        finally:
            steps_now.reset(tokens[0])
            watch.reset(tokens[1])
        outputs, updates, condition = taken_apart(found)
        if len(condition) > 1:
            raise ValueError("a step returns one until: join the conditions by |")
        return outputs, updates, condition

    def note(self, node: Expr) -> None:
        """Keep a node whose cotangents are not to be added before its rule is applied: it belongs
        to the step that has made it."""
        if not node.op.merges:
            self.own.append(node)

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


def name_the_others(line: Sequence[Input]) -> None:
    """Between taps: what will be seen there in so many steps."""
    for k in reversed(range(len(line))):
        if line[k].name:
            seen = k
        else:
            line[k].name = f"{line[seen].name}_in_{seen - k}"


def taken_apart(found: Any) -> tuple[list[Expr], dict[Shared, Expr], list[Expr]]:
    """The outputs of a step, its updates of shared values, and its condition, if it has one."""
    outputs: list[Expr] = []
    updates: dict[Shared, Expr] = {}
    condition: list[Expr] = []
    several = isinstance(found, (list, tuple)) and not isinstance(found, Until)
    for part in found if several else [found]:
        if isinstance(part, Until):
            condition.append(part.condition)
        elif are_updates(part):
            updates |= said(part)
        elif isinstance(part, (list, tuple)):
            more, new, ends = taken_apart(part)
            outputs, condition, updates = outputs + more, condition + ends, updates | new
        elif part is not None:
            outputs.append(part if isinstance(part, Expr) else constant(part))
    return outputs, updates, condition


def are_updates(part: Any) -> bool:
    """Is it a dictionary, or a list of pairs (shared value, expression)?"""
    if not isinstance(part, (list, tuple)) or isinstance(part, Until):
        return isinstance(part, Mapping)
    pairs = [p for p in part if isinstance(p, tuple) and len(p) == 2 and isinstance(p[0], Shared)]
    return len(pairs) == len(part) > 0


def check_call(fn: Callable[..., Any], slices: int, past: int, others: int) -> None:
    """Raises TypeError where the function takes another number of arguments."""
    try:
        known = signature(fn)
    except (TypeError, ValueError):  # a function that does not tell
        return
    try:
        known.bind(*range(slices + past + others))
    except TypeError as error:
        counts = f"{slices} slices, {past} earlier outputs and {others} non-sequences"
        raise TypeError(f"a step is called with {counts}, in this order: {error}") from None


def check_outputs(outputs: Sequence[Expr], count: int) -> None:
    """Raises ValueError where the two numbers differ."""
    if len(outputs) != count:
        raise ValueError(f"a step returns {len(outputs)} outputs, and outputs_info has {count} "
                         "entries: write None for one that needs none")  # fmt: skip


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
