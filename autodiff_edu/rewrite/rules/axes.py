"""New axes and kept axes, each written in one way: a sum that keeps its axes says so itself.

Letters: x an expression, a b axes.
"""

from typing import Any

from ...core.pattern import instantiate
from ...expr import Expr
from ...ops import expand_dims, index, max, mean, min, reshape, squeeze, sum, transpose
from ...ops.index import ALL
from ..engine.rule_table import table
from ..engine.validate import wild
from .shapes import node_of

x = wild("x")
a, b = wild("a b")


def by_none(node: Expr, x: Expr) -> Expr | None:
    """x[:, None]: nothing is chosen, and axes are added."""
    key = dict(node.static)["key"]
    added = tuple(k for k, item in enumerate(key) if item is None)
    plain = all(item is None or item == ALL for item in key)
    return expand_dims(x, axis=added) if added and plain else None


def by_shape(node: Expr, x: Expr) -> Expr | None:
    """A vector reshaped to a column, (-1, 1), or to a row; a column reshaped to a vector."""
    shape = node.type.shape
    ones = tuple(k for k, n in enumerate(x.type.shape) if n == 1)
    if node.ndim == 1 and x.ndim == 1 + len(ones) and x.ndim > 1:
        return squeeze(x, axis=ones)
    long = [k for k, n in enumerate(shape) if n != 1]
    if x.ndim != 1 or len(long) != 1 or node.ndim == 1:
        return None
    return expand_dims(x, axis=tuple(k for k in range(node.ndim) if k not in long))


def beside_axes(node: Expr, x: Expr, a: tuple[int, ...], b: tuple[int, ...]) -> Expr | None:
    """The new axes where the transpose puts them, if the others stay in order."""
    left = [j for j in a if j not in b]
    added = tuple(k for k, j in enumerate(a) if j in b)
    return expand_dims(x, axis=added) if left == sorted(left) else None


def reduction(op: Any, keepdims: bool) -> Expr:
    return node_of(op, x, axis=a, keepdims=keepdims)


# fmt: off
RULES = table(
    "ieee",
    ("axes by none",  node_of(index, x),    by_none),
    ("axes by shape", node_of(reshape, x),  by_shape),
    decreases="order", any_dtype=True,
) + table(
    "ieee",
    ("transpose of new axes", node_of(transpose, node_of(expand_dims, x, axis=b), axes=a),
     beside_axes),
    any_dtype=True,
) + [
    rule
    for op in (sum, mean, max, min)
    for rule in table(
        "ieee",
        (f"{op.name} put back",    node_of(expand_dims, reduction(op, False), axis=a),
         reduction(op, True)),
        decreases="order", any_dtype=True,
    ) + table(
        "ieee",
        (f"{op.name} not kept",    node_of(squeeze, reduction(op, True), axis=a),
         reduction(op, False)),
        cost_policy="cheaper", any_dtype=True,
    )
]
# fmt: on


def examples() -> dict[str, Expr]:
    from .letters import A, v

    found = {rule.name: instantiate(rule.left, {"x": A, "a": (0,)}) for rule in RULES[3:]}
    found["transpose of new axes"] = transpose(expand_dims(v, axis=0))
    return found | {"axes by none": v[:, None], "axes by shape": v.reshape(-1, 1)}
