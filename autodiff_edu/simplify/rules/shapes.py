"""Shapes, reductions and matrix products.

Letters: x y expressions, a b axes, k keepdims.
"""

from typing import Any

import numpy as np

from ...expr import Constant, Expr
from ...ops import (
    OPS,
    broadcast_to,
    expand_dims,
    index,
    length,
    matmul,
    negative,
    reshape,
    squeeze,
    sum,
    transpose,
)
from ..rule import Rule, wild
from ..types import agrees, length_without

x, y = wild("x y")
a, b, k = wild("a b k")
c = wild("c", constant=True)


def node_of(op: Any, *inputs: Expr, **static: Any) -> Expr:
    """A pattern for an operation whose parameters are matched as they are stored."""
    return Expr(op, inputs, tuple(static.items()), None)  # type: ignore[arg-type]


# ---- conditions and right sides that algebra cannot write


def if_same(node: Expr, x: Expr) -> Expr | None:
    return x if x.type is node.type and node.type.known else None


def on_inner(node: Expr, x: Expr) -> Expr:
    """The outer operation applied to x: what came between made no difference."""
    return node.op.apply((x, *node.inputs[1:]), node.static)  # type: ignore[union-attr]


def composed(x: Expr, a: tuple, b: tuple) -> Expr:
    return transpose(x, axes=tuple(b[j] for j in a))


def in_order(a: tuple) -> bool:
    return a == tuple(range(len(a)))


def unspread(node: Expr) -> Expr | None:
    """Operands without their spreading, where the others spread the result anyway."""
    bare = [i.inputs[0] if i.op is broadcast_to else i for i in node.inputs]
    for kept in [bare, *([*bare[:j], i, *bare[j + 1 :]] for j, i in enumerate(node.inputs))]:
        if any(x is not i for x, i in zip(kept, node.inputs, strict=True)) and fits(node, kept):
            return node.op.apply(tuple(kept))  # type: ignore[union-attr]
    return None


def fits(node: Expr, inputs: list[Expr]) -> bool:
    ndim = max(i.ndim for i in inputs)
    return ndim == node.ndim and agrees(node.op.apply(tuple(inputs)), node)  # type: ignore[union-attr]


def times_count(node: Expr, x: Expr) -> Expr | None:
    """A sum over axes along which x was only repeated is x times their lengths."""
    (spread,), axes = node.inputs, dict(node.static)["axis"]
    lengths = [length_without(spread, j) for j in axes]
    if x.ndim or None in map(none_or_type, lengths):
        return None
    for n in lengths:
        x = x * (n.astype(x.dtype) if isinstance(n, Expr) else n)
    return x


def none_or_type(n: Any) -> Any:
    return None if n is None else type(n)


def axes_joined(node: Expr, x: Expr, a: tuple, b: tuple) -> Expr | None:
    """Σ over axes a of Σ over axes b is one Σ."""
    left = [j for j in range(x.ndim) if j not in b]
    return sum(x, axis=tuple(b) + tuple(left[j] for j in a))


def one_long(node: Expr, x: Expr, a: tuple, k: bool) -> Expr | None:
    if any(x.type.shape[j] != 1 for j in a):
        return None
    return x if k or not a else squeeze(x, axis=a)


def over_all(node: Expr, x: Expr) -> Expr | None:
    """The sum of all entries does not depend on how they are arranged."""
    return sum(x) if not node.ndim else None


def whole_key(node: Expr, x: Expr) -> Expr | None:
    full = all(item in ((None, None, None), (0, None, 1)) for item in dict(node.static)["key"])
    return x if full else None


def length_elsewhere(node: Expr) -> Any:
    (x,), axis = node.inputs, dict(node.static)["axis"]
    return length_without(x, axis)


def finite_number(c: Constant) -> bool:
    return not c.ndim and bool(np.isfinite(c.value))


def eye(c: Constant) -> bool:
    return c.ndim == 2 and c.shape[0] == c.shape[1] and np.array_equal(c.value, np.eye(c.shape[0]))


# fmt: off
RULES = [
    Rule("reshape twice",       node_of(reshape, node_of(reshape, x)), on_inner, "ieee", phase="shapes"),
    Rule("reshape to the same", node_of(reshape, x), if_same, "ieee", phase="shapes"),
    Rule("transpose twice",     node_of(transpose, node_of(transpose, x, axes=b), axes=a), composed, "ieee", phase="shapes"),
    Rule("transpose in order",  node_of(transpose, x, axes=a), x, "ieee", when=in_order, phase="shapes"),
    Rule("squeeze of expand",   node_of(squeeze, node_of(expand_dims, x, axis=a), axis=a), x, "ieee", phase="shapes"),
    Rule("expand of squeeze",   node_of(expand_dims, node_of(squeeze, x, axis=a), axis=a), x, "ieee", phase="shapes"),
    Rule("spread twice",        node_of(broadcast_to, node_of(broadcast_to, x)), on_inner, "ieee", phase="shapes"),
    Rule("spread to the same",  node_of(broadcast_to, x), if_same, "ieee", phase="shapes"),
    Rule("slice of all",        node_of(index, x), whole_key, "ieee", phase="shapes"),
    Rule("length elsewhere",    node_of(length, x), length_elsewhere, "ieee", phase="shapes"),
    Rule("sum of minus",        node_of(sum, -x, axis=a, keepdims=k), -node_of(sum, x, axis=a, keepdims=k), "ieee", phase="shapes"),
    Rule("sum of scaled",       node_of(sum, c * x, axis=a, keepdims=k), c * node_of(sum, x, axis=a, keepdims=k), "safe",
         when=lambda c, x, node: finite_number(c) and x.type is node.inputs[0].type,
         caveat="the sum may overflow where the scaled one does not", phase="shapes"),
    Rule("sum of spread",       node_of(sum, node_of(broadcast_to, x), keepdims=False), times_count, "safe", phase="shapes"),
    Rule("sum of sum",          node_of(sum, node_of(sum, x, axis=b, keepdims=False), axis=a, keepdims=False), axes_joined, "safe", phase="shapes"),
    Rule("sum of one",          node_of(sum, x, axis=a, keepdims=k), one_long, "ieee", phase="shapes"),
    Rule("sum of transposed",   node_of(sum, node_of(transpose, x)), over_all, "safe", phase="shapes"),
    Rule("sum of reshaped",     node_of(sum, node_of(reshape, x)), over_all, "safe", phase="shapes"),
    Rule("product with eye",    x @ c, x, "real", when=eye, caveat="inf·0 is nan", phase="linear algebra"),
    Rule("eye times",           c @ x, x, "real", when=eye, caveat="inf·0 is nan", phase="linear algebra"),
    Rule("number out of product", (c * x) @ y, c * (x @ y), "safe", phase="linear algebra",
         when=lambda c: finite_number(c)),
    Rule("minus out of product @", node_of(matmul, node_of(negative, x), y), -(x @ y), "ieee", phase="linear algebra"),
    Rule("transpose of product", node_of(transpose, node_of(transpose, x) @ y, axes=(1, 0)),
         node_of(transpose, y) @ x, "safe", phase="linear algebra",
         when=lambda x, y: x.ndim == y.ndim == 2),
]
# fmt: on

ELEMENTWISE = [op for op in OPS.values() if op.elementwise and op.arity == 2]
RULES += [
    Rule(f"spread into {op.name}", Expr(op, operands, (), None), unspread, "ieee", phase="shapes")  # type: ignore[arg-type]
    for op in ELEMENTWISE
    for operands in ((node_of(broadcast_to, x), y), (y, node_of(broadcast_to, x)))
    if not op.commutative or operands[1] is y
]

