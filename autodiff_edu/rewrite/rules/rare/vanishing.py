"""What the rules share that drop from a sum what is 0 for all numbers.

They look at a whole sum, since what they drop may be nan, and only where nan stands beside it.

Letters: n a sum, a axes.
"""

from collections.abc import Iterator
from typing import Any

from ....expr import Expr
from ...algebra.reading import SUMS, summands
from ...algebra.writing import linear
from ...engine.match_context import MatchContext
from ...engine.pattern import Bindings, SomeHead
from ...engine.rule import Rewrite

Signed = list[tuple[Expr, int]]  # terms and their signs


class Vanishing(Rewrite):
    """A sum of floats that nothing larger holds, written without some of its terms."""

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
