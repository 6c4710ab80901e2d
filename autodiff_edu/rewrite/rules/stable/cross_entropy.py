"""Stabilisation of probabilities that are picked: their logarithms, and what divides by them.

    log(softmax(x)[k]) → log_softmax(x)[k]

The derivative of such a logarithm divides by the probability that was picked, puts the quotient
back in its place among zeros, and multiplies by all probabilities.
Letters: x y z expressions, a axes.
"""

from typing import Any

from ....expr import Expr, constant
from ....ops import (
    broadcast_to,
    expand_dims,
    gather,
    index,
    log,
    log_softmax,
    reshape,
    scatter,
    softmax,
    transpose,
)
from ....ops.index import embed
from ...engine.rule_table import table
from ...engine.validate import Listed, wild
from ..shapes import node_of

x, y, z = wild("x y z")
a = wild("a")
P = node_of(softmax, x, axis=a)
UNDER = "e^x / Σ e^x may be 0"
STABLE: dict[str, Any] = {"caveat": UNDER, "phase": "stabilise", "decreases": "unstable"}
BELOW: dict[str, Any] = STABLE | {"needs": P != 0}


def moved(node: Expr, x: Expr, a: tuple[int, ...]) -> Expr:
    """The same entries, picked from log_softmax."""
    part = node.inputs[0]
    return part.op.apply((log_softmax(x, axis=a), *part.inputs[1:]), part.static)


def put_back(node: Expr, y: Expr) -> Expr | None:
    """y / p where p was picked and 0 elsewhere, times p: y where p was picked."""
    placed = next(i for i in node.inputs if i.op in (scatter, embed))
    quotient = placed.inputs[0]
    p = quotient.inputs[1]
    if placed.type is not node.type or p.inputs[0].type is not node.type:
        return None  # one of both is stretched
    if any(i is not j for i, j in zip(placed.inputs[1:], p.inputs[1:], strict=False)):
        return None
    if p.op is index and dict(placed.static)["key"] != dict(p.static)["key"]:
        return None
    y = y if y.type is quotient.type else broadcast_to(y, quotient.shape)
    return placed.op.apply((y, *placed.inputs[1:]), placed.static)


# fmt: off
RULES = [
    Listed(f"log of {op.name} of softmax", log(node_of(op, P)), moved, **STABLE)
    for op in (index, gather, reshape, transpose, expand_dims)
] + [
    Listed("index of softmax below", node_of(embed, y / node_of(index, P)) * P, put_back, **BELOW),
    Listed("gather of softmax below", node_of(scatter, y / node_of(gather, P)) * P, put_back,
         **BELOW),
] + table(  # P is at most 1, and so y + z overflows only where the quotients do
    "safe",
    ("sum over softmax",        y / P + z / P, (y + z) / P),
    ("difference over softmax", y / P - z / P, (y - z) / P),
)
# fmt: on


def examples() -> dict[str, Expr]:
    from ..letters import A, v

    Q, rows = softmax(A, axis=0), constant([0, 2])
    picked = (Q[1], Q[rows], Q.reshape(4, 3), transpose(Q), expand_dims(Q, axis=0))
    found = {f"log of {e.op.name} of softmax": log(e) for e in picked}
    key = dict(Q[1].static)["key"]
    found["index of softmax below"] = embed(v / Q[1], (3, 4), key=key) * Q
    found["gather of softmax below"] = scatter(A[:2] / Q[rows], rows, shape=(3, 4)) * Q
    found["sum over softmax"] = A / Q + v / Q
    found["difference over softmax"] = A / Q - v / Q
    return found
