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
    reshape,
    squeeze,
    sum,
    transpose,
)
from ...ops.choice import PLACE
from ..match import wild
from ..rule import Rule, table
from ..types import agrees, length_without
from .examples import A, v

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
    return node.op.apply((x, *node.inputs[1:]), node.static)


def composed(x: Expr, a: tuple, b: tuple) -> Expr:
    return transpose(x, axes=tuple(b[j] for j in a))


def in_order(a: tuple) -> bool:
    return a == tuple(range(len(a)))


def unspread(node: Expr) -> Expr | None:
    """Operands without their spreading, where the others spread the result anyway."""
    bare = [i.inputs[0] if i.op is broadcast_to else i for i in node.inputs]
    for kept in [bare, *([*bare[:j], i, *bare[j + 1 :]] for j, i in enumerate(node.inputs))]:
        if any(x is not i for x, i in zip(kept, node.inputs, strict=True)) and fits(node, kept):
            return node.op.apply(tuple(kept))
    return None


def fits(node: Expr, inputs: list[Expr]) -> bool:
    ndim = max(i.ndim for i in inputs)
    return ndim == node.ndim and agrees(node.op.apply(tuple(inputs)), node)


def times_count(node: Expr, x: Expr) -> Expr | None:
    """A sum over axes along which x was only repeated is x times their lengths."""
    (spread,), axes = node.inputs, dict(node.static)["axis"]
    lengths = [length_without(spread, j) for j in axes]
    if x.ndim or 0 in filter(whole, lengths) or None in map(none_or_type, lengths):
        return None
    for n in lengths:
        x = x * (n.astype(x.dtype) if isinstance(n, Expr) else n)
    return x


def whole(n: Any) -> bool:
    return isinstance(n, int)


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
    items = dict(node.static)["key"]
    slices = all(isinstance(item, tuple) and item[2] in (None, 1) for item in items)
    return if_same(node, x) if slices else None


def length_elsewhere(node: Expr) -> Any:
    (x,), axis = node.inputs, dict(node.static)["axis"]
    return length_without(x, axis)


def finite_number(c: Constant) -> bool:
    return not c.ndim and bool(np.isfinite(c.value))


def eye(c: Constant) -> bool:
    return c.ndim == 2 and c.shape[0] == c.shape[1] and np.array_equal(c.value, np.eye(c.shape[0]))


def summed(x: Any) -> Expr:
    return node_of(sum, x, axis=a, keepdims=k)


def same_type(c: Constant, x: Expr, node: Expr) -> bool:
    return finite_number(c) and x.type is node.inputs[0].type


def both_matrices(x: Expr, y: Expr) -> bool:
    return x.ndim == y.ndim == 2


expand_a, squeeze_a = node_of(expand_dims, x, axis=a), node_of(squeeze, x, axis=a)
inner_sum = node_of(sum, x, axis=b, keepdims=False)

# fmt: off
RULES = table(
    "ieee",
    ("reshape twice",      node_of(reshape, node_of(reshape, x)),                      on_inner),
    ("reshape to same",    node_of(reshape, x),                                        if_same),
    ("transpose twice",    node_of(transpose, node_of(transpose, x, axes=b), axes=a),  composed),
    ("squeeze of expand",  node_of(squeeze, expand_a, axis=a),                         x),
    ("expand of squeeze",  node_of(expand_dims, squeeze_a, axis=a),                    x),
    ("spread twice",       node_of(broadcast_to, node_of(broadcast_to, x)),            on_inner),
    ("spread to same",     node_of(broadcast_to, x),                                   if_same),
    ("slice of all",       node_of(index, x),                                          whole_key),
    ("length elsewhere",   node_of(length, x),                                 length_elsewhere),
    ("sum of one",         summed(x),                                                  one_long),
    phase="shapes", any_dtype=True,
) + table(
    "ieee",
    ("sum of minus",       summed(-x),                                                -summed(x)),
    phase="shapes",
) + table(
    "ieee",
    ("transpose in order", node_of(transpose, x, axes=a),                              x),
    when=in_order, phase="shapes", any_dtype=True,
) + table(
    "safe",
    ("sum of spread",      node_of(sum, node_of(broadcast_to, x), keepdims=False),     times_count),
    ("sum of sum",         node_of(sum, inner_sum, axis=a, keepdims=False),            axes_joined),
    ("sum of transposed",  node_of(sum, node_of(transpose, x)),                        over_all),
    ("sum of reshaped",    node_of(sum, node_of(reshape, x)),                          over_all),
    phase="shapes",
) + table(
    "safe",
    ("sum of scaled",      summed(c * x), c * summed(x), "the sum may overflow"),
    when=same_type, phase="shapes",
) + table(
    "ieee",
    ("minus out of @",     node_of(matmul, -x, y),                                    -(x @ y)),
    phase="linear algebra",
) + table(
    "safe",
    ("number out of @",    (c * x) @ y,                             c * (x @ y)),
    when=finite_number, phase="linear algebra",
) + table(
    "safe",
    ("transpose of @", node_of(transpose, node_of(transpose, x) @ y), node_of(transpose, y) @ x),
    when=both_matrices, phase="linear algebra",
) + table(
    "real",
    ("product with eye",   x @ c, x, "inf·0 is nan"),
    ("eye times",          c @ x, x, "inf·0 is nan"),
    when=eye, phase="linear algebra",
)
# fmt: on

ALL: dict[str, Any] = {"phase": "shapes", "any_dtype": True}
SPREAD, SPREAD_V = node_of(broadcast_to, x), broadcast_to(v, (3, 4))
TWO = [op for op in OPS.values() if op.elementwise and op.arity == 2 and op.severed != PLACE]
RULES += [
    Rule(f"spread into {op.name}", op(SPREAD, y), unspread, "ieee", example=op(SPREAD_V, A), **ALL)
    for op in TWO
]
RULES += [
    Rule(f"{op.name} by spread", op(y, SPREAD), unspread, "ieee", example=op(A, SPREAD_V), **ALL)
    for op in TWO
    if not op.commutative
]
