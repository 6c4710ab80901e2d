"""Diagonals stay diagonals until they must be dense: what derivatives of elementwise parts are.

Letters: v w vectors on a diagonal, x y expressions, p a condition, n a length, s where a diagonal
begins, m the shape of its matrix, D(v) the matrix with v on a diagonal and exact zeros beside it.
"""

from typing import Any

from ...expr import Expr, Literal, TensorType
from ...ops import (
    broadcast_to,
    expand_dims,
    index,
    matrix,
    ones,
    reshape,
    sum,
    transpose,
    vector,
    where,
)
from ...ops.diagonal_matrix import CORNER, rows_and_entries
from ...ops.diagonal_matrix import diagonal_matrix as D
from ...ops.index import embed, part
from ..engine.rule_table import table
from ..engine.validate import wild
from .exact_zeros import NOTHING
from .indexing import key_of, shortest
from .shapes import node_of

v, w, x, p, n, s, m = wild("v w x p n s m")
ONE = Literal(1.0)
ONES = node_of(broadcast_to, ONE, shape=n)  # as long vectors of ones are written


def diag(x: Any) -> Expr:
    """A pattern: a matrix with a diagonal, wherever that begins."""
    return node_of(D, x, start=s, shape=m)


def square(x: Any) -> Expr:
    """A pattern: a square matrix with a whole diagonal."""
    return node_of(D, x, start=CORNER, shape=None)


# ---- conditions


def along_rows(v: Expr, x: Expr) -> bool:
    """Has x a number for each entry of the diagonal, its own or one for several?"""
    pairs = zip(reversed(x.type.shape), reversed(v.type.shape), strict=False)
    return x.ndim <= v.ndim and all(n in (1, length) for n, length in pairs)


def chosen_by_rows(v: Expr, p: Expr) -> bool:
    return along_rows(v, p)


def whole_diagonal(node: Expr, x: Expr) -> bool:
    """Is this the whole diagonal, as long as x is, and does it keep its dtype?"""
    ones = [i.inputs[0] for i in node.inputs if i.op is D]
    same = any(v.type.shape == x.type.shape for v in ones)
    return same and node.type == TensorType(x.dtype, rows_and_entries(x.type))


def in_each(node: Expr, v: Expr) -> bool:
    """Has each row, or column, one entry of the diagonal?"""
    if v.ndim == 1:
        return [n for n in node.type.shape if n != 1] in ([], list(v.type.shape))
    return v.type.known and node.type.shape == v.type.shape


def as_long(v: Expr, w: Expr) -> bool:
    """Does neither stretch, as a matrix of one entry would?"""
    return v.type.shape == w.type.shape


def is_matrix(v: Expr, x: Expr) -> bool:
    return v.ndim == 1 and x.ndim == 2


def is_vector(v: Expr, x: Expr) -> bool:
    return v.ndim == x.ndim == 1


# ---- right sides that algebra cannot write


def same_type(node: Expr, x: Expr) -> Expr | None:
    return x if x.type is node.type and x.ndim <= 2 else None


def as_row(v: Expr) -> Expr:
    return expand_dims(v, axis=0)


def as_column(v: Expr) -> Expr:
    return expand_dims(v, axis=1)


def rows_times(v: Expr, x: Expr) -> Expr:
    return as_column(v) * x


def each_row(node: Expr, v: Expr) -> Expr | None:
    """Sums of matrices that have one entry each."""
    entries = tuple(range(1, v.ndim + 1))
    if v.ndim < 2 or dict(node.static)["axis"] != entries or not v.type.known:
        return None
    return reshape(v, node.shape)


def turned(v: Expr, s: tuple, m: tuple | None) -> Expr:
    return D(v, s[::-1], m and m[::-1])


def steps_of(key: tuple, shape: tuple) -> list[range] | None:
    """The places that slices without a step name along each axis, where lengths are known."""
    if None in shape or not all(isinstance(k, tuple) and k[2] in (None, 1) for k in key):
        return None
    return [range(n)[slice(*k)] for n, k in zip(shape, key, strict=True)]


