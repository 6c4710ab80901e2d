"""Stabilisation of weighted sums of exponentials: their logarithms, and what is divided by them.

    log Σ t·eˣ → logsumexp(x + log t)      t·eˣ / Σ t·eˣ → softmax(x + log t)

Letters: x y z expressions, e an exponential or softmax, t weights, a axes, k keepdims.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ....core.pattern import Bindings, SomeHead
from ....core.rule import Rewrite
from ....expr import Constant, Expr
from ....library.cumulative import product
from ....library.norms import norm2
from ....ops import (
    abs,
    divide,
    exp,
    expand_dims,
    log,
    log_softmax,
    logsumexp,
    matmul,
    multiply,
    negative,
    softmax,
    sum,
    vector,
)
from ...algebra.identities import beside, spread_of
from ...algebra.monomial import Monomial, Powers, named, worth
from ...algebra.named_quotients import SPREADS
from ...algebra.reading import whole
from ...algebra.sum import linear
from ...algebra.writing import product as written
from ...engine.match_context import MatchContext
from ...engine.memo import remembered
from ...engine.rule_table import table
from ...engine.validate import wild
from ...facts.prover import is_provable
from ..shapes import node_of
from ..transposes import vectors_beside
from .quotients import Divided, Way

x, y, z, a, k = wild("x y z a k")
EXPS = (exp, softmax)
DIVISORS = frozenset((sum, matmul, *SPREADS))
UNDER = "a sum of small numbers may underflow"
AT_0 = UNDER + "; the slope to a weight is nan where it is 0"


class Weighted(NamedTuple):
    """Σ t·e over axes, where no t is negative; `rest` is t as powers of what stands there."""

    e: Expr
    t: Expr
    rest: Powers
    a: tuple[int, ...]
    k: bool

    @property
    def x(self) -> Expr:
        """e^x is e, but for a factor that does not vary along the axes."""
        return self.e.inputs[0]

    @property
    def fixed(self) -> bool:
        """Will no derivative be taken to the weights? That of log t is none where t is 0."""
        return all(isinstance(b, Constant) for b in self.rest)

    @property
    def logarithm(self) -> Expr:
        x = log_softmax(self.x, axis=self.a) if self.e.op is softmax else self.x
        return logsumexp(x + log(self.t), axis=self.a, keepdims=self.k)


def weighted(d: Expr) -> Weighted | None:
    """The weighted sum that d is, if it is one."""
    found: Weighted | None = remembered(d, weighted_sum) if d.op in (sum, matmul) else None
    return found


def weighted_sum(d: Expr) -> Weighted | None:
    """The same, found anew."""
    found = of_sum(d) if d.op is sum else of_matmul(d)
    if found is None or not found.rest or not is_provable("nonnegative", found.t):
        return None
    same = found.e.op is exp or dict(found.e.static)["axis"] == found.a
    return found if same and as_large(found.x, found.t) else None


def as_large(x: Expr, t: Expr) -> bool:
    """Has x as many entries as x + t, as far as one can see?"""
    lengths = zip(x.type.shape[::-1], t.type.shape[::-1], strict=False)
    return x.ndim >= t.ndim and all(n != 1 or m == 1 for n, m in lengths)


def of_sum(d: Expr) -> Weighted | None:
    (inner,), which = d.inputs, dict(d.static)
    found = whole(inner, "safe")
    e = next((b for b, p in found.powers.items() if b.op in EXPS and p == 1), None)
    if e is None or e.ndim != inner.ndim or e.dtype != inner.dtype:
        return None
    rest = {b: p for b, p in found.powers.items() if b is not e}
    t = written(found.coefficient, rest, d.dtype, "safe")
    return Weighted(e, t, rest, which["axis"], which["keepdims"])


def of_matmul(d: Expr) -> Weighted | None:
    """Of a vector t, whose entries lie along an axis of e."""
    for t, e, place in vectors_beside(d):
        if e.op in EXPS:
            if place < e.ndim - 1:
                t = (
                    Constant(t.value[:, None])
                    if isinstance(t, Constant)
                    else expand_dims(t, axis=1)
                )
            return Weighted(e, t, {t: 1}, (place,), False)
    return None


class Share(Divided):
    """t·e / Σ t·e is softmax(x + log t); without the t above, e^(x − log Σ t·e)."""

    parts = functions = frozenset(EXPS)
    divisors = DIVISORS

    def way(self, d: Expr, found: Monomial, n: Expr) -> Way | None:
        total, put = spread_of(d)
        w = weighted(total)
        if (
            w is None
            or w.fixed is self.final
            or found.powers.get(w.e, 0) < 1
            or not beside(w.a, w.k, put)
        ):
            return None
        both = {w.e: 1, d: -1}
        x = log_softmax(w.x, axis=w.a)  # beside a large x, log t would lose its digits
        y = x + log(w.t)
        above = {present(b, found.powers): p for b, p in w.rest.items()}
        if all(found.powers.get(b, 0) >= p > 0 for b, p in above.items()):
            c = whole(total.inputs[0], "safe").coefficient if total.op is sum else 1
            return both | above, softmax(y, axis=w.a) / c
        return both, exp(x - logsumexp(y, axis=w.a, keepdims=True))


def has_share(x: Expr, y: Expr, z: Expr) -> bool:
    """Is one of two terms divided by a weighted sum of x?"""
    return x.op in EXPS and any(w.fixed for i in (y, z) for w in below(i) if w.e is x)


def has_varying_share(x: Expr, y: Expr, z: Expr) -> bool:
    return x.op in EXPS and any(not w.fixed for i in (y, z) for w in below(i) if w.e is x)


def below(i: Expr) -> Iterator[Weighted]:
    """The weighted sums that a product is divided by."""
    for d, p in whole(i, "real").powers.items() if worth("below", i, DIVISORS) else ():
        if p < 0 and (w := weighted(spread_of(d)[0])) is not None:
            yield w


def present(t: Expr, powers: Powers) -> Expr:
    """The t that stands in a product, perhaps with a new axis in front."""
    return next((b for b in powers if same(b, t)), t)


def same(b: Expr, t: Expr) -> bool:
    """Do these repeat the same numbers, seen from their last axes?"""
    (b, at), (t, put) = without_new_axes(b), without_new_axes(t)
    if isinstance(b, Constant) and isinstance(t, Constant):
        return at == put and b.dtype == t.dtype and np.array_equal(b.value, t.value)
    return at == put and b is t


def without_new_axes(t: Expr) -> tuple[Expr, int]:
    """A vector, and how many new axes stand behind it; what is none, as it is."""
    if isinstance(t, Constant) and max(t.value.shape, default=0) == t.value.size:
        places = [k for k, n in enumerate(t.value.shape[::-1]) if n > 1]
        return Constant(t.value.ravel()), places[0] if places else 0
    if t.op is expand_dims and t.inputs[0].ndim == 1 and t.ndim == 2:
        return t.inputs[0], dict(t.static)["axis"][0]
    return t, 0


class LogOfWeighted(Rewrite):
    """The logarithm of a product in which weighted sums of exponentials stand is a sum of
    logarithms."""

    phase, decreases, cost_policy = "stabilise", "unstable", ""
    heads = frozenset((sum, matmul, multiply, divide, negative))
    functions = frozenset(EXPS)

    def __init__(self, name: str, caveat: str, final: bool = False):
        self.name, self.caveat, self.final = name, caveat, final

    @property
    def roots(self) -> Iterator[tuple]:
        return iter([(log, SomeHead(self.heads))])

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        if n.op is not log:
            return
        found = whole(n.inputs[0], "real")
        sums = {d: w for d, p in found.powers.items() if (w := weighted(d)) and d.dtype == n.dtype}
        fixed = all(w.fixed for w in sums.values())
        if (
            sums
            and fixed is not self.final
            and not found.met
            and all(p % 1 == 0 for p in found.powers.values())
        ):
            yield {"read": found, "sums": sums, **named(sums)}

    def build(self, bindings: Bindings, n: Expr) -> Expr:
        read, sums = bindings["read"], bindings["sums"]
        total = linear([(read.powers[d], w.logarithm) for d, w in sums.items()], n.dtype)
        rest = {b: p for b, p in read.powers.items() if b not in sums}
        if not rest and read.coefficient == 1:
            return total
        return total + log(written(read.coefficient, rest, n.dtype, "safe"))


def of_small(z: Expr) -> bool:
    """Is it a product with a divisor that may underflow?"""
    divisors = [spread_of(b)[0] for b in whole(z, "real").powers]
    return any(d.op in (norm2, product) or weighted(d) is not None for d in divisors)


def under_line(y: Expr, z: Expr, a: tuple[int, ...]) -> Expr | None:
    if y.ndim not in (0, z.ndim):
        return None
    y = expand_dims(y, axis=a) if y.ndim else y
    return y / expand_dims(z, axis=a)


# fmt: off
RULES = table(
    "safe", ("line under new axes",  node_of(expand_dims, y / z, axis=a), under_line, UNDER),
    when=of_small, phase="stabilise", decreases="unstable",
) + table(
    "safe",
    ("share of a difference", x * (y - z),          x * y - x * z,                   UNDER),
    ("share of a sum",        x * (y + z),          x * y + x * z,                   UNDER),
    when=has_share, phase="stabilise", decreases="unstable",
) + table(
    "safe",
    ("varying share of a difference", x * (y - z),  x * y - x * z,                   UNDER),
    ("varying share of a sum",        x * (y + z),  x * y + x * z,                   UNDER),
    when=has_varying_share, phase="stabilise", decreases="unstable", final=True,
) + [
    LogOfWeighted("log of weighted sum", UNDER),
    LogOfWeighted("log of varying weights", AT_0, final=True),
    Share("share of a weighted sum", UNDER),
    Share("share of varying weights", AT_0, final=True),
]
# fmt: on
for rule in RULES:  # each is about a weighted sum, or the first about a norm or a product
    rule.functions = frozenset(EXPS if rule is not RULES[0] else (*EXPS, norm2, product))


def examples() -> dict[str, Expr]:
    from ..letters import A, r, v

    c, t = Constant(np.array([0.5, 0, 2, 1])), abs(vector("u", shape=4))
    return {
        "log of weighted sum": log(c @ softmax(v)),
        "log of varying weights": log(t @ softmax(v)),
        "share of a weighted sum": c * softmax(v) / (c @ softmax(v)),
        "share of varying weights": t * softmax(v) / (t @ softmax(v)),
        "share of a difference": softmax(v) * (1 / (c @ softmax(v)) - v),
        "share of a sum": softmax(v) * (1 / (c @ softmax(v)) + v),
        "varying share of a difference": softmax(v) * (1 / (t @ softmax(v)) - v),
        "varying share of a sum": softmax(v) * (1 / (t @ softmax(v)) + v),
        "line under new axes": expand_dims(r / product(A, axis=1), axis=1),
    }
