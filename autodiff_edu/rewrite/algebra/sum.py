"""Collecting terms: a sum as a table term → coefficient, written anew where that is shorter.

    x + x → 2x      2·x·y + 3·y·x → 5·(x·y)      (x + 1) + 2 → x + 3      in real mode 3x − x → 2x

In programs what terms share is taken out, power by power, which a student reads less easily:

    a·x + b·x² + c·x³  →  x·(a + x·(b + x·c))      a·p − s − b·q·p  →  p·(a − b·q) − s

This is done once for each region of additions that nothing else uses. Terms are products as
`reading` reads them, so that equal ones are found whatever the order of their factors.
"""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from ...core.pattern import Bindings, SomeHead
from ...core.rule import Rewrite
from ...expr import Constant, Expr
from ...library import isfinite as is_finite
from ...ops import multiply
from ..engine.match_context import MatchContext
from ..facts.prover import is_provable
from .identities import pythagoras
from .monomial import Monomial, Terms, atom, collected, combined, held, named, worth
from .reading import LONG, POWERS, PRODUCTS, SUMS, factors, fractions, summands, terms, whole
from .writing import linear, plus_number, product, raised

TRIED = 3  # factors that most terms have
OPENS = frozenset((*SUMS, multiply, *POWERS))  # below which there is more to read


class CollectTerms(Rewrite):
    """A sum written anew, where fewer terms remain."""

    name, decreases, reorders, exempt = "collect terms", "order", True, "sums of like terms"
    caveat = "in another order a sum may overflow"

    @property
    def roots(self) -> Iterator[tuple]:
        return ((op, SomeHead(PRODUCTS.union(SUMS), same=True, constants=True)) for op in SUMS)

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        inside = context.uses.user_op(n) in SUMS  # a larger region
        if inside or n.dtype.kind == "b":
            return
        if not worth("collect", [m for m, _ in summands(n, context)], context.mode):
            return
        read, rows, met = self.rows(terms(n, context, factors), n, context.mode)
        if any(b.op in PRODUCTS for t in read for b in t.powers):  # which hides factors
            farther = terms(n, context, whole if context.mode == "real" else fractions)
            ways = (read, rows, met), self.rows(farther, n, context.mode)
            read, rows, met = min(ways, key=lambda way: len(way[1]))  # no further than needed
        if len(rows) < len(read) and all(held(t.coefficient, n.dtype) for t in rows):
            atoms = dict.fromkeys([t.pure for t in read if t.pure is not None])
            yield {"rows": rows, "met": met, "mode": context.mode, **named(atoms)}

    def rows(self, read: Terms, n: Expr, mode: str) -> tuple[Terms, Terms, list[Expr]]:
        """The terms as they are read, as they are collected, and what has to be finite for that.

        In safe mode only coefficients of one sign are added up, since 3x − x is nan at inf and 2x
        is not; but for what is known to be finite.
        """
        rows, opposite = collected(read, partial(may_cancel, mode))
        met = {t.key: plain(t, n.dtype, "real") for t in opposite}
        return read, (pythagoras(rows, met) if mode == "real" else rows), [*met.values()]

    def needed(self, bindings: Bindings) -> tuple[Expr, ...]:
        """What was subtracted from itself is finite; and the angle of sin² + cos²."""
        return tuple(map(is_finite, bindings["met"]))

    def build(self, bindings: Bindings, n: Expr) -> Any:
        return summed(bindings["rows"], n.dtype, bindings["mode"])


# ---- writing


def summed(terms: Terms, dtype: Any, mode: str) -> Any:
    """The terms in their order, a negative one subtracted, the number last, unless there is
    nothing else to subtract from."""
    parts = [(t.coefficient, plain(t, dtype, mode)) for t in terms if t.powers]
    number = sum([t.coefficient for t in terms if not t.powers])
    if number and parts and all(c < 0 for c, _ in parts):
        return linear([(1, Constant(number, dtype)), *parts], dtype)
    return plus_number(linear(parts, dtype), number, dtype) if parts else number


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


# ---- collecting


def may_cancel(mode: str, t: Monomial) -> bool:
    """May t be subtracted from itself?"""
    return mode == "real" or t.pure is not None and is_provable("finite", t.pure)


# ---- Horner's rule


class Horner(Rewrite):
    """A sum two or more of whose terms have a factor in common, with that factor outside."""

    name, decreases, cost_policy = "Horner's rule", "cost", "cheaper"
    final = reorders = True
    caveat = "in another order a sum, or a product, may overflow"

    def __init__(self) -> None:
        self.example = example

    @property
    def roots(self) -> Iterator[tuple]:
        return ((op, SomeHead(OPENS)) for op in SUMS)

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        if context.uses.user_op(n) in SUMS or not n.type.is_float:
            return  # inside a larger region
        if n.inputs[0] is n.inputs[1]:
            return
        read = terms(n, context, factors, LONG)
        like = Counter([t.key for t in read])  # 3x − x is nan at inf, and 2x is not: so terms
        apart = [t for t in read if like[t.key] == 1]  # that differ in their number share nothing
        often = Counter(b for t in apart for b, e in t.powers.items() if e > 0)
        for b, times in often.most_common(TRIED):
            if times > 1 and b.dtype == n.dtype:
                rest = [t for t in read if like[t.key] > 1 or t.powers.get(b, 0) <= 0]
                having = [t for t in apart if t.powers.get(b, 0) > 0]
                about = {"rest": rest, "having": having, "mode": context.mode}
                yield {"shared": b, **about, **named([b])}

    def build(self, bindings: Bindings, n: Expr) -> Expr:
        rest, having, b, mode = map(bindings.__getitem__, ("rest", "having", "shared", "mode"))
        inner = nested(having, b, n.dtype, mode)
        total: Expr = summed([*map(as_it_stands, rest), inner], n.dtype, mode)
        return total


def example() -> Expr:
    from ..rules.letters import x, y, z  # loaded when the example is shown

    return x * y + y - 2 * (z * (x * x))


def nested(having: Terms, b: Expr, dtype: np.dtype, mode: str) -> Monomial:
    """The sum of the terms, which have b, as one term: from its highest power inwards out."""
    rows: dict[int, Terms] = {}
    for t in having:
        e = t.powers[b]
        rows.setdefault(e, []).append(Monomial(t.coefficient, combined(t.powers, {b: -e})))
    exponents, inner = sorted(rows, reverse=True), Terms()
    for e, below in zip(exponents, [*exponents[1:], 0], strict=True):
        total = summed([*rows[e], *inner], dtype, mode)
        inner = [atom(raised(b, e - below, dtype) * total)]
    return inner[0]


RULES = [CollectTerms()]
