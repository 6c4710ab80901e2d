"""Collecting terms: a sum as a table term → coefficient, written anew where that is shorter.

    x + x → 2x      2·x·y + 3·y·x → 5·(x·y)      (x + 1) + 2 → x + 3      in real mode 3x − x → 2x

This is done once for each region of additions that nothing else uses. Terms are products as
`reading` reads them, so that equal ones are found whatever the order of their factors.
"""

from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from ...expr import Expr
from ...library import isfinite as is_finite
from ...ops import cos, cosh, multiply, negative, sin, sinh, subtract
from ..engine.match_context import MatchContext
from ..engine.pattern import Bindings, SomeHead
from ..engine.rule import Rewrite
from ..facts.prover import is_provable
from .glances import bits, kinds, mark
from .monomial import Monomial, held, named, number_of
from .reading import LONG, PRODUCTS, SUMS, factors, region, whole
from .writing import Powers, linear, plus_number, product

ONE = None  # the key of constant terms
Reads = Callable[[Expr, str], Monomial]  # how a term is read


class Term(NamedTuple):
    """coefficient · x; equal terms share a key, which is x itself or its table of powers. Where
    numbers are among its factors, there is no x, but the term as it stands."""

    coefficient: Any
    key: Any
    x: Expr | None
    powers: Powers
    original: Expr | None = None


class CollectTerms(Rewrite):
    """A sum written anew, where fewer terms remain."""

    name, decreases, reorders, exempt = "collect terms", "order", True, "sums of like terms"
    caveat = "in another order a sum may overflow"

    @property
    def roots(self) -> Iterator[tuple]:
        return ((op, SomeHead(PRODUCTS.union(SUMS), same=True, constants=True)) for op in SUMS)

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        inside = context.uses.user_op(n) in SUMS  # a larger region
        if inside or n.dtype.kind == "b" or not self.may_collect(n, context):
            return
        ways = [factors, whole] if context.mode == "real" else [factors]
        read = [[*terms(n, context, reads)] for reads in ways]
        done = [(found, *collected(found, n.dtype, context.mode)) for found in read]
        found, rows, met = min(done, key=lambda one: len(one[1]))  # no further than it has to be
        if len(rows) < len(found) and all(held(t.coefficient, n.dtype) for t in rows):
            atoms = dict.fromkeys(t.x for t in found if t.x is not None)
            yield {"rows": rows, "met": met, "mode": context.mode, **named(atoms)}

    def may_collect(self, n: Expr, context: MatchContext) -> bool:
        """Do two terms look alike, or, in real mode, like the squares of a sine and a cosine?"""
        found = [m for m, _ in summands(n, context)]
        alike = len({mark(m) for m in found}) < len(found)
        return alike or context.mode == "real" and any(kinds(m) & PARTNERS for m in found)

    def needed(self, bindings: Bindings) -> tuple[Expr, ...]:
        """What was subtracted from itself is finite; and the angle of sin² + cos²."""
        return tuple(map(is_finite, bindings["met"]))

    def build(self, bindings: Bindings, n: Expr) -> Any:
        """Terms in their order, a negative one subtracted, the constant last."""
        last = sum([t.coefficient for t in bindings["rows"] if t.key is ONE])
        rows, mode = [t for t in bindings["rows"] if t.key is not ONE], bindings["mode"]
        varying = [(t.coefficient, plain(t, n.dtype, mode)) for t in rows]
        return plus_number(linear(varying, n.dtype), last, n.dtype) if varying else last


# ---- reading


def terms(
    n: Expr, context: MatchContext, reads: Reads, depth_limit: int | None = None, shared: int = 0
) -> Iterator[Term]:
    """The terms of the sum at n, from left to right, each read by `reads`."""
    for m, factor in summands(n, context, depth_limit, shared):
        yield term(m, factor, n.dtype, context.mode, reads)


def summands(
    n: Expr, context: MatchContext, depth_limit: int | None = None, shared: int = 0
) -> list[tuple[Expr, int]]:
    """The terms of the sum at n as they stand, from left to right, and their signs: as far as
    nothing else uses the sum, and through so many sums that something else uses, too."""
    limit = LONG if context.uses.user_op(n) is negative else depth_limit
    alone, left = region(n, context, limit), iter(range(shared))

    def opens(m: Expr) -> bool:
        return alone(m) or m.type.dtype == n.type.dtype and next(left, None) is not None

    terms, stack = [], [(n, 1)]
    while stack:
        m, factor = stack.pop()
        if m is n or m.op in SUMS and opens(m):
            one, other = m.inputs
            stack += [(other, -factor if m.op is subtract else factor), (one, factor)]
        else:
            terms.append((m, factor))
    return terms


