"""A loop for many examples at once: its body batched, for those states and slices that vary."""

from collections.abc import Sequence

from ..expr import Expr, Input, TensorType, dependents, enters
from ..ops import batched, moveaxis, repeated
from .loop import Scan
from .recurrence import Recurrence, State, recurrence


@enters("a loop over many")
def batched_loop(op: Scan, inputs: Sequence[Expr], flags: Sequence[bool]) -> list[Expr]:
    """The results of the loop on each slice of the operands that are flagged."""
    loop = recurrence(op, inputs)
    flag = dict(zip(op.body.inputs, flags[1:], strict=True))
    varies = varying(op, loop, flag)
    if flags[0] or loop.until in varies:
        raise TypeError(f"{op.name} ends after another number of steps for each example: "
                        "call it for one example after the other")  # fmt: skip
    n = next(x for x, flag in zip(inputs, flags, strict=True) if flag).shape[0]
    known = n if isinstance(n, int) else None
    longer: dict[Expr, Expr] = {
        i: Input(i.name or "x", TensorType(i.dtype, (known, *i.type.shape)))
        for i in op.body.inputs
        if i in varies
    }
    made = batched(op.body.outputs, longer)

    def start(s: State) -> Expr:
        return s.start if flag[s.symbol] or s.symbol not in longer else repeated(s.start, n)

    def new(s: State) -> Expr:
        if s.new in made or s.symbol not in longer:
            return made.get(s.new, s.new)
        return repeated(s.new, longer[s.symbol].shape[0])

    found = Recurrence(
        loop.steps,
        [State(longer.get(s.symbol, s.symbol), start(s), new(s), s.updates)  # type: ignore[arg-type]
         for s in loop.states],
        [(longer.get(x, x), moveaxis(v, 0, 1) if flag[x] else v)  # type: ignore[misc]
         for x, v in loop.slices],
        [(longer.get(c, c), v) for c, v in loop.constants],  # type: ignore[misc]
        [made.get(y, y) for y in loop.rows],
        loop.until,
        loop.how,
    ).build()  # fmt: skip
    moved = [s.symbol in longer for s in loop.states]
    last = [y if m else repeated(y, n) for y, m in zip(found.last, moved, strict=True)]
    moved += [y in made for y in loop.rows]
    stacks = [*found.every, *found.rows]
    stacks = [
        moveaxis(y, 1, 0) if m else repeated(y, n) for y, m in zip(stacks, moved, strict=True)
    ]
    return [*last, *stacks]


def varying(op: Scan, loop: Recurrence, flag: dict[Input, bool]) -> set[Expr]:
    """The nodes of a step that differ between the examples, from the first step or a later one."""
    symbols = {i for i, f in flag.items() if f}
    while True:
        varies = dependents(op.body.nodes, symbols)
        fresh = {s.symbol for s in loop.states if s.new in varies} - symbols
        if not fresh:
            return varies
        symbols |= fresh
