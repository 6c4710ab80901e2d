"""The gate of a program: values become arrays of the declared types, and their lengths must agree.

What only the values tell, the lengths that were unknown, is checked by inferring all types again
with the lengths put in, once for each combination of shapes.
"""

from collections.abc import Sequence
from typing import Any

from ..expr import Graph, Input, accept, check_shapes


class InputGuard:
    """Called with the user's values it returns them checked, as a tuple."""

    def __init__(self, graph: Graph, inputs: Sequence[Input], numbers: bool):
        self.graph, self.inputs, self.numbers = graph, tuple(inputs), numbers
        self.varying = not all(i.type.known for i in inputs)
        self.seen: set[tuple] = set()

    def __call__(self, *given: Any) -> tuple:
        values = tuple([accept(i, v) for i, v in zip(self.inputs, given, strict=True)])
        if self.numbers:
            return tuple(map(float, values))
        if self.varying:
            shapes = tuple([getattr(v, "shape", ()) for v in values])
            if shapes not in self.seen:
                check_shapes(self.graph, self.inputs, shapes)
                self.seen.add(shapes)
        return values
