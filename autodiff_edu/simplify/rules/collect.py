"""Collecting: a sum as a table term → coefficient, a product as base → exponent.

Both are done once, at the root of a region of additions (or multiplications) that nothing else
uses, and only where fewer operations remain. Commuting rules are not needed.
"""

from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any

import numpy as np

from ...expr import Constant, Expr
from ...ops import add, divide, multiply, negative, power, square, subtract
from ..match import CONSTANT, Found
from ..rule import Rewrite


class Collector(Rewrite):
    """What the two kinds of collecting share: where a region ends, and when it pays."""

    parts: Callable[..., Iterator[tuple[Expr | None, Any]]]  # (n, engine), from left to right
    table: Callable[..., dict | None]  # (parts, n, mode): the parts collected, if they may be
    write: Callable[..., Any]  # (table, n): the expression again
    phase = "collect"
    joins: tuple = ()

    opens: tuple = ()  # operations below a root that let two parts meet

    @property
    def roots(self) -> Iterator[tuple]:
        return ((op, self.may_match) for op in self.joins)

    def may_match(self, same: bool, heads: tuple) -> bool:
        numbers = [h for h in heads if h == CONSTANT or isinstance(h, float)]
        return same or any(h in self.opens for h in heads) or len(numbers) > 1

    def matches(self, n: Expr, engine: Any) -> Iterator[Found]:
        if engine.uses.user.get(n) in self.joins or n.dtype.kind == "b":
            return  # inside a larger region
        parts = list(self.parts(n, engine))
        table = self.table(parts, n, engine.mode)
        if table is not None and len(table) < len(parts):
            yield {"table": table}

    def build(self, found: Found, n: Expr) -> Any:
        return self.write(found.pop("table"), n)

    def inside(self, i: Expr, n: Expr, engine: Any) -> bool:
        """Does the region of n go on below its operand i?"""
        if i.op not in self.joins or i.dtype != n.dtype:
            return False
        alone = engine.uses.once(i)
        engine.refused |= not alone
        return alone


def number_of(n: Expr) -> Any:
    """The number that a constant repeats, or None. Exact zeros have rules of their own."""
    if not isinstance(n, Constant) or n.exact or n.dtype.kind == "b":
        return None
    if n.ndim and not n.value.size:
        return None
    value = (n.value if not n.ndim else n.value.flat[0]).item()
    return value if n.is_all(value) else None


def held(number: Any, dtype: np.dtype) -> bool:
    """Can this dtype hold the number without overflow or underflow?"""
    if dtype.kind == "f":
        limits = np.finfo(dtype)
        return number == 0 or float(limits.tiny) <= abs(number) <= float(limits.max)
    whole = np.iinfo(dtype)
    return whole.min <= number <= whole.max


class Sum(Collector):
    """x + x → 2x, 2x + 3x → 5x, (x + 1) + 2 → x + 3; in real mode 3x − x → 2x too."""

    name = "collect terms"
    joins = (add, subtract)
    opens = (add, subtract, multiply, negative)

    def parts(self, n: Expr, engine: Any) -> Iterator[tuple[Expr | None, Any]]:
        """The terms (None for 1) and their coefficients, from left to right."""
        stack = [(n, 1)]
        while stack:
            m, factor = stack.pop()
            if m is n or self.inside(m, n, engine):
                second = -factor if m.op is subtract else factor
                stack += [(m.inputs[1], second), (m.inputs[0], factor)]
            else:
                yield self.term(m, factor)

    def term(self, m: Expr, factor: Any) -> tuple[Expr | None, Any]:
        value = number_of(m)
        if value is not None and not m.ndim:
            return None, factor * value
        if m.op is negative:
            return m.inputs[0], -factor
        if m.op is multiply:
            for c, x in (m.inputs, m.inputs[::-1]):
                value = number_of(c)
                if value is not None and x.type is m.type:
                    return x, factor * value
        return m, factor

    def table(self, parts: list, n: Expr, mode: str) -> dict | None:
        """(term, sign) → coefficient; in real mode terms of both signs share a row."""
        rows: dict[tuple, Any] = {}
        for x, c in parts:
            key = (x, mode == "real" or x is None or c >= 0)
            rows[key] = rows.get(key, 0) + c
        if mode == "real":
            rows = {key: c for key, c in rows.items() if c != 0}
        return rows if all(held(c, n.dtype) for c in rows.values()) else None

    def write(self, table: dict, n: Expr) -> Any:
        """Terms in their order, a negative one subtracted, the constant last."""
        last = table.pop((None, True), 0)
        total: Any = None
        for (x, _), c in sorted(table.items(), key=lambda row: row[1] < 0):
            total = scaled(c, x) if total is None else plus(total, c, x)
        if total is None:
            return last
        return total if last == 0 else total + last if last > 0 else total - -last


