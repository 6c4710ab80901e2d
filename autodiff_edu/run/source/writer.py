"""Source: a planned graph as the text of a Python function, one line a node.

User's names are kept where they are identifiers and free; anything else is called v1, v2, ...
"""

import builtins
import keyword
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Any

import numpy as np

from ...expr import Constant, Expr, Graph, Shared, computed_by, item, number, postorder, subscript
from ...ops.index import index
from ..plan import Plan, numpy_function, ours
from .loops import Lines, Loop, plain
from .numbers import FUNCTIONS, form, is_number, is_scalar, literal
from .sharing import SPACE, reading, taking, writing

NO_LETTER = re.compile(r"\W|^(?=\d)", re.ASCII)
SAME_IN_NUMPY = ("sum", "mean", "max", "min", "where")
WORDS = [*"np careful fresh accept each room no_steps".split(), *SPACE]  # names of its own
TAKEN = {*keyword.kwlist, *dir(builtins), *WORDS, *FUNCTIONS}


def numbered(name: str) -> Iterator[str]:
    """x, x_1, x_2, …"""
    return chain([name], (f"{name}_{k}" for k in count(1)))


def identifier(word: str) -> str:
    """A user's word for an operation, as a name that means nothing else in a program."""
    name = NO_LETTER.sub("_", word)
    return name + "_" * (name in TAKEN)


