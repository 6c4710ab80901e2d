"""Dividing one polynomial by another: a quotient that has no remainder needs no division.

    (x² − 1) / (x − 1) → x + 1      (x³ + 2·x·y) / (x² + 2·y) → x

A term is a pair of a coefficient and a table base → exponent, as `monomial` has them.
"""

from collections.abc import Iterator
from math import isfinite
from typing import Any

from ...expr import Expr
from ...ops import divide
from ..engine.match_context import MatchContext
from ..engine.pattern import Bindings, Heads
from ..engine.rule import Rewrite
from .factoring import Term, times, written
from .monomial import held, named
from .polynomial import LARGE, collected
from .reading import LONG, whole
from .sum import SUMS, terms


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
        found = quotient(above, below) if above and below and n.type.is_float else None
        atoms = dict.fromkeys(x for _, powers in found or () for x in powers)
        if found and all(x.dtype == n.dtype for x in atoms):
            about = {"mode": context.mode, "below": n.inputs[1]}
            if all(held(c, n.dtype) for c, _ in found):
                yield {"terms": found, **about, **named(atoms)}

    def needed(self, bindings: Bindings) -> tuple[Expr, ...]:
        """What is divided by is not 0."""
        return (bindings["below"] != 0,)

    def build(self, bindings: Bindings, n: Expr) -> Any:
        return written(bindings["terms"], n.dtype, bindings["mode"])


def polynomial(n: Expr, context: MatchContext) -> list[Term] | None:
    """The terms of a sum, if there are few, and no base stands below the line or under a root."""
    found = list(terms(n, context, whole, LONG)) if n.op in SUMS else []
    if not 1 < len(found) <= LARGE:
        return None
    plain = [(t.coefficient, t.powers or ({} if t.x is None else {t.x: 1})) for t in found]
    if any(e < 0 or e % 1 for _, powers in plain for e in powers.values()):
        return None
    return collected(plain)


def quotient(above: list[Term], below: list[Term]) -> list[Term] | None:
    """The terms of above / below, where nothing remains; the leading terms are divided again and
    again, as one divides numbers by hand."""
    bases = list(dict.fromkeys(x for _, powers in below + above for x in powers))

    def size(term: Term) -> tuple[Any, ...]:
        """Of two terms that with the higher power of the first base in which they differ."""
        return tuple(term[1].get(x, 0) for x in bases)

    d, first = max(below, key=size)
    found: list[Term] = []
    while above and len(found) < LARGE:
        c, powers = max(above, key=size)
        left = times(powers, {x: -e for x, e in first.items()})
        if any(e < 0 for e in left.values()) or not isfinite(c / d):
            return None
        found.append((c / d, left))
        taken = [(-(c / d) * k, times(left, inner)) for k, inner in below]
        above = collected([*above, *taken])
    return None if above else found


RULES = [ExactDivision()]