def scaled(c: Any, x: Expr) -> Expr:
    return x if c == 1 else -x if c == -1 else Constant(c, x.dtype) * x


def plus(total: Expr, c: Any, x: Expr) -> Expr:
    return total - scaled(-c, x) if c < 0 else total + scaled(c, x)


class Product(Collector):
    """x * x → x², x * x² → x³, 2 * (3x) → 6x; in real mode (x * y) / x → y too."""

    name = "collect powers"
    joins = (multiply,)
    opens = (multiply, divide, square, power)

    @property
    def roots(self) -> Iterator[tuple]:
        return ((op, self.may_match) for op in (multiply, divide))

    def parts(self, n: Expr, engine: Any) -> Iterator[tuple[Expr | None, Any]]:
        """The bases (None for a number) and their exponents, from left to right."""
        stack = [(n, 1)]
        while stack:
            m, sign = stack.pop()
            joined = m is n or self.inside(m, n, engine)
            if joined and m.op is multiply:
                stack += [(m.inputs[1], sign), (m.inputs[0], sign)]
            elif joined and m.op is divide and engine.mode == "real":
                stack += [(m.inputs[1], -sign), (m.inputs[0], sign)]
            else:
                yield self.base(m, sign)

    def base(self, m: Expr, sign: int) -> tuple[Any, Any]:
        value = number_of(m)
        if value is not None and not m.ndim and isfinite(value) and value:
            return None, value if sign > 0 else 1 / value
        if m.op is square:
            return m.inputs[0], 2 * sign
        if m.op is power and number_of(m.inputs[1]) is not None and not m.inputs[1].ndim:
            exponent = float(number_of(m.inputs[1]))
            if exponent.is_integer() and exponent > 0:
                return m.inputs[0], int(exponent) * sign
        return m, sign

    def table(self, parts: list, n: Expr, mode: str) -> dict | None:
        if n.op is divide and mode != "real":
            return None
        rows: dict[Any, Any] = {}
        for x, e in parts:
            rows[x] = rows[x] * e if x is None and None in rows else rows.get(x, 0) + e
        if any(x is not None and x.dtype != n.dtype for x in rows):
            return None
        if any(isinstance(x, Constant) for x in rows) or not held(rows.get(None, 1), n.dtype):
            return None
        return {x: e for x, e in rows.items() if e or x is None}

    def write(self, table: dict, n: Expr) -> Any:
        """The number first, then the powers; what has negative exponents is divided by."""
        c = table.pop(None, 1)
        above = [raised(x, e) for x, e in table.items() if e > 0]
        below = [raised(x, -e) for x, e in table.items() if e < 0]
        top = product_of(above) if above else None
        if top is None:
            top = Constant(c, n.dtype)
        elif c != 1:
            top = Constant(c, n.dtype) * top
        return top / product_of(below) if below else top


def raised(x: Expr, e: int) -> Expr:
    return x if e == 1 else square(x) if e == 2 else x ** Constant(e, x.dtype)


def product_of(factors: list[Expr]) -> Expr:
    total = factors[0]
    for x in factors[1:]:
        total = total * x
    return total


RULES = [Sum(), Product()]
