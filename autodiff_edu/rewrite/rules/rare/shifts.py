"""The slope to a shift that makes no difference.

    p = eˣ⁻ᵐ / Σ eˣ⁻ᵐ is the same whatever m is. If m is max x, the largest entries of x get a slope
    through m all the same: with y the slope to x - m, they share -Σ y, which is 0.

        y + where(x = max x, -(Σ y)/n, 0/n) → y        as y = g - (Σ g)·p has no sum

Letters: w the slope through the largest entries, y the other terms, p a softmax of x over axes a.
"""

from collections import Counter
from collections.abc import Iterator
from math import prod
from typing import Any, NamedTuple

from ....expr import Constant, Expr
from ....ops import cast, equal, max, negative, softmax, sum, where
from ...algebra.identities import beside, spread_of
from ...algebra.monomial import SUMS, Powers, combined, number_of
from ...algebra.named_quotients import SPREADS
from ...algebra.reading import DEPTH_LIMIT, whole
from ...algebra.sum import summands, term
from ...engine.match_context import MatchContext
from ...facts.prover import is_provable
from .deviations import Signed, Vanishing, terms_of, varies

Row = tuple[frozenset, frozenset]  # what stands before a Σ over a, and behind it


class SlopeOfShift(Vanishing):
    """A sum without the slope through the largest entries, where that is 0."""

    name, heads = "slope to a shift", frozenset((where,))
    operations = frozenset((where, equal, max, softmax))

    def ways(self, found: Signed, context: MatchContext) -> Iterator[tuple[Expr, Signed]]:
        """Without all such slopes at once."""
        shares = {w: s for w, _ in found if w.op is where and (s := through_largest(w))}
        if not shares:
            return
        terms = [t for m, k in found if m not in shares for t in products(m, context, k)]
        gone: dict[Expr, Expr] = {}
        for p, of in beside_softmaxes(terms, shares):
            sums = Sums(p, of[0][1].a, context, terms)
            gone |= {w: s.x for w, s in of if any(map(sums.vanishes, s.of))}
        if gone:
            (x, *_) = gone.values()
            yield x, [(m, k) for m, k in found if m not in gone]


# ---- the slope through the largest entries


class Shared(NamedTuple):
    """One of these, over their number, is what the largest entries of x over axes a share."""

    x: Expr
    a: tuple[int, ...]
    of: list[Expr]


def through_largest(w: Expr) -> Shared | None:
    """Is w where(x = max x, s/n, 0/n)? Then what s may be."""
    those, share, nothing = w.inputs
    zeros = [b for b in unspread(nothing) if number_of(b) == 0]
    if those.op is not equal or not zeros or not keeps_0(w):
        return None
    for x, m in (those.inputs, those.inputs[::-1]):
        m, put = spread_of(m)
        if m.op is max and m.inputs[0] is x:
            which = dict(m.static)
            sums = [b for b, e in unspread(share).items() if e == 1 and b.op in (sum, *SUMS)]
            fits = beside(which["axis"], which["keepdims"], put)
            return Shared(x, which["axis"], sums) if fits else None
    return None


def keeps_0(w: Expr) -> bool:
    """Are both sides of w divided by nothing that may be 0?"""
    those, *sides = w.inputs
    below = [b for side in sides for b, e in unspread(side).items() if e < 0]
    return all(is_count(b, those) or is_provable("nonzero", b) for b in below)


def is_count(n: Expr, those: Expr) -> bool:
    """Is n how many of those there are?"""
    n, _ = spread_of(n)
    return n.op is sum and n.inputs[0].op is cast and n.inputs[0].inputs[0] is those


def unspread(x: Expr) -> Powers:
    """The factors of what is spread in x, or of -x."""
    while x.op in (*SPREADS, negative):
        x = x.inputs[0]  # behind it are lengths, where they are not known
    return whole(x, "real").powers


# ---- sums over the axes of a softmax


class Term(NamedTuple):
    """A term m of a sum as coefficient · Π base^exponent."""

    m: Expr
    coefficient: Any
    powers: Powers


def products(n: Expr, context: MatchContext, sign: int = 1) -> list[Term]:
    """The terms of the sum n, or n as the only one."""
    found = []
    for m, factor in terms_of(n, context):
        t = term(m, sign * factor, n.dtype, context.mode, whole)
        numbers = {b: v for b, e in t.powers.items() if e == 1 and (v := number_of(b)) is not None}
        rest = {b: e for b, e in t.powers.items() if b not in numbers}
        found.append(Term(m, t.coefficient * prod(numbers.values()), rest))
    return found


def beside_softmaxes(
    terms: list[Term], shares: dict[Expr, Shared]
) -> Iterator[tuple[Expr, list[tuple[Expr, Shared]]]]:
    """Each softmax that is a factor in the terms, with the slopes to the shift of its operand."""
    slopes: dict[tuple, list] = {}
    for w, s in shares.items():
        slopes.setdefault((s.x, s.a), []).append((w, s))
    for p in dict.fromkeys([b for t in terms for b in t.powers if b.op is softmax]):
        of = slopes.get((p.inputs[0], dict(p.static)["axis"]))
        if of:
            yield p, of


