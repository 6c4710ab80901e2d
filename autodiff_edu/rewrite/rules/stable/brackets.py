"""Stabilisation of brackets: one is opened where a factor before it stands below the line in it.

    (x / y + z / u) · (y · u) → x · u + z · y      Derivatives of products come in this form.

Letters: n a product, t u terms, x a base, d a base that is divided by, e an exponent.
"""

from collections.abc import Iterator
from typing import Any

from ....core.pattern import Bindings
from ....expr import Expr
from ....ops import divide, gather, index, reciprocal, scatter
from ....ops.index import embed
from ...algebra.identities import is_slope, related
from ...algebra.monomial import SUMS, Monomial, Powers, Terms, combined, worth
from ...algebra.named_quotients import belongs, has_quotient
from ...algebra.polynomial import QUOTIENTS, Polynomial, Way, parts, times
from ...algebra.sum import linear, summed
from ...engine.match_context import MatchContext

PLACED, PICKED = frozenset((embed, scatter)), (index, gather)
DIVIDED = PLACED | {divide, reciprocal}  # without one of these no term has a divisor


class CancelInBrackets(Polynomial):
    """A bracket that is opened, so that factors before it cancel with divisors in it."""

    mode, phase, decreases, cost_policy = "safe", "stabilise", "unstable", ""
    region: tuple = QUOTIENTS
    functions = DIVIDED

    def __init__(self) -> None:
        super().__init__("cancel in brackets", QUOTIENTS, cancelled, "an open bracket may overflow")

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        if worth("bracket", n, PLACED, DIVIDED):
            yield from super().matches(n, context)

    def build(self, bindings: Bindings, n: Expr) -> Any:
        rows, mode = bindings["terms"], bindings["mode"]
        return opened_in_order(n, rows) if mode == "safe" else summed(rows, n.dtype, mode)


def cancelled(read: Terms, context: MatchContext) -> Iterator[Way]:
    """The terms of a bracket, if one is divided by something that stands before the bracket."""
    (t, *more) = read
    bracket = next((x for x, e in t.powers.items() if e == 1 and x.op in SUMS), None)
    if more or bracket is None or not worth("anywhere", bracket, DIVIDED):
        return  # nothing in a bracket is divided
    rest = combined(t.powers, {bracket: -1})
    inner = [*flat(bracket, rest, context)]
    enough = any if context.uses.once(bracket) else all
    if inner and enough(meets(rest, u.powers) for u in inner):
        met = [x for u in inner for x, e in u.powers.items() if e < 0 < rest.get(x, 0)]
        yield [times(u, t.coefficient, rest, related) for u in inner], met


def flat(bracket: Expr, rest: Powers, context: MatchContext) -> Iterator[Monomial]:
    """Its terms. One that is a bracket itself, which others use too, is opened if all in it meets
    what stands before."""
    for t in parts(bracket, context) or ():
        ((x, e),) = t.powers.items() if len(t.powers) == 1 else ((bracket, 0),)
        inner = parts(x, context) if e == 1 and x.op in SUMS else None
        if inner and all(meets(rest, u.powers) for u in inner):
            yield from [times(u, t.coefficient, {}) for u in inner]
        else:
            yield t


def meets(rest: Powers, inner: Powers) -> bool:
    """Is a term in a bracket divided by what stands before the bracket, or by entries of that, or
    by what a factor before the bracket has a name over, of which the term has too few itself?"""
    below = [d for d, e in inner.items() if e < 0]
    under = [f.inputs[0].inputs[1] for f in inner if f.op in PLACED and f.inputs[0].op is divide]
    picked = [d.inputs[0] for d in under if d.op in PICKED]
    if any(rest.get(d, 0) > 0 for d in below) or any(x is d for x in rest for d in picked):
        return True
    if any(is_slope(x, d) for x in rest for d in below):
        return True
    above = {x: (inner.get(x, 0), e) for x, e in rest.items() if e > 0}
    return any(
        has < -inner[d] and has_quotient(has + e, -inner[d], d) and belongs(x, d)
        for d in below
        for x, (has, e) in above.items()
    )


def opened_in_order(n: Expr, rows: Terms) -> Any:
    """The sum of these terms, which opening the brackets of n makes; if the law forbids it, with
    each term in an order that the law allows; None where none is found."""
    from ...algebra.law import Opened, obeys  # loaded when they are first needed
    from ...algebra.ordering import ordered

    new = summed(rows, n.dtype, "safe")
    if not isinstance(new, Expr) or obeys(n, new, brackets=True):
        return new
    products = [ordered(n, 1, t.powers, law=Opened)[0] for t in rows]
    pairs = zip(rows, products, strict=True)
    addends = [(t.coefficient, x) for t, x in pairs if x is not None]
    return linear(addends, n.dtype) if len(addends) == len(rows) else None


RULES = [CancelInBrackets()]
