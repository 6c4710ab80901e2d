"""Stabilisation of what is divided by sums of exponentials with factors, where the two are apart.

    eᵀ @ (c / Σ t·e) → e^(x − m)ᵀ @ (c / Σ t·e^(x − m))      Σ t·e / Σ t·e likewise, for e = eˣ

They come from slopes to weights, and from means with weights, as `np.average` takes them.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from ....core.pattern import Bindings, SomeHead
from ....core.rule import Rewrite
from ....expr import Constant, Expr
from ....ops import divide, exp, expand_dims, matmul, multiply, power, sqrt
from ...algebra.identities import spread_of
from ...algebra.monomial import named, worth
from ...algebra.named_quotients import SPREADS
from ...algebra.reading import DEPTH_LIMIT, whole
from ...algebra.writing import product as written
from ...engine.match_context import MatchContext
from ..transposes import vectors_beside
from .quotients import Divided
from .signed_sums import LINES, TOTALS, UNDER, signed
from .weighted_sums import weighted


class SharesTimesVector(Rewrite):
    """eᵀ @ (c / Σ t·e), as the slope to weights, is e^(x − m)ᵀ @ (c / Σ t·e^(x − m))."""

    name, caveat = "product of exp with a line over its sum", UNDER
    phase, decreases, cost_policy, reorders = "stabilise", "unstable", "", True
    functions = frozenset((exp,))

    @property
    def roots(self) -> Iterator[tuple]:
        return iter([(matmul, SomeHead(Divided.inner))])

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        for c, inner, place in vectors_beside(n) if n.op is matmul else ():
            if inner.ndim < 2 or c.op not in Divided.inner or not worth("below", c, LINES):
                continue
            line, factors = whole(c, "real"), whole(inner, "real")
            for d, p in line.powers.items() if not (line.met or factors.met) else ():
                w = signed(d) if p == -1 else None
                if w and factors.powers.get(w.e) == 1 and w.a == (1 - place,) and not w.k:
                    yield {"line": line, "factors": factors, "x": d, "total": w, "place": place}

    def build(self, bindings: Bindings, n: Expr) -> Expr:
        d, place, w = bindings["x"], bindings["place"], bindings["total"]
        _, e, total = w.shifted(False)
        above, below = dict(bindings["factors"].powers), dict(bindings["line"].powers)
        above[e], below[total] = above.pop(w.e), below.pop(d)
        matrix = written(bindings["factors"].coefficient, above, n.dtype, "safe")
        vector = written(bindings["line"].coefficient, below, n.dtype, "safe")
        return vector @ matrix if place == 0 else matrix @ vector


class OverItself(Divided):
    """Σ t·eˣ / Σ t·eˣ, beside other factors, is Σ t·e^(x − m) / Σ t·e^(x − m)."""

    parts, functions = frozenset((*TOTALS, *SPREADS, multiply, divide)), frozenset((exp,))
    divisors = LINES

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        if n.op in (multiply, divide) and worth("below", n, LINES):
            record = whole(n, "real")
            alike = all(b.dtype == n.dtype for b in record.met)
            if any(signed(b) for b in record.met) and alike and has_no_root(n):
                yield {"read": record, **named(record.met)}

    def build(self, bindings: Bindings, n: Expr) -> Expr:
        read = bindings["read"]
        totals = [w.shifted(w.k)[2] if (w := signed(b)) else b for b in read.met]
        return over_themselves(totals, written(read.coefficient, read.powers, n.dtype, "safe"))


def has_no_root(n: Expr) -> bool:
    """Is it made of factors and divisors alone? Then what met in it was divided by itself."""
    stack = [n]
    while stack:
        m = stack.pop()
        if m.op in (sqrt, power) or len(stack) > DEPTH_LIMIT:
            return False
        stack += m.inputs if m.op in Divided.inner else ()
    return True


def over_themselves(bases: Iterable[Expr], left: Expr) -> Expr:
    """A product times b / b for each base, which is nan where the base is 0."""
    for b in bases:
        left = left * (b / b)
    return left


class UnderNewAxes(Rewrite):
    """A line over such a sum, under new axes, becomes a line under which the sum has them."""

    name, caveat = "factors under new axes", UNDER
    phase, decreases, cost_policy = "stabilise", "unstable", ""
    functions = frozenset((exp,))

    @property
    def roots(self) -> Iterator[tuple]:
        return iter([(expand_dims, SomeHead(Divided.inner))])

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        inner = n.inputs[0]
        if n.op is not expand_dims or inner.op not in Divided.inner:
            return
        if not worth("below", inner, LINES):
            return
        record = whole(inner, "real")
        for d, p in record.powers.items() if not record.met or has_no_root(inner) else ():
            total, _ = spread_of(d)
            if p == -1 and d.ndim == inner.ndim and (signed(total) or weighted(total)):
                yield {"read": record, "x": d}

    def build(self, bindings: Bindings, n: Expr) -> Expr | None:
        read, d, which = bindings["read"], bindings["x"], dict(n.static)
        rest = {b: p for b, p in read.powers.items() if b is not d}
        left = over_themselves(read.met, written(read.coefficient, rest, n.dtype, "safe"))
        if left.ndim not in (0, d.ndim):
            return None
        return (expand_dims(left, **which) if left.ndim else left) / expand_dims(d, **which)


RULES = [
    UnderNewAxes(),
    SharesTimesVector(),
    OverItself("sum with factors over itself", UNDER),
]


def examples() -> dict[str, Expr]:
    from ..letters import A, r

    total = exp(A) @ Constant(np.array([0.5, -0.25, 2, 1]))
    return {
        "factors under new axes": expand_dims(r / total, axis=1),
        "product of exp with a line over its sum": (r / total) @ exp(A),
        "sum with factors over itself": r * total / total,
    }
