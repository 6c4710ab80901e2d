"""Horner's rule: what terms of a sum share is taken out, power by power.

    a·x + b·x² + c·x³  →  x·(a + x·(b + x·c))      a·p − s − b·q·p  →  p·(a − b·q) − s

Programs need fewer operations then. A student reads the sum more easily as it was.
Letters: n the sum, m a term, b the factor that is shared, e its exponent.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...expr import Expr
from ...ops import multiply, negative
from ..engine.match_context import MatchContext
from ..engine.pattern import Bindings, SomeHead
from ..engine.rule import Rewrite
from .monomial import named
from .reading import LONG, POWERS, base, factors
from .sum import SUMS, summands
from .writing import Powers, linear, product, raised

TRIED = 3  # factors that most terms have
OPENS = frozenset((*SUMS, multiply, *POWERS))  # below which there is more to read


class Share(NamedTuple):
    """A term m of a sum, which is its sign times a number times a product of powers."""

    m: Expr
    sign: int
    number: Any
    powers: Powers


class Horner(Rewrite):
    """A sum two or more of whose terms have a factor in common, with that factor outside."""

    name, decreases, cost_policy = "Horner's rule", "cost", "cheaper"
    final = reorders = True
    caveat = "in another order a sum, or a product, may overflow"

    def __init__(self) -> None:
        self.example = example

    @property
    def roots(self) -> Iterator[tuple]:
        return ((op, SomeHead(OPENS)) for op in SUMS)

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        if context.uses.user_op(n) in SUMS or not n.type.is_float:
            return  # inside a larger region
        if n.inputs[0] is n.inputs[1]:
            return
        found = apart([share(m, sign, n, context.mode) for m, sign in summands(n, context, LONG)])
        often = Counter(b for one in found for b, e in one.powers.items()
                        if e > 0 and b.dtype == n.dtype)  # fmt: skip
        for b, times in often.most_common(TRIED):
            if times > 1:
                yield {"terms": found, "shared": b, "mode": context.mode, **named([b])}

    def build(self, bindings: Bindings, n: Expr) -> Expr:
        found, b = bindings["terms"], bindings["shared"]
        rest = [(one.sign, one.m) for one in found if one.powers.get(b, 0) <= 0]
        rows: dict[Any, list[tuple[Any, Expr]]] = {}
        for one in found:
            others = dict(one.powers)
            if (e := others.pop(b, 0)) > 0:
                left = product(1, others, n.dtype, bindings["mode"])
                rows.setdefault(e, []).append((one.sign * one.number, left))
        return linear([*rest, (1, nested(rows, b, n.dtype))], n.dtype)


def example() -> Expr:
    from ..rules.letters import x, y, z  # loaded when the example is shown

    return x * y + y - 2 * (z * (x * x))


def share(m: Expr, sign: int, n: Expr, mode: str) -> Share:
    """The term as a product, in the dtype of the sum."""
    if m.dtype != n.dtype:
        return Share(m, sign, 1, {m: 1})
    if m.op in POWERS:
        b, e = base(m, mode, m.dtype)
        return Share(m, sign, 1, {b: e})
    found = factors(m, mode)
    number, powers = found.coefficient, dict[Expr, Any]()
    for b, e in found.powers.items():
        if b.op is negative and b.dtype == m.dtype and e % 1 == 0:  # −q and q are shared, too
            b, number = b.inputs[0], number * (-1) ** int(e)
        powers[b] = powers.get(b, 0) + e
    return Share(m, sign, number, powers)


def apart(found: list[Share]) -> list[Share]:
    """The terms; what differs in its number alone shares nothing. 3x − x is nan at inf, and 2x is
    not, so only `collect terms` may make one of it."""
    keys = [frozenset(one.powers.items()) for one in found]
    often = Counter(keys)
    return [one if often[key] == 1 else Share(one.m, one.sign, 1, {})
            for one, key in zip(found, keys, strict=True)]  # fmt: skip


def nested(rows: dict[Any, list[tuple[Any, Expr]]], b: Expr, dtype: np.dtype) -> Expr:
    """Σ bᵉ·rowₑ, from the highest power inwards out."""
    above, *others = sorted(rows, reverse=True)
    inner = linear(rows[above], dtype)
    for e in others:
        inner = linear([*rows[e], (1, raised(b, above - e, dtype) * inner)], dtype)
        above = e
    return raised(b, above, dtype) * inner