class Source:
    """The text of a program and the objects to which its names refer."""

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
    ):
        self.plan, self.inputs, self.function = plan, tuple(inputs), name
        self.inner, self.within = inner, within  # makes programs of bodies; is this one of them?
        self.before: list[str] = []  # their texts
        self.lowered: dict[tuple, str] = {}
        self.updated = tuple(updated)  # the last outputs are their next values
        self.shared = [n for n in postorder(plan.graph.outputs) if isinstance(n, Shared)]
        self.listed = listed or len(plan.graph.outputs) - len(self.updated) != 1
        self.wanted: dict[Expr, set[int]] = {}  # which results of a node are used
        for owner, place in map(computed_by, plan.order):
            self.wanted.setdefault(owner, set()).add(place)
        self.names: dict[Expr, str] = {}
        self.used = set(TAKEN) | {name}
        self.numbered = (f"v{k}" for k in count(1))
        self.space: dict[str, Any] = {"np": np, "fresh": np.array}
        self.space |= SPACE if self.shared or updated else {}
        for n in (*self.inputs, *self.shared, *plan.order):
            self.names[n] = self.name(n)
        words = [self.names[i] for i in self.inputs]
        self.loop = Loop(loop[0], loop[1], words, self.new_name) if loop else None
        self.space |= self.loop.space if self.loop else {}
        self.variables = {*self.used} - TAKEN
        self.lines: dict[int, Expr] = {}  # which node a line of the text computes
        numbers = is_scalar(plan.graph) and all(map(is_number, self.inputs))
        self.scalar = numbers and len(plan.graph.outputs) > 0 and not (self.shared or updated)

    def new_name(self, word: str) -> str:
        """A name like this that nothing has yet."""
        chosen = next(v for v in numbered(NO_LETTER.sub("_", word)) if v not in self.used)
        self.used.add(chosen)
        return chosen

    def name(self, n: Expr) -> str:
        wanted = n.name or ""
        if not (wanted.isidentifier() and wanted.isascii()) or wanted in self.used:
            wanted = next(v for v in self.numbered if v not in self.used)
        self.used.add(wanted)
        return wanted

    # ---- arrays

    def text(self) -> str:
        """The program for arrays."""
        if self.loop:
            found = [self.operand(y) for y in self.plan.graph.outputs]
            left = [self.names[n] for n in self.plan.left(len(self.loop.states))]
            lines = self.loop.text(self.operations(), found, left=left)
        else:
            lines = [*plain(self.beginning()), *self.operations(), *plain(self.end())]
        silent = [] if self.within else ['@np.errstate(all="ignore")']
        held = dict.fromkeys([*self.shared, *self.updated]) if self.updated else ()
        head = [*silent, *taking(list(map(self.keeper, held))), self.header()]
        self.lines = {k: n for k, (_, n) in enumerate(lines, 1 + len(head)) if n is not None}
        return "\n".join([*head, *(f"    {line}" for line, _ in lines), ""])

    def beginning(self) -> list[str]:
        """The lines that take the values in."""
        checked = [f"{self.arguments(',')} = accept({self.arguments()})"]
        lines = checked if self.inputs and not self.within else []
        read = [(self.names[w], self.keeper(w)) for w in self.shared]
        return lines + reading(read, bool(self.updated))

    def operations(self) -> Lines:
        """A line for each operation, and lines that free arrays."""
        lines: Lines = []
        for k, n in enumerate(self.plan.order):
            lines.append((f"{self.names[n]} = {self.call(n)}", n))
            dead = [self.names[m] for m in self.plan.frees.get(k, ())]
            lines += plain([f"del {', '.join(dead)}"] if dead else [])
        return lines

    def end(self) -> list[str]:
        """The lines that update shared values and give the results."""
        results = self.results()
        count = len(results) - len(self.updated)
        new = zip(self.updated, self.plan.graph.outputs[count:], results[count:], strict=True)
        rows = [(self.keeper(w), r, e.type is w.type) for w, e, r in new]
        return [*writing(rows), f"return {self.together(results[:count])}"]

    def keeper(self, w: Shared) -> str:
        """The name by which the program knows the shared object itself."""
        return self.bind(f"shared_{self.names.get(w, w.name or '')}", w)

    def header(self) -> str:
        return f"def {self.function}({self.arguments()}):"

    def arguments(self, end: str = "") -> str:
        """The names of the inputs; with a comma after a single one where a tuple is unpacked."""
        if self.loop:
            return self.loop.arguments
        names = [self.names[i] for i in self.inputs]
        return ", ".join(names) + (end if len(names) == 1 else "")

    def together(self, texts: list[str]) -> str:
        return f"[{', '.join(texts)}]" if self.listed else texts[0]

    def call(self, n: Expr) -> str:
        weak = all(i.dtype.kind != "f" or i.dtype == "float64" for i in n.inputs)
        args = [self.operand(i, weak, isinstance(n.op.body, Graph)) for i in n.inputs]
        if n.op is item:
            return f"{args[0]}[{computed_by(n)[1]}]"
        if n.op is index and n.inputs[0].ndim:
            return f"{args[0]}[{', '.join(map(subscript, dict(n.static)['key']))}]"
        symbol = getattr(n.op, "symbol", "")
        into = self.plan.into.get(n)
        if symbol and into is None and symbol not in "~&|":
            return f"{symbol}{args[0]}" if len(args) == 1 else f"{args[0]} {symbol} {args[1]}"
        defaults = n.op.parameters
        settings = [f"{k}={v!r}" for k, v in n.static if v != defaults.get(k, ...)]
        if into is not None:
            settings.append(f"out={self.names[into]}")
        return f"{self.callee(n)}({', '.join(args + settings)})"

    def callee(self, n: Expr) -> str:
        """NumPy's own function where there is one, otherwise the operation's body."""
        known = numpy_function(n)
        if isinstance(known, np.ufunc) or (known is not None and n.op.name in SAME_IN_NUMPY):
            return f"np.{n.op.name}"
        if not isinstance(n.op.body, Graph):
            name = n.op.name if ours(n) else identifier(n.op.name)
            return self.bind(name, n.op.targets.get("numpy", n.op.perform))
        wanted = frozenset(self.wanted[n])
        if (n.op, wanted) not in self.lowered:
            self.lowered[n.op, wanted] = self.lower(n.op, wanted)
        return self.lowered[n.op, wanted]

    def lower(self, op: Any, wanted: frozenset[int]) -> str:
        """The name of the function that computes an operation with a body, of which only some
        results are wanted; the program of its body stands before this one."""

        def compile(body: Graph, word: str, loop: Any = None) -> Callable[..., Any]:
            name = self.free(identifier(word))
            self.space[name] = None
            program = self.inner(body, name, loop)
            self.before.append(program.source)
            self.space[name] = program.run
            return program.run

        run = op.lowered(compile, wanted)
        known = [name for name, value in self.space.items() if value is run]
        return known[0] if known else self.bind(identifier(op.name), run)

    def operand(self, i: Expr, weak: bool = True, count: bool = False) -> str:
        """A name or, where a Python number among the operands means the same, a number."""
        if not isinstance(i, Constant):
            return self.names[i]
        if weak and not i.ndim and i.dtype == "float64" and np.isfinite(i.value):
            text = number(i.value)
            text = text if "." in text or "e" in text else f"{text}.0"
            return f"({text})" if text.startswith("-") else text
        if not i.ndim and i.dtype == "int64" and count:
            return str(i.value)
        return self.bind(f"c{len(self.space)}", i.value)

    def bind(self, name: str, value: Any) -> str:
        """A name in the program for an object; the same name for the same object."""
        chosen = self.free(name, value)
        self.space[chosen] = value
        return chosen

    def free(self, name: str, value: Any = ...) -> str:
        """A name like this that no variable has and, in the program, no other object."""
        free = (v for v in numbered(name) if v not in self.variables)
        return next(v for v in free if v not in self.space or self.space[v] is value)

    def shapes(self, n: Expr, values: Mapping[str, Any]) -> list[Any]:
        """The shapes of a node's operands, given the variables of the program."""
        found = [i.value if isinstance(i, Constant) else values[self.names[i]] for i in n.inputs]
        return [getattr(v, "shape", ()) for v in found]

    def results(self) -> list[str]:
        """The outputs, copied where their array belongs to somebody else."""
        texts, given = [], set()
        for o in self.plan.graph.outputs:
            home = self.plan.home(o)
            theirs = self.plan.lent(o) or home in given
            texts.append(f"fresh({self.operand(o)})[()]" if theirs else self.operand(o))
            given.add(home)
        return texts

    # ---- numbers

    def scalar_text(self) -> str:
        """The program for single numbers; `careful` is the same program by NumPy."""
        results = [self.scalar_operand(o) for o in self.plan.graph.outputs]
        body = [f"{self.names[n]} = {self.scalar_call(n)}" for n in self.plan.order]
        if self.loop:
            body = [line for line, _ in self.loop.text(plain(body), results, numbers=True)]
        else:
            body.append(f"return {self.together(results)}")
        lines = ["try:", *(f"    {line}" for line in body)]
        lines += ["except (ValueError, OverflowError, ZeroDivisionError):"]
        lines += [f"    return careful({self.arguments()})"]
        if self.inputs and not self.within:
            classes = " is ".join(f"{self.names[i]}.__class__" for i in self.inputs)
            test = (
                f"not ({classes} is float)" if len(self.inputs) > 1 else f"{classes} is not float"
            )
            lines[:0] = [f"if {test}:",
                         f"    {self.arguments(',')} = accept({self.arguments()})"]  # fmt: skip
        return "\n".join([self.header(), *(f"    {line}" for line in lines), ""])

    def scalar_call(self, n: Expr) -> str:
        return form(n).format(*[self.scalar_operand(i) for i in n.inputs])

    def scalar_operand(self, i: Expr) -> str:
        return literal(i) if isinstance(i, Constant) else self.names[i]
