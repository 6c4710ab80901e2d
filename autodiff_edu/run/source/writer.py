"""Source: a planned graph as the text of a Python function, one line a node, for any target."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Any

from ...expr import (
    Constant,
    Expr,
    Shared,
    accept,
    cached_property,
    computed_by,
    deciding,
    item,
)
from ...nested import Branch
from ..plan import Plan, Region, nodes_of
from .branches import Choice
from .loops import Loop
from .shared_values import SPACE, reading, taking, writing
from .text import TAKEN, Lines, Names, plain

NO_LETTER = r"(?a)\W|^(?=\d)"


def numbered(name: str) -> Iterator[str]:
    """x, x_1, x_2, …"""
    return chain([name], (f"{name}_{k}" for k in count(1)))


def identifier(word: str) -> str:
    """A user's word for an operation, as a name that means nothing else in a program."""
    name = re.sub(NO_LETTER, "_", word)
    return name + "_" * (name in TAKEN)


class Common:
    """What the text of a program and those of the bodies in it share: what names mean, and the
    names of the functions of operations with a body, by operation and how it is called."""

    def __init__(self) -> None:
        self.meaning: dict[str, Any] = {}
        self.lowered: dict[tuple, str] = {}


def wanted(order: Iterable[Expr]) -> dict[Expr, set[int]]:
    """Which results of each node are used among these."""
    found: dict[Expr, set[int]] = {}
    for owner, place in map(computed_by, order):
        found.setdefault(owner, set()).add(place)
    return found


