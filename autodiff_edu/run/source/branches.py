"""The text of a branch: the operations of each side, under the line that asks for the condition.

if condition:
    v1 = np.sqrt(x)
    return v1
else:
    v2 = x * x
    return v2
"""

from collections.abc import Sequence
from typing import Any

from ...expr import Expr, postorder
from .text import Lines, plain


class Choice:
    """A name for the condition, and which operations belong to which side."""

    fresh = True  # what it gives is returned as it is
    moves_on = False  # its arguments stay what they were
    flipped = dying = frozenset[Any]()
    no_steps = ""

    def __init__(self, op: Any, wanted: frozenset[int], names: Sequence[str], new: Any):
        self.op, self.condition, self.names = op, new("condition"), list(names)
        self.needed = [set(postorder(path.outputs)) for path in op.paths]
        self.states: list[str] = []
        self.space: dict[str, Any] = {}

    @property
    def arguments(self) -> str:
        return ", ".join([self.condition, *self.names])

    def has(self, m: Expr, n: Expr) -> bool:
        """Is there a value of m wherever n is computed?"""
        return all(m in side for side in self.needed if n in side)

    def take_rooms(self, plan: Any) -> dict[Expr, str]:
        """No result has a place of its own."""
        return {}

    def text(
        self, body: Lines, found: Sequence[str], numbers: bool = False, left: Sequence[str] = ()
    ) -> Lines:
        """The lines of the function; `found` are the texts of the body's outputs."""
        parts: dict[tuple[bool, bool], Lines] = {}
        of: Expr | None = None
        for line, n in body:
            of = of if n is None else n  # a line that frees arrays belongs to the one before
            parts.setdefault((of in self.needed[0], of in self.needed[1]), []).append((line, n))
        half = len(found) // 2
        return [
            *parts.get((True, True), []),
            (f"if {self.condition}:", None),
            *indented(parts.get((True, False), []), found[:half]),
            ("else:", None),
            *indented(parts.get((False, True), []), found[half:]),
        ]


def indented(side: Lines, found: Sequence[str]) -> Lines:
    """The lines of one side, and the one that returns its results."""
    lines = [*side, *plain([f"return {', '.join(found)}"])]
    return [(f"    {line}", n) for line, n in lines]