def cut(node: Expr, v: Expr, s: tuple) -> Expr | None:
    """The part of the diagonal that runs through the slice."""
    places = steps_of(key_of(node), node.inputs[0].type.shape)
    if places is None or v.ndim != 1 or not v.type.known:
        return None
    row, column = [k - taken.start for k, taken in zip(s, places, strict=True)]
    first = max(0, -row, -column)
    last = min(v.size, len(places[0]) - row, len(places[1]) - column)
    if first >= last:
        return broadcast_to(NOTHING, node.type.shape)
    taken = part(v, (shortest(v.size, range(first, last)),))
    return D(taken, (row + first, column + first), node.type.shape)


def placed(node: Expr, v: Expr, s: tuple) -> Expr | None:
    """The diagonal, moved with its matrix to where that stands."""
    places = steps_of(key_of(node), node.type.shape)
    if places is None or v.ndim != 1:
        return None
    row, column = [k + taken.start for k, taken in zip(s, places, strict=True)]
    return D(v, (row, column), node.type.shape)


HOW: dict[str, Any] = {"decreases": "order", "cost_policy": "no_worse"}

# fmt: off
RULES = table(
    "ieee",
    ("scaled unit vectors",      square(ONE) * x,           square(x)),
    ("scaled long unit vectors", square(ONES) * x,          square(x)),
    when=whole_diagonal, any_dtype=True, **HOW,
) + table(
    "ieee",
    ("unit vectors times",       square(ONE) @ x,           same_type),
    ("times unit vectors",       x @ square(ONE),           same_type),
    ("long unit vectors times",  square(ONES) @ x,          same_type),
    ("times long unit vectors",  x @ square(ONES),          same_type),
    any_dtype=True, **HOW,
) + table(
    "ieee",
    ("scaled diagonal",          diag(v) * x,             diag(v * x)),
    ("divided diagonal",         diag(v) / x,             diag(v / x)),
    when=along_rows, **HOW,
) + table(
    "ieee",
    ("minus a diagonal",         -diag(v),                diag(-v)),
    **HOW,
) + table(
    "ieee",
    ("sum of diagonals",         diag(v) + diag(w),       diag(v + w)),
    ("difference of diagonals",  diag(v) - diag(w),       diag(v - w)),
    when=as_long, **HOW,
) + table(
    "ieee",
    ("transpose of a diagonal",  node_of(transpose, diag(v), axes=(1, 0)),  turned),
    ("slice of a diagonal",      node_of(index, diag(v)),                   cut),
    ("diagonal between zeros",   node_of(embed, diag(v)),                   placed),
    any_dtype=True, **HOW,
) + table(
    "ieee",
    ("diagonal or nothing",      where(p, diag(v), NOTHING),  diag(where(p, v, NOTHING))),
    ("nothing or diagonal",      where(p, NOTHING, diag(v)),  diag(where(p, NOTHING, v))),
    when=chosen_by_rows, any_dtype=True, **HOW,
) + table(
    "ieee",
    ("diagonal times matrix",    square(v) @ x,           rows_times),
    ("matrix times diagonal",    x @ square(v),           x * v),
    when=is_matrix, **HOW,
) + table(
    "ieee",
    ("diagonal times vector",    square(v) @ x,           v * x),
    ("vector times diagonal",    x @ square(v),           x * v),
    when=is_vector, **HOW,
) + table(
    "ieee",
    ("sum of a diagonal by rows",    node_of(sum, diag(v), axis=(0,), keepdims=False),  v),
    ("sum of a diagonal by columns", node_of(sum, diag(v), axis=(1,), keepdims=False),  v),
    ("row of sums of a diagonal",    node_of(sum, diag(v), axis=(0,), keepdims=True),   as_row),
    ("column of sums of a diagonal", node_of(sum, diag(v), axis=(1,), keepdims=True),   as_column),
    when=in_each, **HOW,
) + table(
    "ieee",
    ("sums of unit matrices",    node_of(sum, square(v)), each_row),
    **HOW,
)
# fmt: on


def examples() -> dict[str, Expr]:
    from .letters import A, B, r, x

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
        "scaled diagonal": d * x,
        "divided diagonal": d / r,
        "minus a diagonal": -d,
        "sum of diagonals": d + D(r * r),
        "difference of diagonals": d - D(r * r),
        "transpose of a diagonal": transpose(d),
        "slice of a diagonal": D(r * r)[1:, :2],
        "diagonal between zeros": embed(d, (5, 4), key=((1, 4, None), (None, 3, None))),
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
        "sums of unit matrices": sum(D(A * A), axis=(1, 2)),
    }
