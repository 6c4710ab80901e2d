"""Checking the lengths that only the values tell, by inferring all types again with them."""

from collections.abc import Sequence

from .address import MISUSE, explained
from .errors import ShapeError
from .expr import Expr
from .graph import Graph
from .types import TensorType


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
    except MISUSE as error:
        raise explained(error, n, [t.shape for t in types]) from None


def check_stretch(n: Expr, types: list[TensorType], found: TensorType) -> None:
    """Only a length declared to be 1 stretches: the derivative was built on that."""
    for i, t in zip(n.inputs, types, strict=True):
        extra = found.ndim - t.ndim
        for k, (declared, length) in enumerate(zip(i.type.shape, t.shape, strict=True)):
            if declared is None and length == 1 and found.shape[k + extra] not in (1, None):
                raise ShapeError(
                    f"axis {k} of {i.name or i} has length 1 and meets {found.shape[k + extra]}; "
                    "declare that length as 1 if it is to stretch"
                )
