"""The record of sums and products: coefficients over bases.

    2 · x · (y / x) · x³    2, {x: 3, y: 1}           a product: bases, each with an exponent
    3·x − y + 2·x           x: 3, y: −1, x: 2         a sum: terms, each with a coefficient

A term of a sum is a product with its coefficient, so both have one record. The page `sum` reads and
writes sums, `reading` and `writing` do so with products. All of it is computed in the dtype of the
product: a base of another dtype stands for itself, cast.

Letters: n a node, x b bases, e k exponents, c a number, s t terms.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from math import inf, isfinite
from typing import Any, NamedTuple

import numpy as np

from ...expr import Constant, Expr
from ...ops import (
    add,
    astype,
    divide,
    multiply,
    negative,
    power,
    reciprocal,
    sqrt,
    square,
    subtract,
)  # fmt: skip
from ..engine.match_context import MatchContext

Powers = dict[Expr, Any]
Opens = Callable[[Expr], bool]  # does a sum or product go on below this node?
EXPONENTS: dict[Any, tuple] = {  # of the operands of a product, and signs of those of a sum
    multiply: (1, 1), divide: (1, -1), reciprocal: (-1,), negative: (1,), square: (2,),
    sqrt: (Fraction(1, 2),),
}  # fmt: skip
SIGNS = {add: (1, 1), subtract: (1, -1), negative: (-1,)}
SUMS = (add, subtract)
POWERS = frozenset((square, power, sqrt))
PRODUCTS = POWERS.union((multiply, divide, negative, reciprocal))
JOINING = PRODUCTS.union(SUMS)
LONG = 64  # parts of a region that may go on above, and terms of a sum that is looked at whole


class Monomial(NamedTuple):
    """coefficient · Π base^exponent: a product, or a term of a sum.

    A term knows the node that it was read from, and the number among its factors. Of a product,
    `parts` counts its factors as they stand, `divisions` how often it is divided, and `quotients`
    how many of these divisions have a name; `met` holds the bases that stand above a fraction line
    and below one, or under a root.
    """

    coefficient: Any
    powers: Powers
    node: Expr | None = None
    number: Any = 1
    parts: int = 1
    divisions: int = 0
    quotients: int = 0
    met: tuple[Expr, ...] = ()

    @property
    def key(self) -> Hashable:
        """Like terms have equal keys."""
        return frozenset(self.powers.items())

    @property
    def pure(self) -> Expr | None:
        """The product of the powers alone, where it stands there."""
        (b, e) = next(iter(self.powers.items()), (None, 0))
        if e == 1 and len(self.powers) == 1:
            return b
        return self.node if self.number == 1 else None


Terms = list[Monomial]


def atom(n: Expr) -> Monomial:
    """The record of a node that is not read any further."""
    return Monomial(1, {n: 1})


def combined(one: Mapping[Any, Any], other: Mapping[Any, Any], e: Any = 1) -> dict[Any, Any]:
    """one · other^e as tables base → exponent; one + e · other as tables base → coefficient."""
    total = present(one)
    for b, k in other.items():
        total[b] = k = total.get(b, 0) + e * k
        if not k:
            del total[b]
    return total


def collected(
    read: Iterable[Monomial], cancels: Callable[[Monomial], bool] = lambda t: True
) -> tuple[list[Monomial], list[Monomial]]:
    """The terms with like ones added up, those of opposite signs only where the term `cancels`;
    and the terms that were subtracted from themselves."""
    rows: dict[Hashable, Monomial] = {}
    opposite: dict[Hashable, Monomial] = {}
    for t in read:
        key: Hashable = t.key
        if t.powers and key in rows and rows[key].coefficient * t.coefficient < 0:
            if cancels(t):
                opposite[key] = t
            else:
                key = key, "apart"
        rows[key] = like(rows[key], t) if key in rows else t
    left = [t for key, t in rows.items() if t.coefficient or t.powers and key not in opposite]
    return left, [*opposite.values()]


def like(s: Monomial, t: Monomial) -> Monomial:
    """s + t for like terms, of which one may have no number among its factors."""
    first = s if s.number == 1 or t.number != 1 else t
    return first._replace(coefficient=s.coefficient + t.coefficient)


def present(powers: Mapping[Any, Any]) -> dict[Any, Any]:
    return {x: e for x, e in powers.items() if e}


# ---- numbers


def number_times(m: Expr) -> tuple[Any, Expr] | None:
    """c and x, where m is −x, c · x or x · c; 0 · x stays, since it may be nan."""
    if m.op is negative:
        return -1, m.inputs[0]
    for c, x in (m.inputs, m.inputs[::-1]) if m.op is multiply else ():
        value = number_of(c) if c.op is None else None
        if value and isfinite(value) and x.type is m.type:
            return value, x
    return None


def scales(m: Expr) -> bool:
    """Is one of the operands a number?"""
    return any(i.op is None and number_of(i) is not None for i in m.inputs)


def number_of(n: Expr) -> Any:
    """The number that a constant repeats, or None. Exact zeros have rules of their own."""
    if not isinstance(n, Constant) or n.exact or n.type.dtype.kind == "b":
        return None
    if not n.type.shape:
        value = n.value.item()
        return value if value == value else None
    if not n.value.size:
        return None
    value = n.value.flat[0].item()
    return value if n.is_all(value) else None


def varies(x: Expr) -> bool:
    return not isinstance(x, Constant)


def negative_number(c: Constant, x: Expr) -> bool:
    """Is c a negative number, beside something that varies?"""
    return varies(x) and not c.ndim and bool(c.value < 0)


def a_number_and_an_array(c: Constant, x: Expr, node: Expr) -> bool:
    """Is the array c one number everywhere, and has the node the shape of x anyway?"""
    return varies(x) and c.ndim > 0 and x.type is node.type and number_of(c) is not None


def number_to(value: Any, e: Any) -> Any:
    """value^e; inf where Python's numbers end."""
    try:
        return value if e == 1 else value**e
    except OverflowError:
        return inf


