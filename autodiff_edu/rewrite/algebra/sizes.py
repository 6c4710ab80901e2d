"""The size of a result: the product of powers that it is, or that a term of it is.

    x·y / e^z      x: 1, y: 1, e^z: −1          a sum is one base

Letters: m a node, x y its operands, b a base, e an exponent, s t sizes.
"""

from collections.abc import Mapping
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
    reciprocal,
    reshape,
    sqrt,
    square,
    subtract,
    sum,
)
from ..engine.memo import answered
from .monomial import combined

Size = dict[Any, Any]  # base → exponent; a base is a node, or (exp, x) for e^x, or NUMBER
NUMBER = "2"  # the base of constants
ALIKE = frozenset((negative, abs, broadcast_to, expand_dims, reshape, cast))
POWERS = {square: 2, sqrt: Fraction(1, 2), reciprocal: -1}
PRODUCTS = frozenset((*ALIKE, *POWERS, multiply, divide, power))
TERMS = frozenset((add, subtract))
SUMS = TERMS | {sum, mean}
OPENS = PRODUCTS | SUMS | {matmul}
WIDTH = 12  # bases of a product


def size(m: Expr) -> Size:
    """The node m as a product of powers; a sum is one base."""
    own: Size = answered(m, factors, size_of)
    return own


def factors(m: Expr) -> tuple[Expr, ...]:
    if m.op not in PRODUCTS or m.op is power and exponent(m) is None:
        return ()
    return m.inputs[:1] if m.op is power else m.inputs


def size_of(m: Expr, sizes: Mapping[Expr, Size]) -> Size:
    below = [sizes[i] for i in factors(m)]
    if m.op in ALIKE:
        return below[0]
    if m.op is exp:
        own = answered(m.inputs[0], terms, linear)
    elif not below:
        own = number(m)
    elif len(below) == 2:
        own = combined(below[0], below[1], 1 if m.op is multiply else -1)
    else:
        own = combined({}, below[0], exponent(m))
    return own if len(own) <= WIDTH else {m: 1}


def number(m: Expr) -> Size:
    """The size of one number, or of what is no product."""
    value = value_of(m)
    return {m: 1} if value is None else {NUMBER: log2(max(value, -value))} if value else {}


def value_of(m: Expr) -> float | None:
    if not isinstance(m, Constant) or m.ndim or m.dtype.kind not in "fiu":
        return None
    value = float(m.value)
    return value if isfinite(value) else None


def exponent(m: Expr) -> Any:
    """The exponent of a power, if it is a number."""
    if m.op is not power:
        return POWERS[m.op]
    e = value_of(m.inputs[1])
    return None if e is None else Fraction(e)


def terms(x: Expr) -> tuple[Expr, ...]:
    """The operands of a sum; of a number times something that alone."""
    if x.op in TERMS or x.op is negative:
        return x.inputs
    if x.op is divide:
        return x.inputs[:1] if value_of(x.inputs[1]) else ()
    if x.op is multiply and any(map(value_of, x.inputs)):
        return tuple([i for i in x.inputs if not value_of(i)][:1])
    return ()


def linear(x: Expr, sizes: Mapping[Expr, Size]) -> Size:
    """The size of e^x."""
    below, value = [sizes[i] for i in terms(x)], value_of(x)
    if value is not None:
        own: Size = {NUMBER: value / log(2)} if value else {}
    elif len(below) == 2:
        own = combined(below[0], below[1], 1 if x.op is add else -1)
    elif below:
        own = combined({}, below[0], scale(x))
    else:
        own = {(exp, x): 1}
    return own if len(own) <= WIDTH else {(exp, x): 1}


def scale(x: Expr) -> Any:
    """The number by which a term is scaled."""
    if x.op is negative:
        return -1
    c = next(Fraction(v) for v in map(value_of, x.inputs[::-1]) if v)
    return 1 / c if x.op is divide else c


def products(m: Expr) -> list[Size]:
    """Sizes that a product of matrices adds up."""
    return [combined(*map(size, m.inputs))] if m.op is matmul else []


def sizes_of(m: Expr, sizes: Mapping[Expr, list[Size]]) -> list[Size]:
    """The sizes of the terms of m, from those of its operands; none where m is divided by a sum
    that is new, since that may cancel."""
    if m.op not in OPENS:
        return [size(m)]
    x, *rest = [sizes[i] for i in m.inputs]
    if m.op in SUMS or m.op in ALIKE:
        return [*x, *[s for one in rest for s in one]]
    if m.op is multiply or m.op is matmul:
        return [combined(s, t) for s in x for t in rest[0]]
    if m.op is divide:
        return [combined(s, t, -1) for s in x for t in rest[0]] if len(rest[0]) == 1 else []
    e = exponent(m)
    if e is None:
        return [size(m)]
    return [combined({}, s, e) for s in x] if e > 0 or len(x) == 1 else []


def is_long(b: Any) -> bool:
    """Is a base a product of too many factors to be compared?"""
    return isinstance(b, Expr) and bool(factors(b))
