"""Diagonals stay diagonals until they must be dense: what derivatives of elementwise parts are.

Letters: v w vectors on a diagonal, x y expressions, p a condition, n a length, D(v) the matrix with
v on its diagonal and exact zeros beside it.
"""

from typing import Any

from ...expr import Expr, Literal, TensorType
from ...ops import broadcast_to, expand_dims, matrix, ones, sum, transpose, vector, where
from ...ops.diagonal_matrix import diagonal_matrix as D
from ..engine.pattern import wild
from ..engine.rule import table
from .exact_zeros import NOTHING
from .letters import A, B, r
from .letters import x as number
from .shapes import node_of

v, w, x, p, n = wild("v w x p n")
ONE = Literal(1.0)
ONES = node_of(broadcast_to, ONE, shape=n)  # as long vectors of ones are written


def diag(x: Any) -> Expr:
    """A pattern: a diagonal matrix."""
    return node_of(D, x)


# ---- conditions


def along_rows(v: Expr, x: Expr) -> bool:
    """Is this a number, or a vector with an entry for each column?"""
    return x.ndim == 0 or (x.ndim == 1 and x.type.shape == v.type.shape)


def chosen_by_rows(v: Expr, p: Expr) -> bool:
    return along_rows(v, p)


def whole_diagonal(node: Expr, x: Expr) -> bool:
    """Is this the whole diagonal, and does it keep its dtype?"""
    return node.type == TensorType(x.dtype, x.type.shape * 2)


def is_matrix(x: Expr) -> bool:
    return x.ndim == 2


def is_vector(x: Expr) -> bool:
    return x.ndim == 1


# ---- right sides that algebra cannot write


def same_type(node: Expr, x: Expr) -> Expr | None:
    return x if x.type is node.type else None


def as_row(v: Expr) -> Expr:
    return expand_dims(v, axis=0)


def as_column(v: Expr) -> Expr:
    return expand_dims(v, axis=1)


def rows_times(v: Expr, x: Expr) -> Expr:
    return as_column(v) * x


HOW: dict[str, Any] = {"decreases": "order", "cost_policy": "no_worse"}

# fmt: off
RULES = table(
    "ieee",
    ("scaled unit vectors",      diag(ONE) * x,             diag(x)),
    ("scaled long unit vectors", diag(ONES) * x,            diag(x)),
    when=whole_diagonal, any_dtype=True, **HOW,
) + table(
    "ieee",
    ("unit vectors times",       diag(ONE) @ x,             same_type),
    ("times unit vectors",       x @ diag(ONE),             same_type),
    ("long unit vectors times",  diag(ONES) @ x,            same_type),
    ("times long unit vectors",  x @ diag(ONES),            same_type),
    any_dtype=True, **HOW,
) + table(
    "ieee",
    ("scaled diagonal",          diag(v) * x,             diag(v * x)),
    ("divided diagonal",         diag(v) / x,             diag(v / x)),
    when=along_rows, **HOW,
) + table(
    "ieee",
    ("minus a diagonal",         -diag(v),                diag(-v)),
    ("sum of diagonals",         diag(v) + diag(w),       diag(v + w)),
    ("difference of diagonals",  diag(v) - diag(w),       diag(v - w)),
    ("transpose of a diagonal",  node_of(transpose, diag(v)), diag(v)),
    **HOW,
) + table(
    "ieee",
    ("diagonal or nothing",      where(p, diag(v), NOTHING),  diag(where(p, v, NOTHING))),
    ("nothing or diagonal",      where(p, NOTHING, diag(v)),  diag(where(p, NOTHING, v))),
    when=chosen_by_rows, any_dtype=True, **HOW,
) + table(
    "ieee",
    ("diagonal times matrix",               diag(v) @ x,             rows_times),
    ("matrix times diagonal",            x @ diag(v),             x * v),
    when=is_matrix, **HOW,
) + table(
    "ieee",
    ("diagonal times vector",            diag(v) @ x,             v * x),
    ("vector times diagonal",            x @ diag(v),             x * v),
    when=is_vector, **HOW,
) + table(
    "ieee",
    ("sum of a diagonal by rows",    node_of(sum, diag(v), axis=(0,), keepdims=False),  v),
    ("sum of a diagonal by columns", node_of(sum, diag(v), axis=(1,), keepdims=False),  v),
    ("row of sums of a diagonal",    node_of(sum, diag(v), axis=(0,), keepdims=True),   as_row),
    ("column of sums of a diagonal", node_of(sum, diag(v), axis=(1,), keepdims=True),   as_column),
    **HOW,
)
# fmt: on


def examples() -> dict[str, Expr]:
    d, one = D(r), D(ones(3))
    n = 65  # of this length on, ones are no constant
    many, long = D(broadcast_to(1.0, shape=(n,))), vector("r", shape=n)
    tall, wide = matrix("A", shape=(n, 2)), matrix("B", shape=(2, n))
    return {
        "scaled unit vectors": one * r,
        "unit vectors times": one @ A,
        "times unit vectors": B @ one,
        "scaled long unit vectors": many * long,
        "long unit vectors times": many @ tall,
        "times long unit vectors": wide @ many,
        "scaled diagonal": d * number,
        "divided diagonal": d / r,
        "minus a diagonal": -d,
        "sum of diagonals": d + D(r * r),
        "difference of diagonals": d - D(r * r),
        "transpose of a diagonal": transpose(d),
        "diagonal or nothing": where(r > 0, d, NOTHING),
        "nothing or diagonal": where(r > 0, NOTHING, d),
        "diagonal times matrix": d @ A,
        "matrix times diagonal": B @ d,
        "diagonal times vector": d @ r,
        "vector times diagonal": r @ d,
        "sum of a diagonal by rows": sum(d, axis=0),
        "sum of a diagonal by columns": sum(d, axis=1),
        "row of sums of a diagonal": sum(d, axis=0, keepdims=True),
        "column of sums of a diagonal": sum(d, axis=1, keepdims=True),
    }
