"""The exact zeros of differentiation vanish in every mode: D(c) is zero whatever else is infinite.

They are constants of a kind of their own, so a 0 that the user wrote is not touched here.
"""

from collections.abc import Iterator

from ...core.pattern import NOTHING as NONE
from ...core.pattern import Bindings, SomeHead, is_zero
from ...core.rule import Rewrite
from ...expr import Constant, Expr, Op
from ...ops import OPS, broadcast_to
from ..engine.match_context import MatchContext
from ..engine.validate import Listed, wild

x = wild("x")
NOTHING = Constant(0.0, exact=True)


class LinearOfNothing(Rewrite):
    """op(0) → 0 for every operation that is linear."""

    name, mode = "linear in nothing", "ieee"

    def __repr__(self) -> str:
        return f"{self.name}: op(0) → 0  [{self.mode}]"

    @property
    def replaces(self) -> tuple:
        return tuple(op for op in OPS.values() if op.linear and op is not broadcast_to)

    def forms(self, op: Op) -> list[tuple]:
        return [(SomeHead((NONE,)),)]

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        places = n.op.linear_in(len(n.inputs))
        if places and n.op is not broadcast_to and all(is_zero(n.inputs[k]) for k in places):
            yield {}

    def build(self, bindings: Bindings, n: Expr) -> Expr:
        return NOTHING


# fmt: off
RULES = [
    Listed("plus nothing",         x + NOTHING, x,       "ieee", any_dtype=True, decreases="nodes"),
    Listed("minus nothing",        x - NOTHING, x,       "ieee", any_dtype=True, decreases="nodes"),
    Listed("nothing minus",        NOTHING - x, -x,      "ieee", decreases="order"),
    Listed("times nothing",        x * NOTHING, NOTHING, "ieee", any_dtype=True, decreases="nodes"),
    Listed("nothing over",         NOTHING / x, NOTHING, "ieee", any_dtype=True, decreases="nodes"),
    Listed("product with nothing", x @ NOTHING, NOTHING, "ieee", any_dtype=True, decreases="nodes"),
    Listed("product of nothing",   NOTHING @ x, NOTHING, "ieee", any_dtype=True, decreases="nodes"),
    LinearOfNothing(),
]
# fmt: on