def held(number: Any, dtype: np.dtype) -> bool:
    """Can this dtype hold the number without overflow or underflow?"""
    if number == 1 or number == 0:
        return True
    least, low, high = limits(dtype)
    return bool(low <= number <= high and least <= max(number, -number))


@cache
def limits(dtype: np.dtype) -> tuple[Any, Any, Any]:
    """The smallest size of a number but 0, and the range of all numbers."""
    if dtype.kind != "f":
        whole = np.iinfo(dtype)
        return 0, int(whole.min), int(whole.max)
    real = np.finfo(dtype)
    return float(real.tiny), -float(real.max), float(real.max)


def named(atoms: Iterable[Expr]) -> dict[str, Expr]:
    """The parts of a region, called x, y, z and so on."""
    return dict(zip("xyzuvwabcdefgh", atoms, strict=False))


# ---- one node, and how far its region goes


def region(n: Expr, context: MatchContext, depth_limit: int | None = None) -> Opens:
    """How far the region of n goes: over what nothing else uses. Where it may go on above n, as it
    does above a minus, it has a limit: else long chains would be read at each link."""
    limit = LONG if context.uses.user_op(n) is negative else depth_limit
    left = None if limit is None else iter(range(limit))

    def opens(m: Expr) -> bool:
        if m.type.dtype != n.type.dtype:
            return False
        return context.uses.once(m) and (left is None or next(left, None) is not None)

    return opens


def scaled(c: Any, x: Expr, dtype: np.dtype) -> Expr:
    """c · x. A number has the dtype, and x is cast to it by the product."""
    return x if c == 1 else -astype(x, dtype) if c == -1 else Constant(c, dtype) * x


def in_dtype(op: Any, x: Expr, y: Expr, dtype: np.dtype) -> Expr:
    """The operation on x and y, computed in this dtype: one of both has it, or is cast."""
    result: Expr = op(x if y.dtype == dtype else astype(x, dtype), y)
    return result


# ---- is it worth reading?

ANSWERS: dict[str, Callable[..., bool]] = {}  # by the first word of the question


def worth(question: str, *about: Any) -> bool:
    """Is a product, or a sum, worth reading? Rules ask, as in worth("below", n, SUMS): may a sum
    stand below the line in n? The answer is yes; in large graphs the room `rewrite/fast` answers by
    a glance, which takes less time than to read. It may promise too much, and never too little."""
    answer = ANSWERS.get(question)
    return answer is None or answer(*about)
