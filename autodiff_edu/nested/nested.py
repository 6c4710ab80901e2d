"""What all operations with a body have in common: two are equal if they are built alike."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from ..expr import Expr, Graph, Null, Op, signature


class Nested(Op):
    """An operation whose body is a graph. `changed` is the same operation with another body."""

    body: Graph
    key: tuple  # what makes two operations of one class equal

    def __init__(self) -> None:
        super().__init__()
        self.memory: dict[Any, Nested] = {}  # the operation with its body transformed, by how

    def changed(self, body: Graph) -> "Nested":
        raise NotImplementedError

    def transformed(self, transform: Callable[..., Graph], *options: Any) -> "Nested":
        """The operation with its body transformed, once for all its nodes; itself where nothing
        changed."""
        if (transform, options) not in self.memory:
            body = transform(self.body, *options)
            self.memory[transform, options] = self if body is self.body else self.changed(body)
        return self.memory[transform, options]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.key == other.key

    def __hash__(self) -> int:
        return self.digest

    @cached_property
    def digest(self) -> int:
        return hash(self.key)


def built_like(body: Graph) -> tuple:
    """Equal for bodies that are equal but for the identity of their inputs."""
    return signature(body.outputs, body.inputs)


def through(body: Graph, null: Null) -> Null:
    """A derivative that does not exist because one within a body does not."""
    return Null(null.why, (body, null))


def is_float(x: Expr) -> bool:
    return x.type.is_float
