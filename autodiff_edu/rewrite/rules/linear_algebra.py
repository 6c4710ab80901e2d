"""Matrix products: their factors, their order, traces, einsum.

Letters: x y z expressions, c d constants, s subscripts.
"""

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any

import numpy as np

from ...core.pattern import Bindings
from ...expr import Constant, Expr, Op
from ...library import isfinite
from ...ops import OPS, expand_dims, gather, scatter, sum, transpose
from ...ops.cost import count, entries, length
from ..engine.match_context import MatchContext
from ..engine.rule_table import table
from ..engine.validate import Listed, wild
from .reductions import number
from .shapes import node_of

x, y, z, s = wild("x y z s")
c, d = wild("c d", constant=True)
contract = OPS["contract"]


def T(x: Any) -> Expr:
    """A pattern: a matrix transposed."""
    return node_of(transpose, x, axes=(1, 0))


# ---- conditions


def no_smaller(node: Expr, x: Expr) -> bool:
    """Is the factor from which something is taken as large as the product?"""
    return entries(x.type) >= entries(node.type)


def number_of_large(node: Expr, c: Constant, x: Expr) -> bool:
    return number(c) and no_smaller(node, x)


def large_number(node: Expr, c: Constant, x: Expr) -> bool:
    """With a number below 1, the product without it may overflow."""
    return number_of_large(node, c, x) and bool(np.abs(c.value) >= 1)


def matrices(x: Expr, y: Expr) -> bool:
    return x.ndim == y.ndim == 2


def column_and_row(x: Expr, y: Expr, z: Expr) -> bool:
    """Is y·z, beside a matrix x, all products of a column and a row?"""
    return x.ndim == y.ndim == z.ndim == 2 and y.type.shape[1] == z.type.shape[0] == 1


def alike(y: Expr, z: Expr) -> bool:
    """Are these added entry by entry?"""
    return y.type is z.type


def in_chain(x: Expr, y: Expr, z: Expr) -> bool:
    """Is this a product of three that may be taken in either order, and how long are they?"""
    before, between, behind = x.type.shape, y.type.shape, z.type.shape
    if len(between) != 2 or len(before) > 2 or len(behind) > 2:
        return False
    return None not in (*before, *between, *behind)


class Asking(Listed):
    """A rule that asks more of the graph than what its left side shows."""

    def forms(self, op: Op) -> list[tuple]:
        """Without the pattern, since there is more to ask."""
        return [(heads,) for heads, _ in super().forms(op)]


class Reordered(Asking):
    """A product of three matrices in another order, where that is cheaper, or where the graph has
    the product inside already. The lengths tell, before it is built."""

    def __init__(self, name: str, left: Expr, right: Expr):
        super().__init__(
            name, left, right, when=in_chain, caveat=ANOTHER, reorders=True, phase="factor", **COST
        )
        self.new = next(i for i in right.inputs if i.op)
        self.operands = itemgetter(*[str(i.name) for i in self.new.inputs])
        self.place = 0 if left.inputs[0].op else 1  # of the product inside

    def matches(self, node: Expr, context: MatchContext) -> Iterator[Bindings]:
        for bindings in super().matches(node, context):
            inside = node.inputs[self.place]
            if self.is_cheaper(**bindings) and context.uses.once(inside):
                yield bindings
                continue
            if context.has(self.new.op.apply(self.operands(bindings))):
                yield bindings

    def is_cheaper(self, x: Expr, y: Expr, z: Expr) -> bool:
        """Does the new order multiply fewer numbers?"""
        before, behind = count(x.type.shape[:-1]), count(z.type.shape[1:])
        rows, columns = map(length, y.type.shape)
        from_left = before * columns * (rows + behind)
        from_right = rows * behind * (columns + before)
        return from_left < from_right if self.place else from_right < from_left


def thin(x: Expr, y: Expr) -> bool:
    return matrices(x, y) and x.type.shape[1] == y.type.shape[0] == 1


def eye(c: Constant) -> bool:
    return c.ndim == 2 and c.shape[0] == c.shape[1] and np.array_equal(c.value, np.eye(c.shape[0]))


def places(c: Constant, n: Any) -> bool:
    """Are these the places 0, 1, …, n − 1?"""
    return isinstance(n, int) and c.shape == (n,) and np.array_equal(c.value, np.arange(n))


def whole_trace(x: Expr, y: Expr, c: Constant, node: Expr) -> bool:
    """Is it the trace of a square matrix of floats? Integers wrap in x @ y, and not in the sum."""
    n, m = x.type.shape[0], y.type.shape[-1]
    floats = node.type.is_float and x.dtype == y.dtype == node.dtype
    return floats and matrices(x, y) and n == m and places(c, n)


def diagonal(x: Expr, c: Constant, y: Expr, node: Expr) -> bool:
    return x.ndim == 1 and y.ndim <= 2 and places(c, x.type.shape[0]) and square_diagonal(node)


