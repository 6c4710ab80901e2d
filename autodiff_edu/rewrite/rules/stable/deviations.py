"""The sum of deviations from their mean.

    Σ c·(x - mean x) is 0. Reverse mode sends it to x all the same, through the mean:

        v + y - (Σ v + t)/n → v + y - t/n        where v = c·(x - mean x), and c does not vary

Letters: n a sum, w one of its terms, v another, S what is summed in w over axes a.
"""

from collections.abc import Iterator
from typing import Any

from ....expr import Expr
from ....ops import divide, mean, multiply, negative, subtract, sum
from ...algebra.identities import beside, spread_of
from ...algebra.reading import LONG, SUMS, whole
from ...algebra.sum import summands
from ...algebra.writing import SPREADS, linear
from ...engine.match_context import MatchContext
from ...engine.pattern import Bindings, SomeHead
from ...engine.rule import Rewrite

TOTALS = (sum, mean)
SCALED = (divide, multiply, negative, *SPREADS)  # what may stand around a sum
Signed = list[tuple[Expr, int]]


class SumOfDeviations(Rewrite):
    """A sum in which v stands, and Σ v, without that."""

    name, phase, decreases, cost_policy = "sum of deviations", "stabilise", "nodes", ""
    caveat = "nan at inf"

    @property
    def roots(self) -> Iterator[tuple]:
        return ((op, SomeHead((*SCALED, *TOTALS, *SUMS))) for op in SUMS)

    def concerns(self, operations: Any) -> bool:
        return {mean, subtract} <= operations and not operations.isdisjoint(TOTALS)

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        if n.op not in SUMS or context.uses.user_op(n) in SUMS or not n.type.is_float:
            return  # no sum, or inside a larger one
        found = summands(n, context)
        if len(found) > LONG:
            return
        those = {m.inputs[0] if m.op is negative else m for m, _ in found}
        for k, (w, sign) in enumerate(found):
            around, inner = inside(w)
            parts = summands(inner, context) if inner.op in SUMS else [(inner, 1)]
            left = [(m, s) for m, s in parts if not vanishes(m, those)]
            if len(left) == len(parts):
                continue
            rest = [(rebuilt(around, left), sign)] if left else []
            yield {"x": w, "terms": [*found[:k], *rest, *found[k + 1 :]]}

    def build(self, bindings: Bindings, n: Expr) -> Expr:
        return linear([(sign, m) for m, sign in bindings["terms"]], n.dtype)


def inside(w: Expr) -> tuple[list[Expr], Expr]:
    """What is scaled and spread in w, and the operations that do so."""
    around = []
    while w.op in SCALED and not (w.op is multiply and w.inputs[0].op is not None):
        around.append(w)
        w = w.inputs[-1 if w.op is multiply else 0]
    return around, w


def rebuilt(around: list[Expr], terms: Signed) -> Expr:
    """The same around a sum of these terms."""
    total = linear([(sign, m) for m, sign in terms], terms[0][0].dtype)
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
    along = [(b, e) for b, e in whole(v, "real").powers.items() if varies(b, v, a)]
    return len(along) == 1 and along[0][1] == 1 and is_deviation(along[0][0], v, a)


def varies(b: Expr, v: Expr, a: tuple[int, ...]) -> bool:
    """Does a factor of v vary along these axes of v?"""
    made = v.ndim - b.ndim
    return any(j >= made and b.type.shape[j - made] != 1 for j in a)


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
