"""Stabilisation of sums of exponentials with factors of any sign, as in densities of mixtures.

    log Σ t·eˣ → m + log Σ t·eˣ⁻ᵐ      t·eˣ / Σ t·eˣ → t·eˣ⁻ᵐ / Σ t·eˣ⁻ᵐ

m is the largest x + log |t|. The left sides are the same whatever it is, so that it has no slope.
Where no factor is negative and none varies, `weighted_sums` has a shorter form.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ....core.pattern import Bindings, SomeHead
from ....core.rule import Rewrite
from ....expr import Constant, Expr
from ....library import isfinite
from ....ops import (
    abs,
    divide,
    exp,
    expand_dims,
    log,
    matmul,
    max,
    mean,
    multiply,
    negative,
    squeeze,
    sum,
    where,
    zero_grad,
)
from ...algebra.identities import beside, spread_of
from ...algebra.monomial import Monomial, named
from ...algebra.named_quotients import SPREADS
from ...algebra.reading import whole
from ...algebra.sum import linear
from ...algebra.writing import product as written
from ...engine.match_context import MatchContext
from ...engine.memo import remembered
from ..transposes import vectors_beside
from .quotients import Divided, Way
from .weighted_sums import as_large, weighted

UNDER = "e^x may overflow, or underflow"
TOTALS = (sum, mean, matmul)
LINES = frozenset((*TOTALS, *SPREADS))


class Signed(NamedTuple):
    """Σ t·e^x over axes a, or the mean, with its axes kept or not."""

    e: Expr
    t: Expr
    total: Expr
    a: tuple[int, ...]
    k: bool

    @property
    def shift(self) -> Expr:
        """The largest x + log |t|, with its axes kept; 0 where it is no number."""
        top = max(self.e.inputs[0] + log(abs(self.t)), axis=self.a, keepdims=True)
        return zero_grad(where(isfinite(top), top, 0))

    def shifted(self, k: bool) -> tuple[Expr, Expr, Expr]:
        """m, e^(x − m), and what the sum over t·e^x becomes."""
        m = self.shift
        e = exp(self.e.inputs[0] - m)
        op = mean if self.total.op is mean else sum
        return m, e, op(self.t * e, axis=self.a, keepdims=k)


def signed(d: Expr) -> Signed | None:
    """The sum with factors that d is, if it is one."""
    found: Signed | None = remembered(d, signed_sum) if d.op in TOTALS else None
    return found


def signed_sum(d: Expr) -> Signed | None:
    """The same, found anew."""
    if (w := weighted(d)) is not None and w.fixed:
        return None  # which has a shorter form
    found = of_matmul(d) if d.op is matmul else of_sum(d)
    if found is None or not as_large(found.e.inputs[0], found.t) or is_shifted(found.e.inputs[0]):
        return None
    return found


def of_sum(d: Expr) -> Signed | None:
    which = dict(d.static)
    return read(d.inputs[0], None, d, which["axis"], which["keepdims"])


def of_matmul(d: Expr) -> Signed | None:
    """Of a vector, and a product along one of whose axes it lies."""
    for t, inner, place in vectors_beside(d):
        t = expand_dims(t, axis=1) if place < inner.ndim - 1 else t
        if found := read(inner, t, d, (place,), False):
            return found
    return None


def read(inner: Expr, t: Expr | None, d: Expr, a: tuple[int, ...], k: bool) -> Signed | None:
    """A product with one exponential of its own shape, and with other factors."""
    found = whole(inner, "real")
    e = next((b for b, p in found.powers.items() if b.op is exp and p == 1), None)
    if e is None or e.ndim != inner.ndim or e.dtype != d.dtype or found.met:
        return None
    rest = {b: p for b, p in found.powers.items() if b is not e}
    if any(p % 1 for p in rest.values()) or t is None and not rest:
        return None
    factor = written(found.coefficient, rest, d.dtype, "safe")
    return Signed(e, factor if t is None else t * factor, d, a, k)


def is_shifted(x: Expr) -> bool:
    """Is x less its largest entry already?"""
    return any(i.op is zero_grad for i in x.inputs)


class LogOfSigned(Rewrite):
    """The logarithm of a product in which such sums stand."""

    name, caveat = "log of sum with factors", UNDER
    phase, decreases, cost_policy = "stabilise", "unstable", ""
    heads = frozenset((*TOTALS, multiply, divide, negative))
    functions = frozenset((exp,))

    @property
    def roots(self) -> Iterator[tuple]:
        return iter([(log, SomeHead(self.heads))])

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        found = whole(n.inputs[0], "real") if n.op is log else None
        if found is None or found.met or any(p % 1 for p in found.powers.values()):
            return
        sums = {d: w for d in found.powers if (w := signed(d)) and d.dtype == n.dtype}
        if sums:
            yield {"read": found, "sums": sums, **named(sums)}

    def build(self, bindings: Bindings, n: Expr) -> Expr:
        """The product keeps its sign: two negative factors have a logarithm together."""
        read, powers, shifts = bindings["read"], dict(bindings["read"].powers), []
        for d, w in bindings["sums"].items():
            m, _, total = w.shifted(w.k)
            p = powers.pop(d)
            powers[total] = p
            shifts.append((p, m if w.k else squeeze(m, axis=w.a)))
        return linear(shifts, n.dtype) + log(written(read.coefficient, powers, n.dtype, "safe"))


class ShareOfSigned(Divided):
    """e^x / Σ t·e^x is e^(x − m) / Σ t·e^(x − m)."""

    parts, functions = frozenset((exp, multiply, divide)), frozenset((exp,))
    divisors = LINES

    def way(self, d: Expr, found: Monomial, n: Expr) -> Way | None:
        total, put = spread_of(d)
        w = signed(total)
        if w is None or found.powers.get(w.e, 0) < 1 or not beside(w.a, w.k, put):
            return None
        _, e, kept = w.shifted(True)
        return {w.e: 1, d: -1}, e / kept


RULES = [LogOfSigned(), ShareOfSigned("share of sum with factors", UNDER)]


def examples() -> dict[str, Expr]:
    from ..letters import v

    c = Constant(np.array([0.5, -0.25, 2, 1]))
    return {
        "log of sum with factors": log(c @ exp(v)),
        "share of sum with factors": c * exp(v) / (c @ exp(v)),
    }
