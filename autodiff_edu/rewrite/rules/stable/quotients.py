"""Stabilisation inside products: what is divided by a sum, product or length that belongs to it,
wherever the two stand.

    s / ‖v‖ · v → s · (v / ‖v‖)      Derivatives of quotients come in this form.
"""

from collections.abc import Iterator
from typing import Any

from ....core.pattern import Bindings, SomeHead
from ....core.rule import Rewrite
from ....expr import Expr
from ....ops import divide, multiply, negative, square
from ...algebra.monomial import Monomial, Powers, worth
from ...algebra.reading import whole
from ...engine.match_context import MatchContext
from ...engine.memo import remembered

Way = tuple[Powers, Expr]  # the powers that are taken out of a product, and what they become


class Divided(Rewrite):
    """A product in which some factors above the line and one below it become another factor."""

    phase, decreases, cost_policy, reorders = "stabilise", "unstable", "", True
    inner = frozenset((multiply, divide, negative, square))
    parts: frozenset[Any] = frozenset()  # one of these stands at the top, or just below it
    divisors: frozenset[Any] = frozenset()  # one of these stands below the line, if any are named

    def __init__(self, name: str, caveat: str, final: bool = False):
        self.name, self.caveat, self.final = name, caveat, final

    @property
    def roots(self) -> Iterator[tuple]:
        return ((op, SomeHead(self.inner | self.parts)) for op in (multiply, divide))

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        if n.op not in (multiply, divide) or not worth("below", n, self.divisors):
            return
        if self.parts.isdisjoint(remembered(n, around)):
            return
        found = whole(n, "real")
        if found.met or any(e % 1 for e in found.powers.values()):
            return  # what cancels may be 0
        for d, e in found.powers.items():
            way = self.way(d, found, n) if e <= -1 and d.dtype == n.dtype else None
            if way is not None:
                yield {"read": found, "way": way, "x": d}

    def way(self, d: Expr, found: Monomial, n: Expr) -> Way | None:
        """What becomes of the product n that is divided by d."""
        raise NotImplementedError

    def build(self, bindings: Bindings, n: Expr) -> Expr | None:
        read, (taken, becomes) = bindings["read"], bindings["way"]
        rest = {b: e - taken.get(b, 0) for b, e in read.powers.items()}
        rest = {b: e for b, e in rest.items() if e}
        from ...algebra.ordering import with_function  # loaded when it is first needed

        return with_function(n, read.coefficient, rest, becomes, taken)


def around(n: Expr) -> frozenset:
    """The operations of the operands, and of theirs where a product goes on."""
    deeper = [j.op for i in n.inputs if i.op in Divided.inner for j in i.inputs]
    return frozenset([*[i.op for i in n.inputs], *deeper])
