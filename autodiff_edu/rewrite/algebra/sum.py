"""Collecting terms: a sum as a table term → coefficient, written anew where that is shorter.

    x + x → 2x      2·x·y + 3·y·x → 5·(x·y)      (x + 1) + 2 → x + 3      in real mode 3x − x → 2x

This is done once for each region of additions that nothing else uses. Terms are products as
`reading` reads them, so that equal ones are found whatever the order of their factors.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from ...core.pattern import Bindings, SomeHead
from ...core.rule import Rewrite
from ...expr import Constant, Expr
from ...library import isfinite as is_finite
from ...ops import add, subtract
from ..engine.match_context import MatchContext
from ..facts.prover import is_provable
from .identities import pythagoras
from .monomial import (
    PRODUCTS,
    SIGNS,
    SUMS,
    Monomial,
    Terms,
    atom,
    collected,
    held,
    in_dtype,
    named,
    number_of,
    number_times,
    present,
    region,
    scaled,
    worth,
)  # fmt: skip
from .reading import factors, fractions, whole
from .writing import product

Reads = Callable[[Expr, str], Monomial]  # how a term is read


class CollectTerms(Rewrite):
    """A sum written anew, where fewer terms remain."""

    name, decreases, reorders, exempt = "collect terms", "order", True, "sums of like terms"
    caveat = "in another order a sum may overflow"

    @property
    def roots(self) -> Iterator[tuple]:
        return ((op, SomeHead(PRODUCTS.union(SUMS), same=True, constants=True)) for op in SUMS)

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        if context.uses.user_op(n) in SUMS or n.dtype.kind == "b":
            return  # inside a larger region
        if not worth("collect", [m for m, _ in summands(n, context)], context.mode):
            return
        read, rows, met = self.rows(n, context, factors)
        if any(b.op in PRODUCTS for t in read for b in t.powers):  # no further than it has to be
            farther = self.rows(n, context, whole if context.mode == "real" else fractions)
            read, rows, met = min((read, rows, met), farther, key=lambda way: len(way[1]))
        if len(rows) < len(read) and all(held(t.coefficient, n.dtype) for t in rows):
            atoms = dict.fromkeys([t.pure for t in read if t.pure is not None])
            yield {"rows": rows, "met": met, "mode": context.mode, **named(atoms)}

    def rows(self, n: Expr, context: MatchContext, reads: Reads) -> tuple[Terms, Terms, list[Expr]]:
        """The terms as they are read, as they are collected, and what has to be finite for that.

        In safe mode only coefficients of one sign are added up, since 3x − x is nan at inf and 2x
        is not; but for what is known to be finite.
        """
        read, real = terms(n, context, reads), context.mode == "real"
        rows, opposite = collected(read, partial(may_cancel, context.mode))
        met = {t.key: plain(t, n.dtype, "real") for t in opposite}
        return read, pythagoras(rows, met) if real else rows, [*met.values()]

    def needed(self, bindings: Bindings) -> tuple[Expr, ...]:
        """What was subtracted from itself is finite; and the angle of sin² + cos²."""
        return tuple(map(is_finite, bindings["met"]))

    def build(self, bindings: Bindings, n: Expr) -> Any:
        return summed(bindings["rows"], n.dtype, bindings["mode"])


def may_cancel(mode: str, t: Monomial) -> bool:
    """May t be subtracted from itself?"""
    return mode == "real" or t.pure is not None and is_provable("finite", t.pure)


# ---- reading


def summands(
    n: Expr, context: MatchContext, depth_limit: int | None = None, shared: int = 0
) -> list[tuple[Expr, int]]:
    """The terms of the sum at n as they stand, from left to right, and their signs: as far as
    nothing else uses the sum, and through so many sums that something else uses, too."""
    alone, left = region(n, context, depth_limit), iter(range(shared))

    def opens(m: Expr) -> bool:
        return alone(m) or m.type.dtype == n.type.dtype and next(left, None) is not None

    terms, stack = [], [(n, 1)]
    while stack:
        m, sign = stack.pop()
        if m.op in SUMS and (m is n or opens(m)):
            stack += [(i, sign * k) for i, k in zip(m.inputs, SIGNS[m.op], strict=True)][::-1]
        else:
            terms.append((m, sign))
    return terms


def terms(
    n: Expr, context: MatchContext, reads: Reads, depth_limit: int | None = None, shared: int = 0
) -> list[Monomial]:
    """The terms of the sum at n, from left to right, each read by `reads`."""
    signed = summands(n, context, depth_limit, shared)
    return [term(m, sign, n.dtype, context.mode, reads) for m, sign in signed]


def term(m: Expr, c: Any, dtype: np.dtype, mode: str, reads: Reads) -> Monomial:
    """The term c·m of a sum of this dtype."""
    while m.dtype == dtype and (scaled := number_times(m)):
        k, m = scaled
        c = c * k
    value = number_of(m) if m.op is None and not m.ndim else None
    if value is not None:
        return Monomial(c * value, {})
    if m.op not in PRODUCTS or m.dtype != dtype:
        return Monomial(c, {m: 1}, m)
    product = reads(m, mode)
    k = product.coefficient
    return Monomial(c * k, present(product.powers), m, k)


# ---- writing


def summed(terms: Terms, dtype: Any, mode: str) -> Any:
    """The terms in their order, a negative one subtracted, the number last, unless there is
    nothing else to subtract from."""
    parts = [(t.coefficient, plain(t, dtype, mode)) for t in terms if t.powers]
    number = sum([t.coefficient for t in terms if not t.powers])
    if not (number and parts):
        return linear(parts, dtype) if parts else number
    if all(c < 0 for c, _ in parts):
        return linear([(1, Constant(number, dtype)), *parts], dtype)
    op, size = (add, number) if number > 0 else (subtract, -number)
    return op(linear(parts, dtype), Constant(size, dtype))


def plain(t: Monomial, dtype: Any, mode: str) -> Expr:
    """The term without its coefficient, in mode safe in an order that the law of products allows.
    Raise ArithmeticError if there is none."""
    if t.pure is not None:
        return t.pure
    if mode == "safe" and t.node is not None:
        from .ordering import in_order  # loaded when it is first needed

        return in_order(t.node, t.powers)
    return product(1, t.powers, dtype, mode)


def as_it_stands(t: Monomial) -> Monomial:
    """A term that stays, with all its factors as one."""
    return t if t.node is None else atom(t.node)._replace(coefficient=t.coefficient / t.number)


def linear(terms: list[tuple[Any, Expr]], dtype: np.dtype) -> Expr:
    """Σ c·x, what is added before what is subtracted."""
    (c, x), *rest = sorted(terms, key=lambda term: term[0] < 0)
    total = scaled(c, x, dtype)
    for c, x in rest:
        op, size = (subtract, -c) if c < 0 else (add, c)
        total = in_dtype(op, total, scaled(size, x, dtype), dtype)
    return total


RULES = [CollectTerms()]
