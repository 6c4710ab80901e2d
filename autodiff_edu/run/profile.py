"""What a program does, line by line: how often, for how long, how many bytes and operations.

Python tells a trace function of each line before it runs. Only frames of the program are listened
to, and the time of a line is that until the next one of its frame; a line that calls a body, as
that of a loop does, has the body's time as well.
"""

import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from math import fsum, prod
from time import perf_counter
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

from ..expr import Expr, Graph, TensorType, hooked, infer
from ..ops import flops
from .entry import by_names

ASSIGNED = r"\s*(?:(\w+)(?:\[.*?\])? [-+*/]?= |.*\bout=(\w+)\)$)"
DEFINED = r"(?m)^def (\w+)\("


class Line(NamedTuple):
    """What one line did in a call of the program.

    Parameters
    ----------
    number : int
        Its place in the source.
    text : str
        What it says.
    calls : int
        How often it ran.
    seconds : float
        How long it took, all in all.
    bytes : int
        How much it wrote to arrays, all in all.
    flops : int or None
        Floating point operations, all in all; None where they are not known.
    node : Expr or None
        What it computes.
    parts : tuple of Expr
        The same, and what is computed on the way to it in this line.

    Examples
    --------
    >>> x = ad.vector("x", shape=3)
    >>> line = ad.function(x, ad.exp(x)).profile(np.zeros(3)).lines[1]
    >>> line.number, line.text, line.calls, line.bytes, line.flops, line.node
    (4, 'v1 = np.exp(x)', 1, 24, 3, exp(x))
    """

    number: int
    text: str
    calls: int
    seconds: float
    bytes: int
    flops: int | None
    node: Expr | None
    parts: tuple[Expr, ...] = ()


class Profile:
    """What a call of a program did, line by line. It is shown as a table, and drawn as the graph
    coloured by time.

    Parameters
    ----------
    lines : list of Line
        Those that ran, in their order.
    graph : Graph
        What the program computes.
    seconds : float
        How long the lines of the program itself took, with what they call.

    Examples
    --------
    >>> x = ad.vector("x", shape=1000)
    >>> profile = ad.function(x, ad.sum(ad.exp(x) * x)).profile(np.zeros(1000))
    >>> [(line.text, line.calls, line.bytes, line.flops) for line in profile.lines if line.node]
    [('v1 = np.exp(x)', 1, 8000, 1000), ('v2 = v1.dot(x)', 1, 8, 2000)]
    """

    def __init__(self, lines: Sequence[Line], graph: Graph, seconds: float):
        self.lines, self.graph, self.seconds = tuple(lines), graph, seconds

    draw = hooked("draw")
    table = hooked("table")

    def __repr__(self) -> str:
        return repr(self.table())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return self.table()._repr_mimebundle_()


