"""Horner's rule: in programs what terms share is taken out, power by power, which a student reads
less easily.

    a·x + b·x² + c·x³  →  x·(a + x·(b + x·c))      a·p − s − b·q·p  →  p·(a − b·q) − s
"""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from ...core.pattern import Bindings, SomeHead
from ...core.rule import Rewrite
from ...expr import Expr
from ...ops import multiply
from ..engine.match_context import MatchContext
from .monomial import LONG, POWERS, SUMS, Monomial, Terms, atom, combined, named
from .reading import factors
from .sum import as_it_stands, summed, terms
from .writing import raised

TRIED = 3  # factors that most terms have
OPENS = frozenset((*SUMS, multiply, *POWERS))  # below which there is more to read


class Horner(Rewrite):
    """A sum two or more of whose terms have a factor in common, with that factor outside."""

    name, decreases, cost_policy = "Horner's rule", "cost", "cheaper"
    final = reorders = True
    caveat = "in another order a sum, or a product, may overflow"

    def __init__(self) -> None:
        self.example = example

    @property
    def roots(self) -> Iterator[tuple]:
        for op in SUMS:
            yield op, SomeHead(SUMS)
            yield op, SomeHead(OPENS, varying=True)  # a product shares no factor with a number

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
