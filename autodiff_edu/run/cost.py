"""What a graph costs: operations, and floating point operations where all lengths are known.

An elementwise operation costs one for each entry of its result, whatever the function; a reduction
one for each entry that it reads; a matrix product two for each term. Moving numbers is free.
"""

from math import prod
from typing import Any, NamedTuple

from ..expr import Expr, as_graph, enters

REDUCTIONS = ("sum", "mean", "max", "min", "product")


class Cost(NamedTuple):
    """`operations` counts nodes; `flops` is None where a length is not known."""

    operations: int
    flops: int | None


@enters("cost")
def cost(what: Any) -> Cost:
    """The cost of computing a graph once, a shared node counted once."""
    operations = as_graph(what).operations
    each = [flops(n) for n in operations]
    known = [f for f in each if f is not None]
    return Cost(len(operations), sum(known) if len(known) == len(each) else None)


def flops(n: Expr) -> int | None:
    """Floating point operations of one node."""
    (first, *_) = n.inputs
    if getattr(n.op, "elementwise", False):
        return size(n)
    if n.op.name in REDUCTIONS:
        return size(first)
    if n.op.name == "matmul":
        inner, outer = first.type.shape[-1], size(n)
        return None if inner is None or outer is None else 2 * inner * outer
    return 0


def size(n: Expr) -> int | None:
    return prod(n.shape) if n.type.known else None
