"""Which variables a cost was connected with, to Theano: through steps, too, and constants."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..expr import Constant, Expr, Graph, Input, TensorType, put_in
from .core import wrap


def with_leaves(cost: Any, wanted: list[Expr]) -> tuple[Any, list[Expr], dict[Expr, Expr]]:
    """The same with leaves in the places of constants, since Theano differentiated by these, too;
    and which constant stood where."""
    leaves: dict[Expr, Expr] = {
        x: Input("constant", x.type) for x in wanted if isinstance(x, Constant)
    }
    if not leaves:
        return cost, wanted, {}
    root = cost if cost is None else put_in([cost], leaves)[0]
    return root, [leaves.get(x, x) for x in wanted], {leaf: x for x, leaf in leaves.items()}


CUTS = ("length", "disconnected_grad")  # where Theano's connection patterns said False


def are_connected(wanted: Sequence[Expr], costs: Sequence[Any], stops: Any) -> bool:
    """Does each lead to a cost? To Theano a way through argmax or `>` was one, of slope zero."""
    left, seen, stack = set(wanted), set(stops or ()), [c for c in costs if isinstance(c, Expr)]
    while stack and left:
        n = stack.pop()
        left.discard(n)
        if n not in seen and n.op is not None:
            stack += connected_inputs(n)
        seen.add(n)
    return not left


def connected_inputs(n: Expr) -> list[Expr]:
    """The inputs that an operation does not cut off. Of a body, the engine knows best."""
    dtype = n.type.dtype if isinstance(n.type, TensorType) else np.dtype(float)
    steps = n.op.elementwise or dtype.kind in "biu"
    refuses: Any = getattr(n.op, "nondifferentiable", "")
    if n.op.name in CUTS or isinstance(n.op.body, Graph) or (refuses and not steps):
        return []
    pattern = n.op.pattern(wrap(list(n.inputs))) if hasattr(n.op, "old") else None
    if pattern is None:
        return list(n.inputs)
    return [i for i, row in zip(n.inputs, pattern, strict=True) if any(row)]
