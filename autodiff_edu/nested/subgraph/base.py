"""What all operations with a body have in common: two are equal if they are built alike."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ...differentiate.higher import gated
from ...expr import Expr, Graph, Op, cached_property, deciding, postorder, signature


class Nested(Op):
    """An operation whose body is a graph. `changed` is the same operation with another body."""

    takes_none = True
    unknowns: Sequence[int] = ()  # the inputs of the body that an equation is about
    body: Graph
    key: tuple  # what makes two operations of one class equal
    changed: Callable[..., "Nested"]

    numbers: Mapping[Expr, int] = {}  # the inputs of the body whose values are told: lengths

    def __init__(self) -> None:
        super().__init__()
        self.memory: dict[Any, Any] = {}  # what was made of the body, by how: see transformed

    def transformed(self, transform: Callable[..., Graph], *options: Any) -> "Nested":
        """The operation with its body transformed, once for all its nodes; itself where nothing
        changed."""
        if (transform, options) not in self.memory:
            body = transform(self.body, *options)
            made = self if body is self.body else self.changed(body)
            made.memory[transform, options] = self.memory[transform, options] = made
        return self.memory[transform, options]

    def smaller(self, used: Iterable[int]) -> tuple[list[int], list[int]]:
        """The outputs and the inputs of the body that stay, if only these results are used."""
        outputs = sorted(used)
        needed = set(postorder([self.body.outputs[k] for k in outputs]))
        stays = [i in needed or k in self.unknowns for k, i in enumerate(self.body.inputs)]
        return outputs, [k for k, stay in enumerate(stays) if stay]

    @cached_property
    def decides(self) -> tuple[int, ...]:
        """The operands that are lengths inside."""
        found = set(deciding(self.body, self.body.inputs))
        inputs = [None if k is None else self.body.inputs[k] for k in self.inside]
        return tuple(k for k, i in enumerate(inputs) if i is not None and i in found)

    @property
    def inside(self) -> Sequence[int | None]:
        """The input of the body that each operand feeds."""
        return range(len(self.body.inputs))

    @cached_property
    def gate(self) -> bool:
        return gated(self.body)

    @cached_property
    def merges(self) -> bool:  # type: ignore[override]
        """May all that is inside be merged, too?"""
        return all(n.op.merges for n in self.body.operations)

    def __eq__(self, other: object) -> bool:
        if self is other or type(self) is not type(other):
            return self is other
        if self.digest != other.digest or self.key != other.key:
            return False
        other.key = self.key  # one object from now on, so that the next comparison is quick
        return True

    def __hash__(self) -> int:
        return self.digest

    @cached_property
    def digest(self) -> int:
        """Equal for equal boxes."""
        return hash(self.key)

    def __getstate__(self) -> dict[str, Any]:
        """What is stored: not what can be found again. A hash differs in another run of Python."""
        cls, state = type(self), vars(self)
        again = {k for k in state if isinstance(getattr(cls, k, None), cached_property)}
        return {k: v for k, v in state.items() if k not in again} | {"memory": {}, "_types": {}}


def built_like(body: Graph) -> tuple:
    """Equal for bodies that are equal but for the identity of their inputs."""
    return signature(body.outputs, body.inputs)
