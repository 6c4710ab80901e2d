"""The target `numpy`: arrays, by NumPy's own functions and operators where there are any."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ...expr import Constant, Expr, Graph, computed_by, item, number, subscripts
from ...ops import index
from ...ops.in_python import numpy_function, operator_of, ours
from ..entry import SILENT
from ..plan import Region, room_for_speed
from .target import target
from .text import Lines
from .writer import Source, identifier

FLOAT = np.dtype("float64")
SAME_IN_NUMPY = ("sum", "mean", "max", "min", "where")


@target("numpy")
class Arrays(Source):
    """Programs over NumPy. A class that inherits may name another library of the same functions."""

    namespace, library, target = "np", np, "numpy"
    around = (SILENT,)

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.fast = room_for_speed()
        self.space |= {"np": np, self.namespace: self.library, "fresh": self.library.array}

    def statement(self, n: Expr) -> Lines:
        lines = self.fast and self.fast.lines(self, n)
        return lines or super().statement(n)

    def region(self, region: Region) -> Lines:
        return self.fast.blocks(self, region) if self.fast else super().region(region)

    def call(self, n: Expr, out: str = "") -> str:
        into = self.plan.into.get(n)
        out = out or (self.rooms.get(n, "") if into is None else self.names[into])
        text = self.fast and self.fast.form(self, n, out)
        if text:
            return text
        within = isinstance(n.op.body, Graph)
        args = [self.names.get(i) or self.operand(i, self.weak(n), within) for i in n.inputs]
        if n.op is item:
            return f"{args[0]}[{computed_by(n)[1]}]"
        if n.op is index and n.inputs[0].ndim:
            return f"{args[0]}[{subscripts(dict(n.static)['key'])}]"
        symbol = operator_of(n.op)
        if symbol and not out and symbol not in "~&|":
            return f"{symbol}{args[0]}" if len(args) == 1 else f"{args[0]} {symbol} {args[1]}"
        defaults = n.op.parameters
        settings = [f"{k}={v!r}" for k, v in n.static if v != defaults.get(k, ...)]
        if out:
            settings.append(f"out={out}")
        return f"{self.callee(n)}({', '.join(args + settings)})"

    def weak(self, n: Expr) -> bool:
        """Do Python's numbers mean the same among its operands? With these alone 0.0 / 0.0 is an
        error."""
        if isinstance(n.op.body, Graph):
            return False
        floats = all(i.type.dtype == FLOAT or not i.type.is_float for i in n.inputs)
        return floats and (not n.op.elementwise or any(i in self.names for i in n.inputs))

    def callee(self, n: Expr) -> str:
        """NumPy's own function where there is one, otherwise the operation's body."""
        known = numpy_function(n.op)
        if isinstance(known, np.ufunc) or (known is not None and n.op.name in SAME_IN_NUMPY):
            return f"{self.namespace}.{n.op.name}"
        if not isinstance(n.op.body, Graph):
            name = n.op.name if ours(n.op) else identifier(n.op.name)
            body = n.op.body if ours(n.op) and inspect.isfunction(n.op.body) else n.op.perform
            return self.bind(name, n.op.targets.get(self.target, body))
        dying = self.fast.dying(self.plan, n) if self.fast and self.plan.in_place else frozenset()
        how = frozenset(self.wanted[n]), self.plan.read_backwards.get(n, frozenset()), dying
        if (n.op, how) not in self.lowered:
            self.lowered[n.op, how] = self.written_before(n.op, how) or self.lower(n.op, *how)
        return self.lowered[n.op, how]

    def written_before(self, op: Any, how: tuple) -> str:
        """The name of the function of an equal operation in another body of this program, if it
        means the same here. Branches of single numbers have two texts, and each body its own."""
        name = self.common.lowered.get((op, how), "")
        if not name or name in self.variables:
            return ""
        self.space[name] = self.common.meaning[name]
        return name

    def lower(self, op: Any, wanted: frozenset[int], *rows: frozenset[Any]) -> str:
        """The name of the function that computes an operation with a body, of which only some
        results are wanted; the program of its body stands before this one."""

        def compile(body: Graph, word: str, loop: Any = None) -> Callable[..., Any]:
            name = self.free(identifier(word))
            self.mean(name, None)
            program = self.inner(body, name, loop and (*loop, *rows))
            self.before.append((program.source, program.numbers_source))
            self.bodies.append(program)
            self.mean(name, program.run)
            self.numbers |= {} if program.numbers is None else {name: program.numbers}
            return program.run

        run = op.lowered(compile, wanted)
        known = [name for name, value in self.space.items() if value is run]
        name = known[0] if known else self.bind(identifier(op.name), run)
        if name not in self.numbers:
            self.common.lowered[op, (wanted, *rows)] = name
        return name

    def operand(self, i: Expr, weak: bool = True, within: bool = False) -> str:
        """A name or, where a Python number among the operands means the same, a number; what is
        given to the program of a body is NumPy's."""
        if i in self.names or not isinstance(i, Constant):
            return self.names[i]  # of a constant, that of its rows in a block
        if not i.ndim and i.dtype == FLOAT and np.isfinite(i.value):
            text = number(i.value)
            text = text if "." in text or "e" in text else f"{text}.0"
            if weak:
                return f"({text})" if text.startswith("-") else text
            if within and self.namespace == "np":
                return f"np.float64({text})"
        if not i.ndim and i.dtype == "int64" and within:
            return str(i.value)
        return self.bind(f"c{len(self.space)}", i.value)

    def results(self) -> list[str]:
        """The outputs, copied where their array belongs to somebody else."""
        texts, given = [], set()
        for o in self.plan.graph.outputs:
            home = self.plan.home(o)
            theirs = self.plan.lent(o) or home in given
            texts.append(f"fresh({self.operand(o)})[()]" if theirs else self.operand(o))
            given.add(home)
        return texts
