"""Stabilisation inside sums: two terms that differ by a factor e^x meet, wherever they stand.

3·x·eˣ − 3 + 3·eˣ → 3·x·eˣ + 3·expm1 x      Derivatives of products come in this form.
"""

from collections.abc import Iterator

from ....expr import Expr
from ....ops import exp, expm1
from ...algebra.monomial import named
from ...algebra.reading import LONG, whole
from ...algebra.sum import ONE, SUMS, Term, plain, terms
from ...algebra.writing import Powers, linear, plus_number, product
from ...engine.match_context import MatchContext
from ...engine.pattern import Bindings
from ...engine.rule import Rewrite
from ..examples import x


class ExpInSum(Rewrite):
    """c·y·e^x − c·y, as two terms of a longer sum, becomes c·y·expm1(x)."""

    name, phase, decreases, cost_policy = "exp less itself in a sum", "stabilise", "unstable", ""
    reorders = True
    caveat = "accurate near 0; in another order a sum may overflow"
    example = 3 * x * exp(x) - 3 + 3 * exp(x)

    @property
    def roots(self) -> Iterator[tuple]:
        return ((op, self.may_match) for op in SUMS)

    def may_match(self, same: bool, heads: tuple) -> bool:
        return any(h in SUMS for h in heads)

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        if n.op not in SUMS or context.uses.user.get(n) in SUMS or not n.type.is_float:
            return  # inside a larger region
        found = list(terms(n, context, whole, LONG))
        if not any(map(exps, found)):
            return
        place = {(t.coefficient, frozenset(powers(t).items())): t for t in found}
        for t in found:
            for b in exps(t):
                rest = {x: e for x, e in powers(t).items() if x is not b}
                other = place.get((-t.coefficient, frozenset(rest.items())))
                if other is not None:
                    left = [one for one in found if one is not t and one is not other]
                    pair = t.coefficient, product(1, rest | {expm1(b.inputs[0]): 1}, n.dtype)
                    atoms = [one.x for one in left if one.x is not None]
                    yield {"left": left, "pair": pair, **named(atoms)}

    def build(self, bindings: Bindings, n: Expr) -> Expr:
        left: list[Term] = bindings["left"]
        varying = [(t.coefficient, plain(t, n.dtype)) for t in left if t.key is not ONE]
        number = sum(t.coefficient for t in left if t.key is ONE)
        return plus_number(linear([*varying, bindings["pair"]], n.dtype), number, n.dtype)


def powers(t: Term) -> Powers:
    return t.powers or ({} if t.x is None else {t.x: 1})


def exps(t: Term) -> list[Expr]:
    return [b for b, e in powers(t).items() if b.op is exp and e == 1]


RULES = [ExpInSum()]