class Source(Names, ABC):
    """The text of a program and the objects to which its names refer.

    A target is a class that says how a call and an operand are written, and what stands first and
    last. The lines between, the names and the loops are the same for all of them.
    """

    plan: Plan
    in_place = True  # may a result be written over an operand that is not needed any more?
    around: Sequence[str] = ()  # decorators of a program that is not within another
    frames: tuple[Any, Any] = Choice, Loop  # what writes the lines around a branch, and a loop
    accept = staticmethod(accept)  # makes a value of an input's type from what a user gives

    def __init__(
        self,
        plan: Plan,
        inputs: Sequence[Expr],
        name: str,
        listed: bool,
        updated: Sequence[Shared] = (),
        inner: Any = None,
        within: bool = False,
        loop: Any = None,
        answers: Sequence[bool | int] = (),
        check: str = "",
        common: Common | None = None,
    ):
        self.shared = [n for n in plan.graph.leaves if isinstance(n, Shared)]
        self.updated = tuple(updated)  # the last outputs are their next values
        listed = listed or len(plan.graph.outputs) - len(updated) != 1
        super().__init__(plan, inputs, name, listed, answers, self.shared)
        self.more: dict[str, Iterator[str]] = {}  # further names like a word
        self.lines: dict[int, Expr] = {}  # which node a line of the text computes
        self.above = 0  # how many lines of the whole text stand above
        self.common = common or Common()
        self.check = check  # is each value looked at?
        self.inner, self.within = inner, within  # makes programs of bodies; is this one of them?
        self.before: list[tuple[str, str]] = []
        self.bodies: list[Any] = []
        self.numbers: dict[str, Any] = {}
        self.lowered: dict[tuple, str] = {}
        self.space = SPACE.copy() if self.shared or updated else {}
        self.loop: Any = self.framed(*loop) if loop else None
        self.rooms: dict[Expr, str] = {}  # where the result of an operation is to be written
        self.variables = {*self.used} - TAKEN
        self.take_in(self.loop)

    @cached_property
    def wanted(self) -> dict[Expr, set[int]]:
        """Which results of each node are used."""
        return wanted(self.plan.order)

    def take_in(self, frame: Any) -> None:
        """Take over the names that a frame means something by."""
        if frame is None:
            return
        frame.no_steps = self.bind("no_steps", frame.space.pop("no_steps", None))
        self.space |= frame.space

    def framed(self, op: Any, wanted: frozenset[int], flipped: frozenset[int], dying: Any) -> Any:
        """What writes the lines around the body of an operation."""
        words = [self.names[i] for i in self.inputs]
        frame = self.frames[not isinstance(op, Branch)](op, wanted, words, self.new_name)
        frame.flipped, frame.dying = flipped, dying
        return frame

    # ---- names

    def new_name(self, word: str) -> str:
        """A name like this that nothing has yet."""
        names = self.more.setdefault(word, numbered(re.sub(NO_LETTER, "_", word)))
        chosen = next(v for v in names if v not in self.used)
        self.used.add(chosen)
        return chosen

    def arguments(self, end: str = "") -> str:
        return self.loop.arguments if self.loop else super().arguments(end)

    def remark(self, results: list[str]) -> str:
        return "" if self.within else super().remark(results)

    def other_call(self, n: Expr, operands: Sequence[str]) -> str:
        """In a program of numbers: a branch, or one of its results."""
        if n.op is item:
            return f"{operands[0]}[{computed_by(n)[1]}]"
        return f"{self.callee(n)}({', '.join(operands)})"

    # ---- what a target says

    @abstractmethod
    def callee(self, n: Expr) -> str:
        """The name of the function that computes a node."""

    @abstractmethod
    def call(self, n: Expr) -> str:
        """The expression that computes a node from the names of its operands."""

    @abstractmethod
    def operand(self, i: Expr) -> str:
        """The name of a value, or a constant as it is written."""

    @abstractmethod
    def results(self) -> list[str]:
        """What is returned, one text an output."""

    def outputs(self) -> list[str]:
        """The names of the outputs."""
        return [self.operand(y) for y in self.plan.graph.outputs]

    # ---- the text

    def text(self) -> str:
        """The whole program."""
        if self.loop:
            self.rooms = self.loop.take_rooms(self.plan) if self.plan.in_place else {}
            body = self.operations()  # which may give results other names
            found = self.results() if self.loop.fresh else self.outputs()
            left = dict.fromkeys(self.names[n] for n in self.plan.left(len(self.loop.states)))
            lines = self.loop.text(body, found, left=[*left])
        else:
            lines = [*plain(self.beginning()), *self.operations(), *plain(self.end())]
        head = [*self.decorators(), self.header()]
        self.lines = {k: n for k, (_, n) in enumerate(lines, 1 + len(head)) if n is not None}
        self.written = [*head, *(f"    {line}" for line, _ in lines), ""]
        return "\n".join(self.written)

    def decorators(self) -> list[str]:
        """The lines before the header."""
        around = [] if self.within else [*self.around]
        held = dict.fromkeys([*self.shared, *self.updated]) if self.updated else ()
        return [*around, *taking(list(map(self.keeper, held)))]

    def beginning(self) -> list[str]:
        """The lines that take the values in."""
        checked = [f"{self.arguments(',')} = accept({self.arguments()})"]
        lines = checked if self.inputs and not self.within else []
        alone = not self.inputs and not self.within
        lines += ["accept()"] if alone and self.tell_lengths() else []  # which are to agree
        read = [(self.names[w], self.keeper(w)) for w in self.shared]
        return lines + reading(read, bool(self.updated))

    def tell_lengths(self) -> bool:
        """Do lengths depend on shared values: on their shapes, or on numbers among them?"""
        shapes = any(not w.type.known for w in self.shared)
        return shapes or bool(deciding(self.plan.graph, self.shared))

    def operations(self) -> Lines:
        """A line for each operation, lines that ask, and lines that free arrays."""
        lines = plain(self.guards.before(self.operand)) if self.guards else []
        frees, over = self.plan.frees, self.plan.over
        looks = self.check or self.guards
        for step in self.plan.steps:
            if isinstance(step, Region):
                lines += self.region(step)
                last = step.members[-1]
            else:
                lines += self.statement(step)
                last = step
            if looks:
                lines += self.looks(nodes_of(step))
            if over[last] in frees:
                lines += self.deletion(frees[over[last]], last)
        return lines

    def deletion(self, freed: Sequence[Expr], last: Expr) -> Lines:
        """The line that frees arrays after an operation."""
        dead = dict.fromkeys([self.names[m] for m in freed if self.is_freed(m, last)])
        return plain([f"del {', '.join(dead)}"] if dead else [])

    def looks(self, members: Sequence[Expr]) -> Lines:
        """The lines that look at values: are they finite, and do guards hold?"""
        lines: Lines = []
        for n in members:
            if self.check:
                from .finite import check_line  # loaded when it is first needed

                lines.append((check_line(self, n), None))
            lines += plain(self.guards.after(n, self.operand)) if self.guards else []
        return lines

    def is_freed(self, m: Expr, last: Expr) -> bool:
        """Has m a value after this operation?"""
        return self.loop is None or bool(self.loop.has(m, last))

    def statement(self, n: Expr) -> Lines:
        """The lines that compute a node."""
        return [(f"{self.names[n]} = {self.call(n)}", n)]

    def region(self, region: Region) -> Lines:
        """The lines that compute a region; a target that writes into arrays has them."""
        return [line for n in region.members for line in self.statement(n)]

    def end(self) -> list[str]:
        """The lines that update shared values and give the results."""
        results = self.results()
        end = len(results) - len(self.updated)
        new = zip(self.updated, self.plan.graph.outputs[end:], results[end:], strict=True)
        rows = [(self.keeper(w), r, e.type is w.type) for w, e, r in new]
        return [*writing(rows), f"return {self.together(results[self.questions : end])}"]

    def finished(self, run: Callable[..., Any], guard: Any) -> Callable[..., Any]:
        """What users call, from the function that the text defines; a guard takes values in."""
        return run

    def keeper(self, w: Shared) -> str:
        """The name by which the program knows the shared object itself."""
        return self.bind(f"shared_{self.names.get(w, w.name or '')}", w)

    def bind(self, name: str, value: Any) -> str:
        """A name in the program for an object; the same name for the same object."""
        chosen = self.free(name, value)
        self.mean(chosen, value)
        return chosen

    def mean(self, name: str, value: Any) -> None:
        """Let a name mean an object, here and in what is written later."""
        self.space[name] = self.common.meaning[name] = value

    def free(self, name: str, value: Any = ...) -> str:
        """A name like this that no variable has and, in the program, no other object."""
        free = (v for v in numbered(name) if v not in self.variables)
        known = (self.space, self.common.meaning)
        return next(v for v in free if all(v not in k or k[v] is value for k in known))

    def shapes(self, n: Expr, values: Mapping[str, Any]) -> list[Any]:
        """The shapes of a node's operands, given the variables of the program."""
        found = [
            i.value if isinstance(i, Constant) else values.get(self.names.get(i, ""))
            for i in n.inputs
        ]
        return [getattr(v, "shape", ()) for v in found]
