"""Stabilisation inside products: two factors that make up a stable function meet, wherever they
stand.

    y / (1 + eˣ) · z · eˣ → y · z · σ(x)      Derivatives of quotients come in this form.
"""

from collections.abc import Iterator, Set
from functools import cache
from itertools import permutations

from ....core.pattern import Bindings, SomeHead
from ....core.rule import Rewrite, Rule
from ....expr import Expr, Origin, Wild, made_by
from ....ops import divide, multiply, negative, power, square
from ...algebra.monomial import Powers, worth
from ...algebra.reading import whole
from ...engine.match_context import MatchContext
from . import error_function, logaddexp, overflow, softmax


def known_pairs() -> dict[tuple, list[Rule]]:
    """The rules about a product or a quotient of two functions, by the three operations."""
    found: dict[tuple, list[Rule]] = {}
    for rule in (*overflow.RULES, *softmax.RULES, *logaddexp.RULES, *error_function.RULES):
        for op, heads, _ in rule.roots if rule.left.op in (multiply, divide) else ():
            if not any(isinstance(i, Wild) or i.op in (multiply, divide) for i in rule.left.inputs):
                found.setdefault((op, *heads.heads), []).append(rule)
    return found


class Pair(Rewrite):
    """Two factors of a longer product, which need not stand together, become what their own rule
    says."""

    name, phase, decreases, cost_policy = "pair in a product", "stabilise", "unstable", ""
    reorders = True
    caveat = "one of the two may overflow where both together do not"
    inner = frozenset((multiply, divide, negative, square, power))
    rules = known_pairs()
    parts = frozenset(op for _, *both in rules for op in both)
    needs_of_pairs = {
        frozenset(rule.operations - {multiply, divide}) for each in rules.values() for rule in each
    }

    @property
    def roots(self) -> Iterator[tuple]:
        return ((op, SomeHead(self.inner)) for op in (multiply, divide))

    def concerns(self, operations: Set) -> bool:
        return any(needs <= operations for needs in self.needs_of_pairs)

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        if not worth("pair", n, self.parts, partners):
            return
        if not any(map(self.touches, n.inputs)):
            return  # the later of the two factors stands here
        found = whole(n, "real")
        above = frozenset([b.op for b, e in found.powers.items() if e > 0 and b.op in self.parts])
        below = frozenset([b.op for b, e in found.powers.items() if e < 0 and b.op in self.parts])
        which = partners(above, below)
        if not which:
            return
        if found.met or any(e % 1 for e in found.powers.values()):
            found = whole(n, context.mode)  # what cancels may be 0
        for b, d in permutations([b for b in found.powers if b.op in which], 2):
            pair = self.combine(n, b, d, found.powers, context) if b.dtype == n.dtype else None
            if pair is not None and not alone(b, d, n):
                yield {"x": b, "y": d, "pair": pair, "read": found, "mode": context.mode}

    def touches(self, i: Expr) -> bool:
        near = [i, *(i.inputs if i.op in self.inner else ())]
        scaled = [k for j in near if j.op is multiply for k in j.inputs]  # a number times a factor
        return any(j.op in self.parts for j in (*near, *scaled))

    def combine(
        self, n: Expr, x: Expr, y: Expr, powers: Powers, context: MatchContext
    ) -> Expr | None:
        """What a rule makes of x and y together, which are factors of n."""
        if powers[x] < 1 or abs(powers[y]) < 1:
            return None
        op = multiply if powers[y] > 0 else divide
        rules = self.rules.get((op, x.op, y.op), ())
        if not rules:
            return None
        both = op(x, y)
        ways = ((rule, b) for rule in rules for b in rule.matches(both, context))
        for rule, bindings in ways:
            return made_by(Origin("rewrite", rule.name, n), rule.build, bindings, x)
        return None

    def build(self, bindings: Bindings, n: Expr) -> Expr | None:
        read, x, y, f, mode = map(bindings.__getitem__, ("read", "x", "y", "pair", "mode"))
        powers = dict(read.powers)
        powers[x] -= 1
        powers[y] -= 1 if powers[y] > 0 else -1
        rest = {b: e for b, e in powers.items() if e}
        pair = {x: 1, y: 1 if read.powers[y] > 0 else -1}
        from ...algebra.ordering import with_function  # loaded when it is first needed

        return with_function(n, read.coefficient, rest, f, pair, strict=mode == "safe")


@cache
def partners(above: frozenset, below: frozenset) -> frozenset:
    """Those among these operations, of factors above the line and below it, that have a rule
    together."""
    found = set()
    for op, top, other in Pair.rules:
        if top in above and other in (below if op is divide else above):
            found |= {top, other}
    return frozenset(found)


def alone(x: Expr, y: Expr, n: Expr) -> bool:
    """Are the two the whole product, so that their own rule finds them?"""
    return set(n.inputs) == {x, y}


RULES = [Pair()]
