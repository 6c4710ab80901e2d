"""A loop for many examples at once: its body batched, for those states and slices that vary."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...expr import Expr, Input, TensorType, dependents, hook
from ...ops import batched, moveaxis, repeated
from .recurrence import Recurrence, State, recurrence
from .scan_op import Scan
from .truncation import unbatched


@hook("a loop over many")
def batched_loop(op: Scan, inputs: Sequence[Expr], flags: Sequence[bool]) -> list[Expr]:
    """The results of the loop on each slice of the operands that are flagged."""
    return BatchedLoop(op, inputs, flags).results()


class BatchedLoop:
    """A loop whose body is batched. `longer` is the symbol with a leading axis for each one that
    varies, `made` the nodes of the body that do."""

    def __init__(self, op: Scan, inputs: Sequence[Expr], flags: Sequence[bool]):
        self.loop, self.flag = recurrence(op, inputs), dict(zip(op.body.inputs, flags[1:]))
        varies = varying(op, self.loop, self.flag)
        if flags[0] or self.loop.until in varies:
            raise unbatched(f"{op.name} ends after another number of steps")
        if any(s.updates and s.symbol in varies for s in self.loop.states):
            raise unbatched(f"{op.name} would move a shared value to another one")
        self.n = next(x for x, flag in zip(inputs, flags, strict=True) if flag).shape[0]
        known = self.n if isinstance(self.n, int) else None
        self.longer: dict[Any, Any] = {
            i: Input(i.name or "x", TensorType(i.dtype, (known, *i.type.shape)))
            for i in op.body.inputs
            if i in varies
        }
        self.made = batched(op.body.outputs, self.longer)

    def results(self) -> list[Expr]:
        loop, longer = self.loop, self.longer
        found = replace(
            loop,
            states=[self.state(s) for s in loop.states],
            slices=[(longer.get(x, x), moveaxis(v, 0, 1) if self.flag[x] else v)
                    for x, v in loop.slices],
            constants=[(longer.get(c, c), v) for c, v in loop.constants],
            rows=[self.made.get(y, y) for y in loop.rows],
        ).build()  # fmt: skip
        moved = [s.symbol in longer for s in loop.states]
        last = [y if m else repeated(y, self.n) for y, m in zip(found.last, moved, strict=True)]
        moved += [y in self.made for y in loop.rows]
        stacks = zip([*found.every, *found.rows], moved, strict=True)
        return last + [moveaxis(y, 1, 0) if m else repeated(y, self.n) for y, m in stacks]

    def state(self, s: State) -> State:
        """A state for all examples, if it differs between them."""
        if s.symbol not in self.longer:
            return s
        symbol = self.longer[s.symbol]
        start = s.start if self.flag[s.symbol] else repeated(s.start, self.n)
        new = self.made[s.new] if s.new in self.made else repeated(s.new, symbol.shape[0])
        return State(symbol, start, new, s.updates)


def varying(op: Scan, loop: Recurrence, flag: dict[Input, bool]) -> set[Expr]:
    """The nodes of a step that differ between the examples, from the first step or a later one."""
    symbols = {i for i, f in flag.items() if f}
    while True:
        varies = dependents(op.body.nodes, symbols)
        fresh = {s.symbol for s in loop.states if s.new in varies} - symbols
        if not fresh:
            return varies
        symbols |= fresh
