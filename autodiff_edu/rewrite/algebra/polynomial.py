"""Sums of products as polynomials: common factors are taken out, brackets are opened where terms
meet then, and what comes out is used where it is shorter.

    x²·cos x + 2·x·sin x → x·(x·cos x + 2·sin x)      4·g·(1 − l) − 4·g·l → g·(4 − 8·l)

Letters: n a sum or product, t a term of it, x a base, d a base that is divided by, e an exponent.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from ...core.pattern import Bindings, SomeHead
from ...core.rule import Rewrite
from ...expr import Expr, later
from ...library import sigmoid
from ...ops import divide, multiply, negative
from ..engine.match_context import MatchContext
from .factoring import LARGE, written
from .identities import related
from .monomial import (
    JOINING,
    LONG,
    SUMS,
    Monomial,
    Powers,
    Terms,
    collected,
    combined,
    held,
    named,
    scales,
    worth,
)
from .named_quotients import has_name
from .reading import near
from .sum import term, terms

ExpansionPolicy = Callable[[Expr, Any], bool]  # which brackets are opened
Way = tuple[Terms, list[Expr]]  # what is to be written instead, and what must not be 0
Ways = Callable[[Terms, Any], Iterator[Way]]
REGION = (*SUMS, multiply, divide)


class Polynomial(Rewrite):
    """A sum, or a product with sums in it, written anew where that leaves fewer terms or saves
    operations."""

    mode, phase, decreases, cost_policy, reorders = "real", "factor", "cost", "cheaper", True
    region: tuple = REGION  # inside which a larger one is meant

    def __init__(self, name: str, tops: tuple, ways: Ways, caveat: str):
        self.name, self.tops, self.ways, self.caveat = name, tops, ways, caveat

    @property
    def roots(self) -> Iterator[tuple]:
        return ((op, SomeHead(JOINING)) for op in self.tops)

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        if context.uses.user_op(n) in self.region or not n.type.is_float:
            return
        if n.op in QUOTIENTS and not worth("above", n, SUMS):
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
        return written(bindings["terms"], n.dtype, bindings["mode"])


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


def times(t: Monomial, c: Any, powers: Powers, short: Any = dict) -> Monomial:
    """t · c · Π powers"""
    return Monomial(t.coefficient * c, short(combined(powers, t.powers)))


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


INFINITE = "inf − inf is nan, so is 0·inf"
QUOTIENTS = (multiply, divide)
RULES = [
    Polynomial("open brackets", REGION, with_open_brackets, INFINITE),
    Polynomial("common factor", SUMS, with_common_factors, INFINITE),
]

# rules that were stored before look for these here
MOVED = {"rules.stable.brackets": "cancelled"}
__getattr__, _ = later(__name__.partition(".rewrite.")[0] + ".rewrite", MOVED)
