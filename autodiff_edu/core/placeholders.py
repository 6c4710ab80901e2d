"""Leaves that stand for a value of some type, for a derivative that does not exist, or for any part
of a pattern."""

from typing import Any

from . import plain  # noqa: F401
from .node import Expr, Input, origin_now
from .seams import hook
from .types import UNTYPED, DisconnectedType, NullType, TensorType


@hook("input of type")
def input_of_type(type: TensorType, name: str) -> Input:
    return Input(name, type)


class Null(Expr):
    """Stands for a derivative that does not exist; its origin tells where, and `within` which body
    of an operation it was found in, and as what."""

    __slots__ = ("why", "within")

    def __init__(self, why: str, within: Any = None):
        super().__init__(None, (), (), NullType(why), origin_now())  # type: ignore[arg-type]
        self.why, self.within = why, within


class Disconnected(Expr):
    """Stands for a derivative where no path connects the two."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(None, (), (), DisconnectedType("no path"), None)  # type: ignore[arg-type]


class Wild(Expr):
    """Stands for any expression in the patterns of rewrite rules; it has no type of its own."""

    __slots__ = ("constant",)

    def __init__(self, name: str, constant: bool = False):
        super().__init__(None, (), (), UNTYPED, None, name)
        self.constant = constant


class Literal(Expr):
    """A number in a pattern: weak, it takes the dtype of what it meets."""

    __slots__ = ("value",)

    def __init__(self, value: float):
        super().__init__(None, (), (), UNTYPED)
        self.value = value