def square_diagonal(node: Expr) -> bool:
    """Is the scattered operand a matrix no larger than its diagonal?"""
    scattered = next(i for i in node.inputs if i.op is scatter)
    n = scattered.inputs[0].type.shape[0]
    return scattered.type.shape == (n, n)


def spelled(*forms: str) -> Callable[[str], bool]:
    """Do the subscripts, their letters renamed in order of appearance, say one of these?"""

    def same(s: str) -> bool:
        letters = dict.fromkeys(filter(str.isalpha, s))
        named = dict(zip(letters, "abcdefgh", strict=False))
        return "".join(named.get(letter, letter) for letter in s) in forms

    return same


# ---- right sides that algebra cannot write


def rows_times(x: Expr, y: Expr) -> Expr:
    return (expand_dims(x, axis=1) if y.ndim == 2 else x) * y


ORDER: dict[str, Any] = {"decreases": "order"}
COST: dict[str, Any] = {"decreases": "cost", "cost_policy": "cheaper"}
NAN = "inf·0 is nan"
ANOTHER = "another order may overflow, or underflow"
LARGE = "the product may overflow"
SUM = "the sum may overflow, or cancel"
diag_x = node_of(scatter, x, c, c)

# fmt: off
RULES = table(
    "ieee",
    ("minus out of @",          -x @ y,                       -(x @ y)),
    when=no_smaller, **ORDER,
) + table(
    "ieee",
    ("minus out of @, on the right", y @ -x,                  -(y @ x)),
    when=no_smaller, **ORDER,
) + table(
    "safe",
    ("number out of @",         (c * x) @ y,                  c * (x @ y), ANOTHER),
    ("number out of @, on the right", y @ (c * x),            c * (y @ x), ANOTHER),
    when=large_number, reorders=True, **ORDER,
) + table(
    "real",
    ("small number out of @",   (c * x) @ y,                  c * (x @ y), LARGE, isfinite(x @ y)),
    ("small number out of @, on the right", y @ (c * x),      c * (y @ x), LARGE, isfinite(y @ x)),
    when=number_of_large, **ORDER,
) + table(
    "safe",
    ("transpose of @",          T(T(x) @ y),                  T(y) @ x),
    ("transpose of @ transposed", T(x @ T(y)),                y @ T(x)),
    when=matrices,
) + [
    Reordered("from the right", (x @ y) @ z,                  x @ (y @ z)),
    Reordered("from the left",  x @ (y @ z),                  (x @ y) @ z),
] + table(
    "safe",
    ("trace of @",              node_of(sum, node_of(gather, x @ y, c, c)), sum(x * T(y))),
    when=whole_trace, any_dtype=True, **COST,
) + table(
    "ieee",
    ("column times row",        x @ y,                        x * y),
    when=thin, **COST,
) + table(
    "real",
    ("product with zeros",      x @ 0,                        0, NAN, isfinite(x)),
    ("zeros times",             0 @ x,                        0, NAN, isfinite(x)),
    **COST,
) + table(
    "real",
    ("product with eye",        x @ c,                        x, NAN, isfinite(x)),
    ("eye times",               c @ x,                        x, NAN, isfinite(x)),
    when=eye, **COST,
) + table(
    "real",
    ("diagonal times",          diag_x @ y,                   rows_times, NAN, isfinite(y)),
    ("times diagonal",          y @ diag_x,                   y * x,      NAN, isfinite(y)),
    when=diagonal, any_dtype=True, **COST,
) + table(
    "safe",
    ("product with outer",      x @ (y * z),                  (x @ y) * z, ANOTHER),
    ("outer times",             (y * z) @ x,                  y * (z @ x), ANOTHER),
    when=column_and_row, reorders=True, **COST,
) + table(
    "real",
    ("common left factor",      x @ y + x @ z,                x @ (y + z), SUM, isfinite(y + z)),
    ("common right factor",     y @ x + z @ x,                (y + z) @ x, SUM, isfinite(y + z)),
    ("common left factor of a difference", x @ y - x @ z,     x @ (y - z), SUM, isfinite(y - z)),
    ("common right factor of a difference", y @ x - z @ x,    (y - z) @ x, SUM, isfinite(y - z)),
    when=alike, **COST,
)
for rule in RULES:
    rule.exempt = "chains of matrices" if rule.when in (in_chain, column_and_row) else ""

EINSUM = (
    ("einsum of rows and columns",  x @ y,  "ab,bc->ac", "ab,b->a", "a,ab->b", "a,a->",
     "abc,acd->abd"),
    ("einsum of columns and rows",  y @ x,  "ab,ca->cb", "a,ba->b", "ab,a->b"),
    ("einsum of entries",           x * y,  "ab,ab->ab", "a,a->a"),
    ("einsum of a column and a row", node_of(expand_dims, x, axis=(1,)) * y,  "a,b->ab"),
)
RULES += [
    rule
    for name, right, *forms in EINSUM
    for rule in table(
        "safe", (name, node_of(contract, x, y, subscripts=s), right), when=spelled(*forms), **ORDER
    )
]
# fmt: on