class Sums:
    """Sums over the axes a of a softmax p, written out as far as Σ p = 1 tells. A row stands for
    Π (what does not vary along a) · Σ Π (what does); it has a coefficient."""

    def __init__(self, p: Expr, a: tuple[int, ...], context: MatchContext, y: list[Term]):
        self.p, self.a, self.context = p, a, context
        self.written: dict[Expr, list[Term]] = {}
        self.one = frozenset({(p, 1)})
        rows = [self.row(u) for t in y for u in self.distributed(t)]
        scaled = [fixed for fixed, varying in rows if varying == self.one]
        self.carried = {key for fixed in scaled for key, _ in self.times_one(1, dict(fixed))}

    def products(self, n: Expr) -> list[Term]:
        """The terms of the sum n, or n as the only one; p·(g + h) is p·g and p·h."""
        if n not in self.written:
            found = products(n, self.context)
            self.written[n] = [u for t in found for u in self.distributed(t)]
        return self.written[n]

    def distributed(self, t: Term) -> list[Term]:
        """p·g and p·h for a term p·(g + h) where h does not vary; both are as long as p."""
        found = [t]
        factors = t.powers.items() if self.p in t.powers and self.varies(self.p) else ()
        b = next((b for b, e in factors if e == 1 and self.has_fixed(b)), None)
        if b is not None and b.dtype == t.m.dtype:
            rest, parts = dict(t.powers), products(b, self.context)
            del rest[b]
            k = t.coefficient
            found = [Term(t.m, k * u.coefficient, combined(rest, u.powers)) for u in parts]
        return found if all(self.p in u.powers for u in found) else [t]

    def has_fixed(self, b: Expr) -> bool:
        """Is it a sum with a term that does not vary?"""
        return b.op in SUMS and not all(self.varies(m) for m, _ in summands(b, self.context))

    def vanishes(self, s: Expr) -> bool:
        """Is s, which does not vary along a, 0 for all numbers, and nan only where y is nan?"""
        total: Counter[Row] = Counter()
        for t in self.products(s):
            for key, c in self.times_one(t.coefficient, t.powers):
                total[key] += c
        seen = total.keys() - {(frozenset(), self.one)}
        return bool(self.carried) and seen <= self.carried and not any(total.values())

    def times_one(self, c: Any, fixed: Powers, depth: int = 0) -> Iterator[tuple[Row, Any]]:
        """The rows of a product that does not vary: a sum over a in it is written out."""
        total = next((b for b, e in fixed.items() if e == 1 and self.is_readable(b)), None)
        if total is None or depth == DEPTH_LIMIT:
            yield (frozenset(fixed.items()), self.one), c
            return
        rest = {b: e for b, e in fixed.items() if b is not total}
        for t in self.products(total.inputs[0]):
            before, behind = self.row(t)
            both, number = combined(rest, dict(before)), self.sum_of_numbers(behind)
            if behind == self.one or number is not None:
                k = t.coefficient if number is None else t.coefficient * number
                yield from self.times_one(c * k, both, depth + 1)
            else:
                yield (frozenset(both.items()), behind), c * t.coefficient

    def row(self, t: Term) -> Row:
        """Σ of a term, but for its coefficient; what does not vary at all is left as it is."""
        before, behind = list[tuple](), list[tuple]()
        for b, e in t.powers.items():
            if self.varies(b):
                behind.append((b, e))
            else:
                before.append((self.bare(b), e))
        if not behind:
            return frozenset(), frozenset({(t.m, 1)})
        return frozenset(before), frozenset(behind)

    def sum_of_numbers(self, behind: frozenset) -> Any:
        """That of a constant along a, if it is one number."""
        ((b, e), *more) = behind
        if more or e != 1 or not isinstance(b, Constant):
            return None
        axes = tuple(j + b.ndim - self.p.ndim for j in self.a)
        return number_of(Constant(b.value.sum(axis=axes))) if min(axes) >= 0 else None

    def is_readable(self, total: Expr) -> bool:
        """Is it a sum over a, all of whose terms are seen to be as long as p?"""
        if total.op is not sum or dict(total.static)["axis"] != self.a:
            return False
        (inside,) = total.inputs
        return inside.ndim == self.p.ndim and all(map(self.is_long, self.products(inside)))

    def is_long(self, t: Term) -> bool:
        """As far as lengths are known: those that are not are compared when the program runs."""
        if self.p in t.powers or t.m.ndim < self.p.ndim:
            return self.p in t.powers
        pairs = [(t.m.type.shape[j], self.p.type.shape[j]) for j in self.a]
        return all(m == p or m != 1 and None in (m, p) for m, p in pairs)

    def varies(self, b: Expr) -> bool:
        return varies(b, self.a, self.p.ndim)

    def bare(self, b: Expr) -> Expr:
        """b without the axes that were put back."""
        inside, put = spread_of(b)
        return inside if put in (None, self.a) else b


RULES = [SlopeOfShift()]


def examples() -> dict[str, Expr]:
    from ..letters import v

    p, largest = softmax(v), v == max(v)
    share = (1 - sum(p)) / sum(largest.astype(v.dtype))
    return {"slope to a shift": p + where(largest, share, 0 / sum(largest.astype(v.dtype)))}
