"""Cotangents of eigenvectors and singular vectors that are used in v·diag(c)·vᵀ alone.

Where eigenvalues coincide, their vectors may be turned among each other: a vector has no
derivative, but such a function has. Its cotangents are sums of terms m·v·diag(c), and to each m
belongs its transpose, from the other factor. Together they are m, the cotangent of v·diag(c)·vᵀ.
Of u·diag(c)·vᵀ the cotangent of u is m·v·diag(c), and that of v is mᵀ·u·diag(c).

Letters: ct a cotangent, n a node, m a matrix, a product of factors; c numbers for each vector.
"""

from collections import Counter
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from ..core.derivative_rules import broadcast_like
from ..expr import OPERATIONS, Constant, Expr, computed_by
from ..ops.index import ALL
from ..ops.products import column, row
from ..ops.products import matrix_transpose as T
from ..ops.radial import ALIKE
from ..ops.shape import squeeze
from .treated_alike import slope_of_each

DEPTH = 20  # operations between a cotangent and the vectors in it
NODES = 200  # that are looked at
Turn = tuple[Expr, bool]  # a node, or its transpose; a vector is a row, or a column


class Term(NamedTuple):
    """m·v·diag(c): the factors of m, and numbers whose product is c, or by which it is divided."""

    factors: tuple[Turn, ...] = ()
    scales: tuple[Turn, ...] = ()
    sign: int = 1

    def key(self, transposed: bool = False) -> tuple:
        factors = [(form(n), flip ^ transposed) for n, flip in self.factors]
        scales = frozenset(Counter((form(n), inverse) for n, inverse in self.scales).items())
        return tuple(factors[::-1] if transposed else factors), scales, self.sign

    def matrix(self) -> Expr:
        return reduce(lambda a, b: a @ b, [as_matrix(*f) for f in self.factors]) * self.sign

    def numbers(self, w: Expr) -> Expr:
        c = broadcast_like(Constant(1.0, w.dtype), w)
        for n, inverse in self.scales:
            c = c / n if inverse else c * n
        return c


def form(n: Expr, depth: int = ALIKE) -> Any:
    """A key that nodes share if they are written in the same way."""
    if n.op is None or not depth:
        return n.key if isinstance(n, Constant) else id(n)
    return n.op, n.static, *(form(i, depth - 1) for i in n.inputs)


def as_matrix(n: Expr, flip: bool) -> Expr:
    if n.ndim == 1:
        return column(n) if flip else row(n)
    return T(n) if flip else n


def symmetric_functions(ct: Expr, v: Expr, w: Expr) -> list[tuple] | None:
    """[(m, c, slope of c)] where ct is the cotangent of v in functions v·diag(c)·vᵀ alone."""
    terms = Vectors(v, False).terms(ct, False)
    return None if terms is None else with_slopes(one_of_each_pair(terms), w)


def singular_functions(ct_u: Expr, ct_vh: Expr, u: Expr, vh: Expr, s: Expr) -> list[tuple] | None:
    """[(m, c, slope of c)] where these are cotangents in functions u·diag(c)·vᵀ alone."""
    of_u, of_v = Vectors(vh, True).terms(ct_u, False), Vectors(u, False).terms(ct_vh, True)
    if of_u is None or of_v is None:
        return None
    paired = Counter(t.key() for t in of_u) == Counter(t.key(transposed=True) for t in of_v)
    return with_slopes(of_u, s) if paired else None


def one_of_each_pair(terms: list[Term]) -> list[Term] | None:
    """Each term whose transpose is there, too; None if one has no transpose."""
    open_ends: Counter[tuple] = Counter()
    first = []
    for t in terms:
        if open_ends[t.key()]:
            open_ends[t.key()] -= 1
        else:
            open_ends[t.key(transposed=True)] += 1
            first.append(t)
    return None if any(open_ends.values()) else first


def with_slopes(terms: list[Term] | None, w: Expr) -> list[tuple] | None:
    if terms is None:
        return None
    parts = [(t.matrix(), c := t.numbers(w), slope_of_each(c, w)) for t in terms if t.factors]
    return None if any(slope is None for *_, slope in parts) else parts


class Vectors:
    """One search for the terms of a cotangent, in which v is read, transposed or not."""

    def __init__(self, v: Expr, flip: bool):
        self.v, self.flip = computed_by(v), flip
        self.done: dict[Turn, list[Term] | None] = {}

    def terms(self, n: Expr, flip: bool, depth: int = DEPTH) -> list[Term] | None:
        """Those of a node, or of its transpose; None where it is no sum of terms."""
        made, place = computed_by(n)
        if made is self.v[0]:
            return [Term()] if place == self.v[1] and flip is self.flip else None
        rule = RULES.get(n.op.name) if n.op and getattr(n.op, "is_ours", False) else None
        if rule is None or not depth or len(self.done) > NODES:
            return None
        if (n, flip) not in self.done:
            self.done[n, flip] = rule(n, flip, lambda i, f: self.terms(i, f, depth - 1))
        return self.done[n, flip]


# ---- the terms of an operation from those of its operands


