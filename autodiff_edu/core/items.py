"""Operations with several results: their node has a tuple of types, and each result is a node
`item` of it."""

from typing import Any

from .node import Expr
from .op import Op
from .seams import hook
from .types import TensorType, TupleType


class Item(Op):
    """One of the results of an operation that has several."""

    name = label = "item"
    view = True
    parameters = {"place": 0}

    def infer_type(self, t: TupleType, place: int) -> TensorType:
        return t.items[place]

    def perform(self, results: tuple, place: int = 0) -> Any:
        return results[place]

    def __reduce__(self) -> str:
        return "item"


item = Item()


def computed_by(n: Expr) -> tuple[Expr, int]:
    """The node whose operation computes n, and which of its results n is."""
    return (n.inputs[0], dict(n.static)["place"]) if n.op is item else (n, 0)


@hook("results")
def results(n: Expr) -> tuple[Expr, ...]:
    """The results of a node: itself or, where it has several, a new item for each."""
    if not isinstance(n.type, TupleType):
        return (n,)
    return tuple(item.apply((n,), (("place", k),)) for k in range(len(n.type.items)))
