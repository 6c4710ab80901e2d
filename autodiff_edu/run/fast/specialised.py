"""One program a shape: a function of unknown lengths gets a program for lengths that come again.

The general program answers at once. Where the same lengths come again, the graph is built anew with
them, and planned, fused and written: most of what is asked at run time is known then.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, NamedTuple

from ...core.errors import MISUSE
from ...expr import (
    Constant,
    Expr,
    Graph,
    Input,
    Remembered,
    Shared,
    TensorType,
    deciding,
    put_in,
)
from ...nested.loops.scan_op import Scan
from ...nested.subgraph.body import again
from ...ops import length

MOST = 16  # programs that a function keeps
MANY = 1_000  # combinations of lengths that it counts
LARGE = 100  # operations for which one more call is awaited before they are specialised

Shapes = tuple[tuple[int, ...], ...]
Run = Callable[..., Any]


class Specialised(NamedTuple):
    """A program for certain lengths.

    Parameters
    ----------
    shapes : tuple of tuple of int
        Those of the inputs.
    program : Program
        It prints as its text.
    calls : int
        How often it ran.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> f = ad.function(x, ad.exp(x))
    >>> f(np.zeros(2)), f(np.zeros(2)), f(np.zeros(2))
    (array([1., 1.]), array([1., 1.]), array([1., 1.]))
    >>> [(one.shapes, one.calls) for one in f.specialised]
    [(((2,),), 1)]
    """

    shapes: Shapes
    program: Any
    calls: int


class Specialisations(Remembered):
    """The programs of a function by the shapes of its arguments.

    calls    how often each combination was met that has no program yet
    entries  by the shapes: [the function, how often it ran, the program or None]
    """

    def __init__(self, declared: Graph, compiled: Callable[[Graph], Any]):
        self.declared, self.compiled = declared, compiled
        self.awaited = 2 + len(declared.operations) // LARGE
        self.calls: dict[Shapes, int] = {}
        self.entries: dict[Shapes, list[Any]] = {}

    def meet(self, shapes: Shapes, run: Run) -> None:
        """Note that the general program has run with these shapes; specialise when they come
        again."""
        if len(self.calls) >= MANY:
            self.calls.clear()
        self.calls[shapes] = times = self.calls.get(shapes, 0) + 1
        if times == self.awaited and self.fits(shapes):
            self.enter(shapes, run)

    def fits(self, shapes: Shapes) -> bool:
        """Are they shapes of the inputs, as NumPy's arrays have them?"""
        inputs = self.declared.inputs
        return len(shapes) == len(inputs) and all(
            len(shape) == i.ndim for i, shape in zip(inputs, shapes, strict=True)
        )

    def enter(self, shapes: Shapes, run: Run) -> None:
        """Write the program for these shapes, in place of the one that ran least."""
        try:
            special = self.compiled(with_shapes(self.declared, shapes))
            entry = [special.func, 0, special]
        except MISUSE:  # an operation cannot be built with them, and the general program can
            entry = [run, 0, None]
        rows = list(self.entries.items())  # at once, beside other threads
        rows.sort(key=lambda row: row[1][1])
        for rarest, _ in rows[: max(0, len(rows) - MOST + 1)]:
            self.calls[rarest] = 0
            self.entries.pop(rarest, None)
        self.entries[shapes] = entry

    def listed(self) -> tuple[Specialised, ...]:
        """The programs, those of the latest shapes last."""
        rows = list(self.entries.items())
        return tuple([Specialised(s, f.program, calls) for s, (_, calls, f) in rows if f])


def specialising(run: Run, graph: Graph, compiled: Callable[[Graph], Any]) -> Run:
    """The function, which runs the program for the lengths that it is given, if there is one. It is
    the same function where the shapes of the inputs do not decide all lengths."""
    shared = [n for n in graph.leaves if isinstance(n, Shared)]
    if not all(n.type.known for n in shared) or deciding(graph, (*graph.inputs, *shared)):
        return run
    programs = Specialisations(graph, compiled)
    entries = programs.entries

    @wraps(run)
    def run_by_shapes(*values: Any, **named: Any) -> Any:
        if named:
            return run(*values, **named)
        shapes = tuple([getattr(v, "shape", ()) for v in values])
        try:
            entry = entries.get(shapes)
        except TypeError:  # what calls a list its shape
            return run(*values)
        if entry is not None:
            entry[1] += 1
            return entry[0](*values)
        result = run(*values)
        programs.meet(shapes, run)
        return result

    run_by_shapes.specialisations = programs  # type: ignore[attr-defined]
    return run_by_shapes


# ---- the graph with known lengths


def with_shapes(graph: Graph, shapes: Sequence[tuple[int, ...]]) -> Graph:
    """The graph for inputs of these shapes: all types are told anew."""
    inputs = [
        Input(i.name or "", TensorType(i.dtype, shape), i.facts)
        for i, shape in zip(graph.inputs, shapes, strict=True)
    ]
    outputs = put_in(graph.outputs, dict(zip(graph.inputs, inputs, strict=True)), known_lengths)
    return Graph(outputs, inputs, graph.names)


def known_lengths(n: Expr, inputs: tuple[Expr, ...]) -> Expr:
    """The operation on inputs whose types may tell more. A length that is known is a number, and so
    is all that whole numbers make of it; it enters the shapes that ask for it."""
    if n.op is None:
        return n
    if n.op is length and (m := inputs[0].type.shape[dict(n.static)["axis"]]) is not None:
        return Constant(m, n.dtype)
    shape = dict(n.static).get("shape")
    shape = shape if isinstance(shape, tuple) else ()
    missing = shape.count(None)
    lengths = inputs[len(inputs) - missing :]
    if missing and all(isinstance(i, Constant) for i in lengths):
        filling = iter([int(i.value) for i in lengths])
        full = tuple([next(filling) if m is None else m for m in shape])
        static = tuple([(k, full if k == "shape" else v) for k, v in n.static])
        return n.op.apply(inputs[: len(inputs) - missing], static)
    new = loop_again(n, inputs) if isinstance(n.op, Scan) else again(n, inputs)
    counts = n.op.lengths or (new.dtype.kind in "iu" and not new.ndim)
    if counts and all(isinstance(i, Constant) for i in inputs):
        return Constant(n.op.perform(*[i.value for i in inputs], **dict(n.static)), new.dtype)
    return new


def loop_again(n: Expr, inputs: tuple[Expr, ...]) -> Expr:
    """The loop of a node on these inputs, whose body knows their lengths, too."""
    _, starts, sequences, constants = n.op.split([i.type.shape for i in inputs])
    body = with_shapes(n.op.body, [*starts, *[shape[1:] for shape in sequences], *constants])
    new = n.op.changed(body).apply(inputs, n.static)
    new.origin, new.name = n.origin, n.name
    return new
