"""The size of a result: the product of powers that it is, or that a term of it is.

    x·y / e^z      x: 1, y: 1, e^z: −1          a sum is one base

Letters: m a node, x y its operands, b a base, e an exponent, s t sizes.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import isfinite, log, log2
from typing import Any

from ...expr import Constant, Expr
from ...ops import (
    abs,
    add,
    broadcast_to,
    cast,
    divide,
    exp,
    expand_dims,
    matmul,
    mean,
    multiply,
    negative,
    power,
    reshape,
    subtract,
    sum,
)
from ..engine.memo import answered
from .monomial import EXPONENTS, SIGNS, combined, present

Size = dict[Any, Any]  # base → exponent; a base is a node, or (exp, x) for e^x, or NUMBER
NUMBER = "2"  # the base of constants
ALIKE = frozenset((negative, abs, broadcast_to, expand_dims, reshape, cast))
SHARES = EXPONENTS | dict.fromkeys(ALIKE, (1,))
PRODUCTS = frozenset((*SHARES, power))
TERMS = frozenset((add, subtract))
SUMS = TERMS | {sum, mean}
OPENS = PRODUCTS | SUMS | {matmul}
WIDTH = 12  # bases of a product
PAIRS = 128  # products of terms that are multiplied out


def size(m: Expr) -> Size:
    """The node m as a product of powers; a sum is one base."""
    own: Size = answered(m, factors, size_of)
    return own


def factors(m: Expr) -> tuple[Expr, ...]:
    return m.inputs[: len(exponents(m))]


def exponents(m: Expr) -> tuple[Any, ...]:
    """The exponents of the operands of a product; none of other nodes."""
    if m.op is power:
        e = value_of(m.inputs[1])
        return () if e is None else (exact(e),)
    return SHARES.get(m.op, ())


def size_of(m: Expr, sizes: Mapping[Expr, Size]) -> Size:
    if m.op is exp:
        own = answered(m.inputs[0], terms, linear)
    elif factors(m):
        own = weighted(zip(factors(m), exponents(m), strict=True), sizes)
    else:
        own = number(m)
    return own if len(own) <= WIDTH else {m: 1}


def weighted(parts: Iterable[tuple[Expr, Any]], sizes: Mapping[Expr, Size]) -> Size:
    """The sizes of the operands, each as often as its exponent or coefficient says."""
    total = Size()
    for i, k in parts:
        for b, e in sizes[i].items():
            total[b] = total.get(b, 0) + k * e
    return present(total)


def number(m: Expr) -> Size:
    """The size of one number, or of what is no product."""
    value = value_of(m)
    return {m: 1} if value is None else {NUMBER: log2(max(value, -value))} if value else {}


def value_of(m: Expr) -> float | None:
    if not isinstance(m, Constant) or m.ndim or m.dtype.kind not in "fiu":
        return None
    value = float(m.value)
    return value if isfinite(value) else None


def exact(value: Any) -> Any:
    """The number as a fraction, or as a whole number, which is faster."""
    return int(value) if value % 1 == 0 else Fraction(value)


def addends(x: Expr) -> list[tuple[Expr, Any]]:
    """The operands of a sum with their signs; of a number times something that with the number."""
    if x.op in SIGNS:
        return [*zip(x.inputs, SIGNS[x.op], strict=True)]
    if x.op is divide and (c := value_of(x.inputs[1])):
        return [(x.inputs[0], exact(1 / Fraction(c)))]
    for i, other in (x.inputs, x.inputs[::-1]) if x.op is multiply else ():
        if c := value_of(other):
            return [(i, exact(c))]
    return []


def terms(x: Expr) -> tuple[Expr, ...]:
    return tuple([i for i, _ in addends(x)])


def linear(x: Expr, sizes: Mapping[Expr, Size]) -> Size:
    """The size of e^x."""
    parts, value = addends(x), value_of(x)
    if value is not None:
        own: Size = {NUMBER: value / log(2)} if value else {}
    else:
        own = weighted(parts, sizes) if parts else {(exp, x): 1}
    return own if len(own) <= WIDTH else {(exp, x): 1}


def products(m: Expr) -> list[Size]:
    """Sizes that a product of matrices adds up."""
    return [combined(*map(size, m.inputs))] if m.op is matmul else []


def sizes_of(m: Expr, sizes: Mapping[Expr, list[Size]]) -> list[Size]:
    """The sizes of the terms of m, from those of its operands; none where these are too many, or
    where m is divided by a sum that is new, since that may cancel."""
    if m.op not in OPENS:
        return [size(m)]
    x, *rest = [sizes[i] for i in m.inputs]
    if rest and m.op not in SUMS and len(x) * len(rest[0]) > PAIRS:
        return []
    if m.op in SUMS or m.op in ALIKE:
        return [*x, *[s for one in rest for s in one]]
    if m.op is multiply or m.op is matmul:
        return [combined(s, t) for s in x for t in rest[0]]
    if m.op is divide:
        return [combined(s, t, -1) for s in x for t in rest[0]] if len(rest[0]) == 1 else []
    (e,) = exponents(m) or (None,)
    if e is None:
        return [size(m)]
    return [combined({}, s, e) for s in x] if e > 0 or len(x) == 1 else []


def is_long(b: Any) -> bool:
    """Is a base a product of too many factors to be compared?"""
    return isinstance(b, Expr) and bool(factors(b))
