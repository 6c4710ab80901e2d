"""Stabilisation inside sums: two terms that differ by a factor near 1 meet, wherever they stand.

3·x·eˣ − 3 + 3·eˣ → 3·x·eˣ + 3·expm1 x
y − y·tanh x → 2·y·σ(−2x)                   Derivatives of products come in these forms.
"""

from collections.abc import Iterator
from itertools import product as product_of
from typing import Any

from ....core.pattern import Bindings, SomeHead
from ....core.rule import Rewrite
from ....expr import Expr, Op
from ....library import sigmoid
from ....ops import exp, expm1, tanh
from ...algebra.monomial import JOINING, LONG, SUMS, Monomial, atom, combined, named, worth
from ...algebra.reading import DEPTH_LIMIT, whole
from ...algebra.sum import as_it_stands, summands, summed, terms
from ...engine.match_context import MatchContext

MEETINGS = {  # f(x) + sign, without a difference of what may be nearly equal: a factor, a function
    (exp, -1): (1, lambda x: expm1(x)),
    (tanh, -1): (-2, lambda x: sigmoid(-2 * x)),
    (tanh, 1): (2, lambda x: sigmoid(2 * x)),
}


class MeetInSum(Rewrite):
    """c·y·f(x) ± c·y, two terms of a longer sum, become one."""

    phase, decreases, cost_policy, reorders = "stabilise", "unstable", "", True

    def __init__(self, name: str, function: Op, caveat: str):
        self.name, self.caveat = name, caveat
        self.function, self.functions = function, frozenset((function,))

    @property
    def roots(self) -> Iterator[tuple]:
        return ((op, SomeHead(JOINING)) for op in SUMS)

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        if n.op not in SUMS or context.uses.user_op(n) in SUMS or not n.type.is_float:
            return  # inside a larger region
        if not worth("anywhere", n, self.functions):
            return
        summed_up = [m for m, _ in summands(n, context, LONG, DEPTH_LIMIT)]
        if not worth("meet", summed_up, self.function, context.mode):
            return
        read = terms(n, context, whole, LONG, DEPTH_LIMIT)
        signs = {(t.key, t.coefficient > 0) for t in read}  # x − x is 0 as it stands
        apart = [t for t in read if (t.key, t.coefficient <= 0) not in signs]
        factors = [(t, b) for t in apart for b in self.factors(t, n)]
        place = {(t.coefficient, t.key): t for t in apart} if factors else {}
        for (t, b), sign in product_of(factors, (-1, 1)):
            rest = t._replace(powers=combined(t.powers, {b: -1}))
            other = place.get((sign * t.coefficient, rest.key))
            if other is not None and (b.op, sign) in MEETINGS:
                left = [as_it_stands(one) for one in read if one is not t and one is not other]
                about = {"rest": rest, "function": b, "sign": sign, "mode": context.mode}
                atoms = [one.pure for one in left if one.pure is not None]
                yield {"terms": left, **about, **named(atoms)}

    def factors(self, t: Monomial, n: Expr) -> list[Expr]:
        """Those of n's dtype: in a shorter one, 1 + tanh would lose digits of tanh."""
        mine = [b for b, e in t.powers.items() if b.op is self.function and e == 1]
        return [b for b in mine if b.dtype == n.dtype and b.inputs[0].type.is_float]

    def build(self, bindings: Bindings, n: Expr) -> Any:
        both = pair(*map(bindings.__getitem__, ("rest", "function", "sign", "mode")))
        return None if both is None else summed([*bindings["terms"], both], n.dtype, "real")


def pair(rest: Monomial, b: Expr, sign: int, mode: str) -> Monomial | None:
    """The term that stands for two, rest · (b ± 1), in mode safe in an order that the law of
    products allows in place of rest · b."""
    from ...algebra.ordering import with_function  # loaded when it is first needed

    c, function = MEETINGS[b.op, sign]
    f = function(b.inputs[0])
    if mode != "safe" or rest.node is None:
        return Monomial(c * rest.coefficient, rest.powers | {f: 1})
    product = with_function(rest.node, rest.number, rest.powers, f, {b: 1}, strict=True)
    if product is None:
        return None
    return atom(product)._replace(coefficient=c * rest.coefficient / rest.number)


RULES = [
    MeetInSum(
        "exp less itself in a sum",
        exp,
        "accurate near 0; in another order a sum may overflow",
    ),
    MeetInSum(
        "tanh and one in a sum",
        tanh,
        "accurate where tanh is nearly 1; in another order a sum may overflow",
    ),
]
