"""What both derivatives of a loop need: each is a loop again, over the stored states of the first.

A step is computed again from its state, except for its new states, which are stored too.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...expr import Expr, Input, dependents, postorder
from ...ops import zero
from ...ops.index import ALL, between, embed, surround
from ..subgraph.linearised import Linearised
from .recurrence import recurrence
from .scan_op import Scan


class Derivative:
    """A loop taken apart, its results, and how many steps it made."""

    def __init__(self, op: Scan, inputs: Sequence[Expr], outputs: Sequence[Expr]):
        self.op, self.body, self.loop = op, op.body, recurrence(op, inputs)
        self.last, self.every, self.rows = op.parts(outputs)
        self.steps = self.loop.steps
        if op.until:
            self.steps = self.every[0].shape[0] - 1 if self.every else self.rows[0].shape[0]
        self.new = [Input(f"new_{s.symbol.name}", s.new.type) for s in self.loop.states]
        states = zip(self.loop.states, self.new, strict=True)
        self.linear = Linearised(op.body, op.body.inputs, {s.new: new for s, new in states})
        self.how = {"kept": op.kept, "truncate": op.truncate}

    def known(self) -> list[tuple[Input, Expr]]:
        """The slices that a step of the derivative may take: the state before it and after it, and
        the slices of the loop itself, as far as it went."""
        pairs: list[tuple[Input, Expr]] = []
        for s, new, every in zip(self.loop.states, self.new, self.every, strict=True):
            pairs += [(s.symbol, every[:-1]), (new, every[1:])]
        return pairs + [(symbol, self.made(x)) for symbol, x in self.loop.slices]

    def made(self, x: Expr) -> Expr:
        """The slices for which there was a step."""
        return between(x, 0, self.steps, axis=0) if self.op.until else x


def all_reached(found: Mapping[Input, Expr | None], given: Iterable[Input]) -> bool:
    """Does each symbol's expression depend on the given symbols, or on others that do?"""
    order = postorder([e for e in found.values() if e is not None])
    reached: set[Expr] = set(given)
    while True:
        above = dependents(order, reached)
        fresh = {symbol for symbol, e in found.items() if e in above} - reached
        if not fresh:
            return reached.issuperset(found)
        reached |= fresh


def change(x: Expr, mark: str = "d_") -> Input:
    """A symbol for the tangent or the cotangent of x."""
    return Input(f"{mark}{x.name}" if x.name else mark.rstrip("_"), zero(x).type)


def named(y: Expr, name: str) -> Expr:
    """y, by this name unless it has one."""
    if y.op is not None and y.name is None:
        y.name = name
    return y


def padded(x: Expr, start: Any, stop: Any, n: Any) -> Expr:
    """n slices, all zero but those from start to stop, which are x."""
    if any(isinstance(k, Expr) for k in (start, stop, n)):
        return surround(x, start, stop, n, axis=0)
    if (start, stop) == (0, n):
        return x
    key = ((start, stop, None), *[ALL] * (x.ndim - 1))
    return embed(x, (n, *x.shape[1:]), key=key)
