"""Dividing one polynomial by another: a quotient that has no remainder needs no division.

    (x² − 1) / (x − 1) → x + 1      (x³ + 2·x·y) / (x² + 2·y) → x

Letters: t a term, c its coefficient, x bases, e exponents.
"""

from collections.abc import Iterator
from math import isfinite
from typing import Any

from ....core.pattern import Bindings, Heads
from ....core.rule import Rewrite
from ....expr import Expr
from ....ops import divide
from ...algebra.factoring import LARGE, written
from ...algebra.monomial import LONG, SUMS, Monomial, Terms, collected, combined, held, named
from ...algebra.reading import whole
from ...algebra.sum import terms as read_terms
from ...engine.match_context import MatchContext


class ExactDivision(Rewrite):
    """A quotient of two sums that is a polynomial, where that saves operations."""

    name, mode, phase = "exact division", "real", "factor"
    decreases, cost_policy, reorders = "cost", "cheaper", True
    caveat = "0/0 is nan"
    roots = [(divide, Heads((one, other), twice=False)) for one in SUMS for other in SUMS]

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        if n.op is not divide or n.inputs[0] is n.inputs[1]:
            return
        above, below = (polynomial(i, context) for i in n.inputs)
        rows = quotient(above, below) if above and below and n.type.is_float else None
        atoms = dict.fromkeys(x for t in rows or () for x in t.powers)
        if rows and all(x.dtype == n.dtype for x in atoms):
            about = {"mode": context.mode, "below": n.inputs[1]}
            if all(held(t.coefficient, n.dtype) for t in rows):
                yield {"terms": rows, **about, **named(atoms)}

    def needed(self, bindings: Bindings) -> tuple[Expr, ...]:
        """What is divided by is not 0."""
        return (bindings["below"] != 0,)

    def build(self, bindings: Bindings, n: Expr) -> Any:
        return written(bindings["terms"], n.dtype, bindings["mode"])


def polynomial(n: Expr, context: MatchContext) -> Terms | None:
    """The terms of a sum, if there are few, and no base stands below the line or under a root."""
    read = read_terms(n, context, whole, LONG) if n.op in SUMS else []
    plain = all(e > 0 and e % 1 == 0 for t in read for e in t.powers.values())
    return collected(read)[0] if plain and 1 < len(read) <= LARGE else None


def quotient(above: Terms, below: Terms) -> Terms | None:
    """The terms of above / below, where nothing remains; the leading terms are divided again and
    again, as one divides numbers by hand."""
    bases = list(dict.fromkeys(x for t in below + above for x in t.powers))

    def size(t: Monomial) -> tuple[Any, ...]:
        """Of two terms that with the higher power of the first base in which they differ."""
        return tuple(t.powers.get(x, 0) for x in bases)

    first, rows = max(below, key=size), list[Monomial]()
    while above and len(rows) < LARGE:
        most = max(above, key=size)
        c, powers = most.coefficient / first.coefficient, combined(most.powers, first.powers, -1)
        if any(e < 0 for e in powers.values()) or not isfinite(c):
            return None
        rows.append(Monomial(c, powers))
        product = [Monomial(-c * t.coefficient, combined(powers, t.powers)) for t in below]
        above, _ = collected([*above, *product])
    return None if above else rows


RULES = [ExactDivision()]
