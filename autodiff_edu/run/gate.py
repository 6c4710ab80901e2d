"""The gate of a program: values become arrays of the declared types, and their lengths must agree.

What only the values tell, the lengths that were unknown, is checked by inferring all types again
with the lengths put in, once for each combination of shapes.
"""

from collections.abc import Sequence
from typing import Any

from ..expr import Constant, Expr, Graph, Input, ShapeError, TensorType, accept, at, spell


class Gate:
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


def check_shapes(graph: Graph, inputs: Sequence[Expr], shapes: Sequence[tuple]) -> None:
    """Infer all types again from the values' shapes. Raises ShapeError with names and place."""
    given = dict(zip(inputs, shapes, strict=True))
    types: dict[Expr, TensorType] = {}
    for n in graph.nodes:
        if n.op is not None:
            types[n] = check_node(n, [types[i] for i in n.inputs])
        else:
            types[n] = TensorType(n.dtype, given.get(n, n.type.shape))


def check_node(n: Expr, types: list[TensorType]) -> TensorType:
    try:
        found = n.op.infer_type(*types, **dict(n.static))
        if getattr(n.op, "elementwise", False):
            check_stretch(n, types, found)
        return found
    except ShapeError as error:
        met = " and ".join(
            f"{i.name or i} of shape {spell(t.shape)}"
            for i, t in zip(n.inputs, types, strict=True)
            if not isinstance(i, Constant)
        )
        raise ShapeError(f"{n.op.name} of {met}{at(n)}: {error}") from None


def check_stretch(n: Expr, types: list[TensorType], found: TensorType) -> None:
    """Only a length declared to be 1 stretches: the derivative was built on that."""
    for i, t in zip(n.inputs, types, strict=True):
        extra = found.ndim - t.ndim
        for k, (declared, length) in enumerate(zip(i.type.shape, t.shape, strict=True)):
            if declared is None and length == 1 != found.shape[k + extra]:
                raise ShapeError(
                    f"axis {k} of {i.name or i} has length 1 and meets {found.shape[k + extra]}; "
                    "declare that length as 1 if it is to stretch"
                )
