"""The sum of deviations from their mean.

    Σ c·(x - mean x) is 0. Reverse mode sends it to x all the same, through the mean:

        v + y - (Σ v + t)/n → v + y - t/n        where v = c·(x - mean x), and c does not vary

Letters: w a term of a sum, v another, t what else is added up in w, a axes.
"""

from collections.abc import Iterator
from typing import Any

from ....core.pattern import Bindings, SomeHead
from ....core.rule import Rewrite
from ....expr import Constant, Expr
from ....ops import astype, divide, expand_dims, length, mean, multiply, negative, subtract, sum
from ...algebra.identities import beside, spread_of
from ...algebra.monomial import LONG, SUMS
from ...algebra.named_quotients import SPREADS
from ...algebra.reading import whole
from ...algebra.sum import linear, summands
from ...engine.match_context import MatchContext
from ...facts.prover import is_provable

Signed = list[tuple[Expr, int]]  # terms and their signs
TOTALS = (sum, mean)
SCALED = (divide, multiply, negative, *SPREADS)  # what may stand around a sum


class Vanishing(Rewrite):
    """A sum of floats that nothing larger holds, written without terms that are 0 for all numbers.
    The whole sum is seen, since they may be nan, and only where nan stands beside them."""

    phase, decreases, cost_policy, caveat = "stabilise", "nodes", "", "nan at inf"
    heads: frozenset[Any] = frozenset()  # one of these stands in the sum

    @property
    def roots(self) -> Iterator[tuple]:
        return ((op, SomeHead(self.heads.union(SUMS))) for op in SUMS)

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        if n.op in SUMS and context.uses.user_op(n) not in SUMS and n.type.is_float:
            for x, left in self.ways(summands(n, context), context):
                yield {"x": x, "left": left}

    def ways(self, found: Signed, context: MatchContext) -> Iterator[tuple[Expr, Signed]]:
        """What may be dropped, and the terms that are left."""
        raise NotImplementedError

    def build(self, bindings: Bindings, n: Expr) -> Expr:
        return linear([(sign, m) for m, sign in bindings["left"]], n.dtype)


def terms_of(n: Expr, context: MatchContext) -> Signed:
    """Those of the sum n, or n as the only one."""
    return summands(n, context) if n.op in SUMS else [(n, 1)]


def varies(b: Expr, a: tuple[int, ...], ndim: int) -> bool:
    """Does a factor of an array with so many axes vary along these?"""
    made = ndim - b.ndim
    return any(j >= made and b.type.shape[j - made] != 1 for j in a)


class SumOfDeviations(Vanishing):
    """A sum in which v stands, and Σ v, without that."""

    name, heads = "sum of deviations", frozenset((*SCALED, *TOTALS))
    operations = frozenset((mean, subtract))
    caveat = "nan at inf; the rounding of a mean far from 0 stays"

    def ways(self, found: Signed, context: MatchContext) -> Iterator[tuple[Expr, Signed]]:
        if len(found) > LONG:
            return
        those = {m.inputs[0] if m.op is negative else m for m, _ in found}
        for k, (w, sign) in enumerate(found):
            around, inner = inside(w)
            parts = terms_of(inner, context)
            left = [(m, s) for m, s in parts if not vanishes(m, those)]
            if len(left) == len(parts):
                continue
            rest = rebuilt(around, left, inner) if left else None
            if rest is not None or not left:
                again = [(rest, sign)] if rest is not None else []
                yield w, [*found[:k], *again, *found[k + 1 :]]


def inside(w: Expr) -> tuple[list[Expr], Expr]:
    """What is scaled and spread in w, and the operations that do so."""
    around = []
    while w.op in SCALED and keeps_0(w):
        around.append(w)
        w = w.inputs[-1 if w.op is multiply else 0]
    return around, w


def keeps_0(w: Expr) -> bool:
    """Is w 0 for sure where what it scales is 0?"""
    if w.op is multiply:
        return isinstance(w.inputs[0], Constant) and is_provable("finite", w.inputs[0])
    return w.op is not divide or is_provable("nonzero", w.inputs[1]) or is_count(w.inputs[1])


def is_count(n: Expr) -> bool:
    """Is it a product of lengths? It is 0 only where there is no entry."""
    factors = whole(n, "real").powers.items()
    return all(b.op is length and e > 0 for b, e in factors)


def rebuilt(around: list[Expr], left: Signed, inner: Expr) -> Expr | None:
    """The same around what is left of the sum inside, unless it has too few axes for new ones."""
    total = astype(linear([(sign, m) for m, sign in left], inner.dtype), inner.dtype)
    if total.ndim < inner.ndim and any(m.op is expand_dims for m in around):
        return None
    for m in reversed(around):
        inputs = (m.inputs[0], total) if m.op is multiply else (total, *m.inputs[1:])
        total = m.op.apply(inputs, m.static)
    return total


def vanishes(s: Expr, those: set[Expr]) -> bool:
    """Is s the sum, or the mean, of one of those, and that c·(x - mean x)? Then s is 0 for all
    numbers, and nan only where that is nan."""
    if s.op not in TOTALS or s.inputs[0] not in those:
        return False
    (v,), a = s.inputs, dict(s.static)["axis"]
    along = [(b, e) for b, e in whole(v, "real").powers.items() if varies(b, a, v.ndim)]
    return len(along) == 1 and along[0][1] == 1 and is_deviation(along[0][0], v, a)


def is_deviation(d: Expr, v: Expr, a: tuple[int, ...]) -> bool:
    """x - mean x, over axes a?"""
    if d.op is not subtract or d.ndim != v.ndim:
        return False
    x, (m, put) = d.inputs[0], spread_of(d.inputs[1])
    which = dict(m.static)
    of_x = m.op is mean and m.inputs[0] is x and x.ndim == d.ndim
    return of_x and which["axis"] == a and beside(a, which["keepdims"], put)


RULES = [SumOfDeviations()]


def examples() -> dict[str, Expr]:
    from ..letters import v

    d = v - mean(v)
    return {"sum of deviations": d - sum(d) / 4}