class Watch:
    """Listens to the frames of a program."""

    def __init__(self, source: str, codes: dict[str, CodeType]):
        self.texts = source.split("\n")
        self.calls: dict[int, int] = {}
        self.seconds: dict[int, float] = {}
        self.bytes: dict[int, int] = {}
        self.above = {codes[name]: k for name, k in starts(source).items() if name in codes}
        self.current: dict[FrameType, tuple[int, float]] = {}

    def enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Called for each new frame: is it one of the program's?"""
        return self.line if frame.f_code in self.above else None

    def line(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Called before each line, and at the end."""
        now = perf_counter()
        if frame in self.current:
            number, since = self.current.pop(frame)
            self.seconds[number] = self.seconds.get(number, 0.0) + now - since
            if number not in self.bytes:
                self.bytes[number] = written(self.texts[number - 1], frame)
        if event == "line":
            number = self.above[frame.f_code] + frame.f_lineno
            self.calls[number] = self.calls.get(number, 0) + 1
            self.current[frame] = number, perf_counter()
        return self.line

    def loop_of(self, number: int) -> int | None:
        """The line of the loop in whose body a line stands."""
        depth = indentation(self.texts[number - 1])
        for k in range(number - 1, 0, -1):
            if indentation(self.texts[k - 1]) < depth:
                return k if self.texts[k - 1].lstrip().startswith("for ") else None
        return None


def indentation(text: str) -> int:
    return len(text) - len(text.lstrip())


def starts(source: str) -> dict[str, int]:
    """How many lines stand above each function of a source, its decorators not counted."""
    found = {}
    lines = source.split("\n")
    for match in re.finditer(DEFINED, source):
        k = source.count("\n", 0, match.start())
        while k and lines[k - 1].startswith("@"):
            k -= 1
        found[match[1]] = k
    return found


def written(text: str, frame: FrameType) -> int:
    """How many bytes the array has that a line has just written."""
    match = re.match(ASSIGNED, text)
    value = frame.f_locals.get(match[1] or match[2]) if match else None
    return value.nbytes if isinstance(value, (np.ndarray, np.generic)) else 0


def codes_of(run: Callable[..., Any]) -> dict[str, CodeType]:
    """The code of a program's function and of those that it calls, by name."""
    found: dict[str, CodeType] = {}
    waiting = [run]
    while waiting:
        function = inspect.unwrap(waiting.pop())
        code = getattr(function, "__code__", None)
        if code and code.co_filename == f"<{code.co_name}>" and code.co_name not in found:
            found[code.co_name] = code
            waiting += [f for f in function.__globals__.values() if callable(f)]
    return found


def profiled(run: Callable[..., Any], program: Any, args: tuple, named: dict) -> Profile:
    """A call of a program, watched. One that changes nothing is called once before, since a first
    call may load libraries."""
    if not program.updated:
        run(*args, **named)
    watch, before = Watch(program.source, codes_of(run)), sys.gettrace()
    sys.settrace(watch.enter)
    try:
        run(*args, **named)
    finally:
        sys.settrace(before)
    values = by_names(values_given(run), program.inputs)(*args, **named)
    met = zip(program.inputs, map(np.shape, values), strict=True)
    types = infer(program.graph, {i: TensorType(i.dtype, shape) for i, shape in met})
    lines = [row(watch, program, types, number) for number in sorted(watch.calls)]
    main = max(watch.above.values())
    seconds = fsum([line.seconds for line in lines if line.number > main])
    return Profile(lines, program.graph, seconds)


def values_given(run: Callable[..., Any]) -> Callable[..., Any]:
    """The function that tells what run is called with, in the order of its parameters."""

    @wraps(run)
    def values(*args: Any, **named: Any) -> Any:
        return inspect.signature(run).bind(*args, **named).arguments.values()

    return values


def row(watch: Watch, program: Any, types: Mapping[Expr, Any], number: int) -> Line:
    """What one line did."""
    n = program.lines.get(number)
    calls, text = watch.calls[number], watch.texts[number - 1].strip()
    loop, plans = watch.loop_of(number), [p.plan for p in with_bodies(program)]
    in_blocks = (
        n is not None and loop is not None and any(n in p.local or n in p.escaping for p in plans)
    )
    runs = watch.calls[loop] - calls if in_blocks and loop else calls
    size = watch.bytes.get(number, 0) if n is not None and not n.op.view else 0
    if in_blocks and n is not None and n.type.known:
        size = prod(n.type.shape) * n.dtype.itemsize
    parts = [] if n is None else [n, *program.beside.get(n, ())]
    each = [operations(m, types) for m in parts]
    known = [f for f in each if f is not None]
    done = fsum(known) * runs if parts and len(known) == len(each) else None
    seconds = watch.seconds.get(number, 0.0)
    flops_done = None if done is None else int(done)
    return Line(number, text, calls, seconds, size * runs, flops_done, n, tuple(parts))


def with_bodies(program: Any) -> list[Any]:
    """A program and all that it calls."""
    found = [program]
    for p in found:
        found += p.bodies
    return found


def operations(n: Expr, types: Mapping[Expr, Any]) -> int | None:
    """Floating point operations of a node, for these types of the nodes of the program; of those
    of bodies the types are as they were declared. None where a length depends on values."""
    if n not in types or isinstance(n.op.body, Graph):
        return None if isinstance(n.op.body, Graph) else flops(n)
    if None in getattr(types[n], "shape", ()):
        return None
    if n.op.elementwise:
        return prod(types[n].shape)
    if n.op.cost and all(types[i].known for i in n.inputs):
        shapes = [types[i].shape for i in (*n.inputs, n)]
        return int(n.op.cost(*shapes, **dict(n.static)))
    return flops(n)