def of_sum(n: Expr, flip: bool, terms: Any) -> list[Term] | None:
    a, b = (terms(i, flip) for i in n.inputs)
    if a is None or b is None:
        return None
    return a + (b if n.op.name == "add" else negated(b))


def of_negative(n: Expr, flip: bool, terms: Any) -> list[Term] | None:
    return negated(terms(n.inputs[0], flip))


def of_transpose(n: Expr, flip: bool, terms: Any) -> list[Term] | None:
    return terms(n.inputs[0], not flip) if is_turned(n) else None


def of_product(n: Expr, flip: bool, terms: Any) -> list[Term] | None:
    a, b = n.inputs
    if n.ndim == 1:  # a row
        inner, factor = ((a, True), (b, False)) if b.ndim == 1 else ((b, False), (a, False))
        return behind(factor, terms(*inner))
    if a.ndim < 2 or b.ndim < 2:
        return None
    left, right = ((b, True), (a, True)) if flip else ((a, False), (b, False))
    d = diagonal_of(right[0])
    return behind(left, terms(*right)) if d is None else scaled(terms(*left), (d, False))


def of_entries(n: Expr, flip: bool, terms: Any) -> list[Term] | None:
    """Of a product or quotient by numbers, one for each column, or of a column by a row."""
    a, b = n.inputs
    inverse = n.op.name == "divide"
    for z, y in ((a, b),) if inverse else ((a, b), (b, a)):
        y = unspread(y)
        c = numbers_of(y, n, flip)
        if c is not None and (of_z := terms(z, flip)) is not None:
            return scaled(of_z, (c, inverse))
        x = numbers_of(y, n, not flip)
        if not inverse and x is not None and x.ndim == 1 and n.ndim == 2:
            of_z = terms(z, flip and z.ndim == 2)
            if of_z is not None and is_row(z, flip):
                return behind((x, True), of_z)
    return None


def of_vector(n: Expr, flip: bool, terms: Any) -> list[Term] | None:
    """Of a row, or of a column that is transposed."""
    z = n.inputs[0]
    return terms(z, False) if n.ndim == 2 and z.ndim == 1 and is_row(n, flip) else None


RULES = {
    "add": of_sum, "subtract": of_sum, "negative": of_negative, "transpose": of_transpose,
    "matmul": of_product, "multiply": of_entries, "divide": of_entries,
    "expand_dims": of_vector, "index": of_vector,
}  # fmt: skip


def negated(terms: list[Term] | None) -> list[Term] | None:
    return terms and [t._replace(sign=-t.sign) for t in terms]


def behind(factor: Turn, terms: list[Term] | None) -> list[Term] | None:
    n, flip = factor
    while is_turned(n):
        n, flip = n.inputs[0], not flip
    return terms and [t._replace(factors=((n, flip), *t.factors)) for t in terms]


def scaled(terms: list[Term] | None, c: Turn) -> list[Term] | None:
    return terms and [t._replace(scales=(*t.scales, c)) for t in terms]


def is_turned(n: Expr) -> bool:
    """Are the last two axes exchanged here, and no others?"""
    k = n.ndim
    axes = (("axes", (*range(k - 2), k - 1, k - 2)),)
    return n.op is OPERATIONS["transpose"] and n.static == axes


def is_row(n: Expr, flip: bool) -> bool:
    return n.ndim == 1 or n.type.shape[-1 if flip else -2] == 1


def unspread(n: Expr) -> Expr:
    while n.op is OPERATIONS["broadcast_to"]:
        n = n.inputs[0]
    return n


def numbers_of(y: Expr, n: Expr, flip: bool) -> Expr | None:
    """The numbers by which the columns of n, or its rows, are multiplied; None where they are
    not."""
    if not y.ndim or n.ndim == 1:
        return y
    axis = -1 if flip else -2
    if y.ndim == 1:
        return None if flip else y
    return without(y, y.ndim + axis, DEPTH) if y.type.shape[axis] == 1 else None


def without(y: Expr, place: int, depth: int) -> Expr:
    """y without an axis of length 1, which is left out where it came in."""
    op, key = y.op, tuple(None if k == place else ALL for k in range(y.ndim))
    if op is None or not depth:
        return squeeze(y, axis=place)
    if op.name in ("expand_dims", "index") and y.static in ((("axis", (place,)),), (("key", key),)):
        return y.inputs[0]
    if op.elementwise and all(i.ndim in (0, y.ndim) for i in y.inputs):
        inner = [without(i, place, depth - 1) if i.ndim else i for i in y.inputs]
        return op.apply(tuple(inner), y.static)
    return squeeze(y, axis=place)


def diagonal_of(n: Expr) -> Expr | None:
    """The vector that was put on the diagonal of a matrix of zeros."""
    while n.op is OPERATIONS["transpose"]:
        n = n.inputs[0]
    if n.op is not OPERATIONS["scatter"] or n.ndim != 2 or n.inputs[0].ndim != 1:
        return None
    x, i, j, *_ = n.inputs
    places = isinstance(i, Constant) and np.array_equal(i.value, np.arange(i.value.size))
    return x if i is j and places and n.type.shape == (*x.type.shape, *x.type.shape) else None
