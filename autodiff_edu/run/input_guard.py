"""The guard of a program: values become arrays of the declared types, and their lengths must agree.

What only the values tell, the lengths that were unknown, is checked by inferring all types again
with the lengths put in, once for each combination of shapes and of whole numbers by which lengths
are computed. Shared values may have such lengths, too, and be such numbers.
"""

from collections.abc import Callable, Sequence
from typing import Any

from numpy import ndarray

from ..expr import Graph, Input, Shared, check_shapes, deciding
from ..expr import accept as array_of

KEPT = 10_000  # combinations that are known to agree
QUICK = """
def accept({given}):
    if {tests}:
        return {given},
    return careful({given})"""


class InputGuard:
    """Called with the user's values it returns them checked, as a tuple."""

    def __init__(self, graph: Graph, inputs: Sequence[Input], accept: Callable[..., Any]):
        self.graph, self.inputs, self.accept = graph, tuple(inputs), accept
        held = [n for n in graph.leaves if isinstance(n, Shared)]
        self.shared = [n for n in held if not n.type.known]
        self.lengths = deciding(graph, (*inputs, *held))
        self.varying = bool(self.shared or self.lengths) or not all(i.type.known for i in inputs)
        self.seen: set[tuple] = set()
        as_they_are = accept is array_of and not self.varying
        self.exact = [(i.dtype, i.type.shape) for i in inputs] if as_they_are else []

    @property
    def entry(self) -> Callable[..., tuple]:
        """The same as a plain function, which is quick where arrays are of the declared types."""
        exact = self.exact
        if not exact or any(not shape for _, shape in exact):  # numbers come in many types
            return self
        names = [f"v{k}" for k in range(len(exact))]
        tests = [f"type({v}) is ndarray and {v}.dtype is dtype_{v} and {v}.shape == {shape}"
                 for v, (_, shape) in zip(names, exact)]  # fmt: skip
        given = ", ".join(names)
        text = QUICK.format(given=given, tests=" and ".join(tests))
        space: dict[str, Any] = {"ndarray": ndarray, "careful": self}
        space |= {f"dtype_{v}": dtype for v, (dtype, _) in zip(names, exact)}
        exec(compile(text, "<arguments>", "exec"), space)
        return space["accept"]

    def __call__(self, *given: Any) -> tuple:
        values = tuple([self.accept(i, v) for i, v in zip(self.inputs, given, strict=True)])
        if self.varying:
            self.check(values)
        return values

    def check(self, values: tuple) -> None:
        """Do all lengths agree, also those that whole numbers say?"""
        met = [*values, *[w.held for w in self.shared]]
        shapes = tuple([getattr(v, "shape", ()) for v in met])
        given: dict[Any, Any] = dict(zip(self.inputs, values, strict=True))
        numbers = {n: int(n.held if isinstance(n, Shared) else given[n]) for n in self.lengths}
        case = (shapes, *numbers.values())
        if case not in self.seen:
            check_shapes(self.graph, (*self.inputs, *self.shared), shapes, numbers)
            if len(self.seen) >= KEPT:
                self.seen.clear()
            self.seen.add(case)
