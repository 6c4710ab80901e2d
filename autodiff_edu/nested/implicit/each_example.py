"""An equation for each of several examples: a loop, of which each step solves one."""

from collections.abc import Sequence

from ...expr import Expr, Input, Op, TensorType, results
from ..loops.recurrence import Recurrence


def for_each(op: Op, inputs: Sequence[Expr], flags: Sequence[bool]) -> list[Expr]:
    """The results of the operation for each slice of the operands that are flagged."""
    symbols = [Input(x.name or "x", TensorType(x.dtype, x.type.shape[flag:]))
               for x, flag in zip(inputs, flags, strict=True)]  # fmt: skip
    pairs = list(zip(symbols, inputs, flags, strict=True))
    steps = next(x for x, flag in zip(inputs, flags, strict=True) if flag).shape[0]
    return Recurrence(
        steps,
        slices=[(symbol, x) for symbol, x, flag in pairs if flag],
        constants=[(symbol, x) for symbol, x, flag in pairs if not flag],
        rows=results(op.apply(tuple(symbols))),
        how={"name": f"each {op.name}"},
    ).build().rows  # fmt: skip