def term(m: Expr, factor: Any, dtype: np.dtype, mode: str, reads: Reads) -> Term:
    """One term of a sum of this dtype, without its numbers."""
    while m.dtype == dtype:
        if m.op is negative:
            m, factor = m.inputs[0], -factor
        elif m.op is multiply and (split := number_times(m)):
            m, factor = split[1], factor * split[0]
        else:
            break
    value = number_of(m) if m.op is None and not m.ndim else None
    if value is not None:
        return Term(factor * value, ONE, None, {})
    if m.op not in PRODUCTS or m.dtype != dtype:
        return Term(factor, m, m, {})
    found = reads(m, mode)
    if len(found.powers) == 1 and found.coefficient == 1 and found.powers.get(m):
        return Term(factor, m, m, {})
    return row(factor * found.coefficient, found.powers, m if found.coefficient == 1 else None, m)


def row(c: Any, powers: Powers, x: Expr | None = None, m: Expr | None = None) -> Term:
    """c · Π base^exponent as a term."""
    powers = {b: e for b, e in powers.items() if e}
    if not powers:
        return Term(c, ONE, None, {})
    (b, e), *more = powers.items()
    if e == 1 and not more:
        return Term(c, b, b, {})
    return Term(c, frozenset(powers.items()), x, powers, m)


def number_times(m: Expr) -> tuple[Any, Expr] | None:
    """c and x, where m is c · x or x · c; 0 · x stays, since it may be nan."""
    for c, x in (m.inputs, m.inputs[::-1]):
        value = number_of(c) if c.op is None else None
        if value and isfinite(value) and x.type is m.type:
            return value, x
    return None


def plain(t: Term, dtype: np.dtype, mode: str = "real") -> Expr:
    """The term without its coefficient, in mode safe in an order that the law of products allows.
    Raise ArithmeticError if there is none."""
    if mode == "safe" and t.x is None and t.original is not None:
        from .ordering import in_order  # loaded when it is first needed

        return in_order(t.original, t.powers)
    return product(1, t.powers, dtype) if t.x is None else t.x


# ---- collecting


def collected(found: list[Term], dtype: np.dtype, mode: str) -> tuple[list[Term], list[Expr]]:
    """The rows of the table, and what was subtracted from itself.

    In safe mode only coefficients of one sign are added up, since 3x − x is nan at inf and 2x is
    not; but for what is known to be finite.
    """
    rows: dict[Any, Term] = {}
    met: dict[Any, Expr] = {}
    for t in found:
        key = t.key, True
        if t.key is not ONE and key in rows and rows[key].coefficient * t.coefficient < 0:
            if mode == "real" or (t.x is not None and is_provable("finite", t.x)):
                met[t.key] = plain(t, dtype)
            else:
                key = t.key, False
        rows[key] = plus(rows[key], t) if key in rows else t
    kept = [t for t in rows.values() if t.coefficient or not (mode == "real" or t.key in met)]
    return (pythagoras(kept, met) if mode == "real" else kept), list(met.values())


def plus(s: Term, t: Term) -> Term:
    return s._replace(coefficient=s.coefficient + t.coefficient, x=t.x if s.x is None else s.x)


def pythagoras(rows: list[Term], met: dict[Any, Expr]) -> list[Term]:
    """c·sin² + c·cos² is c, and c·cosh² − c·sinh² too."""
    seen: dict[Any, int] = {}
    kept: dict[int, Term] = {}
    for k, t in enumerate(rows := list(rows)):  # which grows on the way
        kept[k] = t
        for b, e in t.powers.items():
            if e != 2 or b.op not in PARTNER:
                continue
            partner, sign = PARTNER[b.op]
            rest = {x: e for x, e in t.powers.items() if x is not b}
            this = b.inputs[0], frozenset(rest.items())
            j = seen.get((partner, *this, sign * t.coefficient))
            if j in kept:
                rows.append(row(-t.coefficient if b.op is sinh else t.coefficient, rest))
                met[b] = b.inputs[0]
                del kept[j], kept[k]
                break
            seen[b.op, *this, t.coefficient] = k
    return list(kept.values())


PARTNER = {sin: (cos, 1), cos: (sin, 1), cosh: (sinh, -1), sinh: (cosh, -1)}
PARTNERS = bits(PARTNER)
RULES = [CollectTerms()]
