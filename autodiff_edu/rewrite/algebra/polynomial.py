"""Sums of products as polynomials: common factors are taken out, brackets are opened where terms
meet then, and what comes out is used where it is shorter.

    x²·cos x + 2·x·sin x → x·(x·cos x + 2·sin x)      4·g·(1 − l) − 4·g·l → g·(4 − 8·l)

Letters: n a sum or product, t a term of it, x a base, d a base that is divided by, e an exponent.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from ...expr import Expr
from ...library import sigmoid
from ...ops import divide, gather, index, multiply, negative, reciprocal, scatter
from ...ops.index import embed
from ..engine.match_context import MatchContext
from ..engine.pattern import Bindings, SomeHead
from ..engine.rule import Rewrite
from .factoring import LARGE, written
from .identities import is_slope, related
from .monomial import Monomial, Powers, Terms, collected, combined, held, named, scales, worth
from .named_quotients import belongs, has_name, has_quotient
from .reading import JOINING, LONG, SUMS, near, term, terms
from .sum import summed
from .writing import linear

ExpansionPolicy = Callable[[Expr, Any], bool]  # which brackets are opened
Way = tuple[Terms, list[Expr]]  # what is to be written instead, and what must not be 0
Ways = Callable[[Terms, Any], Iterator[Way]]
PLACED, PICKED = frozenset((embed, scatter)), (index, gather)
REGION = (*SUMS, multiply, divide)
DIVIDED = PLACED | {divide, reciprocal}  # without one of these no term has a divisor


class Polynomial(Rewrite):
    """A sum, or a product with sums in it, written anew where that leaves fewer terms or saves
    operations."""

    reorders = True

    def __init__(self, name: str, tops: tuple, ways: Ways, caveat: str, **stated: str):
        self.name, self.tops, self.ways, self.caveat = name, tops, ways, caveat
        self.mode, self.phase, self.decreases = stated["mode"], stated["phase"], stated["decreases"]
        stable = self.phase == "stabilise"
        self.cost_policy = "" if stable else "cheaper"
        self.region = tops if stable else REGION  # inside which a larger one is meant

    @property
    def roots(self) -> Iterator[tuple]:
        return ((op, SomeHead(JOINING)) for op in self.tops)

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        if context.uses.user_op(n) in self.region or not n.type.is_float:
            return
        if n.op in QUOTIENTS and not worth("above", n, SUMS):
            return
        if self.ways is cancelled and not worth("bracket", n, PLACED, DIVIDED):
            return
        read = parts(n, context) or []
        for rows, met in self.ways(read, context) if read else ():
            atoms = dict.fromkeys(x for t in rows for x in t.powers)
            held_all = all(held(t.coefficient, n.dtype) for t in rows)
            if held_all and all(x.dtype == n.dtype for x in atoms):
                fewer = self.cost_policy and len(rows) < len(read)
                policy = "no_worse" if fewer else self.cost_policy
                about = {"mode": context.mode, "cost_policy": policy, "met": met}
                yield {"terms": rows, **about, **named(atoms)}

    def needed(self, bindings: Bindings) -> tuple[Expr, ...]:
        """What was cancelled is not 0."""
        return tuple([x != 0 for x in dict.fromkeys(bindings["met"])])

    def build(self, bindings: Bindings, n: Expr) -> Any:
        if bindings["mode"] == "safe":
            return opened_in_order(n, bindings["terms"])
        write = summed if self.phase == "stabilise" else written
        return write(bindings["terms"], n.dtype, bindings["mode"])


def with_open_brackets(read: Terms, context: MatchContext) -> Iterator[Way]:
    """The terms with brackets opened, by one policy after the other, each opening more."""
    best, before = read, 0
    for policy in (alone, shared, mirrored):
        if all(next_bracket(t.powers, context, policy) is None for t in read):
            continue
        rows, brackets = opened(read, context, policy)
        if rows is None:
            return  # another policy would open these too
        if brackets > before and (policy is not mirrored or len(rows) < len(best)):
            best, before = rows, brackets
            yield rows, []


def with_common_factors(read: Terms, context: MatchContext) -> Iterator[Way]:
    """The terms as they are: they are written with common factors taken out."""
    if max(Counter(x for t in read for x in t.powers).values(), default=0) > 1:
        yield read, []


def cancelled(read: Terms, context: MatchContext) -> Iterator[Way]:
    """The terms of a bracket, if one is divided by something that stands before the bracket."""
    (t, *more) = read
    bracket = next((x for x, e in t.powers.items() if e == 1 and x.op in SUMS), None)
    if more or bracket is None or not worth("anywhere", bracket, DIVIDED):
        return  # nothing in a bracket is divided
    rest = combined(t.powers, {bracket: -1})
    inner = [*flat(bracket, rest, context)]
    enough = any if context.uses.once(bracket) else all
    if inner and enough(meets(rest, u.powers) for u in inner):
        met = [x for u in inner for x, e in u.powers.items() if e < 0 < rest.get(x, 0)]
        yield [times(u, t.coefficient, rest, related) for u in inner], met


def times(t: Monomial, c: Any, powers: Powers, short: Any = dict) -> Monomial:
    """t · c · Π powers"""
    return Monomial(t.coefficient * c, short(combined(powers, t.powers)))


def flat(bracket: Expr, rest: Powers, context: MatchContext) -> Iterator[Monomial]:
    """Its terms. One that is a bracket itself, which others use too, is opened if all in it meets
    what stands before."""
    for t in parts(bracket, context) or ():
        ((x, e),) = t.powers.items() if len(t.powers) == 1 else ((bracket, 0),)
        inner = parts(x, context) if e == 1 and x.op in SUMS else None
        if inner and all(meets(rest, u.powers) for u in inner):
            yield from [times(u, t.coefficient, {}) for u in inner]
        else:
            yield t


def meets(rest: Powers, inner: Powers) -> bool:
    """Is a term in a bracket divided by what stands before the bracket, or by entries of that, or
    by what a factor before the bracket has a name over, of which the term has too few itself?"""
    below = [d for d, e in inner.items() if e < 0]
    under = [f.inputs[0].inputs[1] for f in inner if f.op in PLACED and f.inputs[0].op is divide]
    picked = [d.inputs[0] for d in under if d.op in PICKED]
    if any(rest.get(d, 0) > 0 for d in below) or any(x is d for x in rest for d in picked):
        return True
    if any(is_slope(x, d) for x in rest for d in below):
        return True
    above = {x: (inner.get(x, 0), e) for x, e in rest.items() if e > 0}
    return any(
        has < -inner[d] and has_quotient(has + e, -inner[d], d) and belongs(x, d)
        for d in below
        for x, (has, e) in above.items()
    )


def opened_in_order(n: Expr, rows: Terms) -> Any:
    """The sum of these terms, which opening the brackets of n makes; if the law forbids it, with
    each term in an order that the law allows; None where none is found."""
    from .law import Opened, obeys  # loaded when they are first needed
    from .ordering import ordered

    new = summed(rows, n.dtype, "safe")
    if not isinstance(new, Expr) or obeys(n, new, brackets=True):
        return new
    products = [ordered(n, 1, t.powers, law=Opened)[0] for t in rows]
    pairs = zip(rows, products, strict=True)
    addends = [(t.coefficient, x) for t, x in pairs if x is not None]
    return linear(addends, n.dtype) if len(addends) == len(rows) else None


# ---- reading


def parts(n: Expr, context: MatchContext) -> Terms | None:
    """The terms of the sum at n, if they are not too many; a product is the only one."""

    def reads(m: Expr, mode: str) -> Monomial:
        return near(m, context, whoever=n)

    if n.op not in SUMS:
        return [term(n, 1, n.dtype, context.mode, reads)]
    read = terms(n, context, reads, LONG)
    return read if len(read) <= LONG else None


def opened(read: Terms, context: MatchContext, policy: ExpansionPolicy) -> tuple[Terms | None, int]:
    """The terms when brackets are opened, and collected, or None where too many would come; and
    how many brackets were opened."""
    pending, done, brackets = list(read), Terms(), 0
    while pending:
        t = pending.pop()
        bracket = next_bracket(t.powers, context, policy)
        if bracket is None:
            done.append(times(t, 1, {}, related))
            continue
        brackets += 1
        rest, inner = combined(t.powers, {bracket: -1}), inside(bracket, context)
        if inner is None or len(pending) + len(done) + len(inner) > LARGE:
            return None, brackets
        pending += [times(u, t.coefficient, rest) for u in inner]
    return collected(done[::-1])[0][::-1], brackets  # popped from the end


def next_bracket(powers: Powers, context: MatchContext, policy: ExpansionPolicy) -> Expr | None:
    """The first that is to be opened in a term; what has a name over a divisor stays whole."""
    for x, e in powers.items():
        if e in (1, 2) and policy(x, context) and not any(are_conjugate(x, y) for y in powers):
            if not any(f < 0 and has_name(x, d) for d, f in powers.items()):
                return x
    return None


def are_conjugate(x: Expr, y: Expr) -> bool:
    """Are they a + b and a − b? Their product is a difference of squares, which may cancel."""
    return {x.op, y.op} == {*SUMS} and {*x.inputs} == {*y.inputs}


def alone(x: Expr, context: MatchContext) -> bool:
    """A sum that nothing else needs, or of one term and a number."""
    if x.op not in SUMS or scales(x):
        return x.op in SUMS
    only: bool = context.uses.once(x)
    return only


def shared(x: Expr, context: MatchContext) -> bool:
    """A sum of two, whatever else uses it."""
    return alone(x, context) or x.op in SUMS and all(i.op not in REGION for i in x.inputs)


def mirrored(x: Expr, context: MatchContext) -> bool:
    """σ(−x) too, which is 1 − σ(x)."""
    return shared(x, context) or x.op is sigmoid and x.inputs[0].op is negative


def inside(bracket: Expr, context: MatchContext) -> Terms | None:
    """The terms of a bracket that is opened."""
    if bracket.op in SUMS:
        return parts(bracket, context)
    other, _ = context.hash_cons(sigmoid(bracket.inputs[0].inputs[0]))
    return [Monomial(1, {}), Monomial(-1, {other: 1})]


LATE = {"mode": "real", "phase": "factor", "decreases": "cost"}
STABLE = {"mode": "safe", "phase": "stabilise", "decreases": "unstable"}
OVER = "an open bracket may overflow"
INFINITE = "inf − inf is nan, so is 0·inf"
QUOTIENTS = (multiply, divide)
RULES = [
    Polynomial("cancel in brackets", QUOTIENTS, cancelled, OVER, **STABLE),
    Polynomial("open brackets", REGION, with_open_brackets, INFINITE, **LATE),
    Polynomial("common factor", SUMS, with_common_factors, INFINITE, **LATE),
]
