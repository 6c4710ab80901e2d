"""Sums of products as polynomials: common factors are taken out, brackets are opened where terms
meet then, and what comes out is used where it is shorter.

    x²·cos x + 2·x·sin x → x·(x·cos x + 2·sin x)      4·g·(1 − l) − 4·g·l → g·(4 − 8·l)

A term is a pair of a coefficient and a table base → exponent, as in `monomials`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from ...expr import Expr
from ...library import sigmoid
from ...ops import negative
from ..match import Found
from ..rule import Rewrite
from .monomials import PRODUCTS, Powers, held, linear, named, number_of, product, raised
from .sums import ONE, SUMS, terms

Term = tuple[Any, Powers]
MANY = 64  # terms of a sum that is looked at
LARGE = 12  # terms that opened brackets may make


class Polynomial(Rewrite):
    """A sum written anew, where that saves operations."""

    mode, phase, lowers, pays = "real", "factor", "cost", "saves"

    def __init__(self, name: str, caveat: str, brackets: bool):
        self.name, self.caveat, self.brackets = name, caveat, brackets

    @property
    def roots(self) -> Iterator[tuple]:
        return ((op, self.may_match) for op in SUMS)

    def may_match(self, same: bool, heads: tuple) -> bool:
        return any(h in PRODUCTS or h in SUMS for h in heads)

    def matches(self, n: Expr, engine: Any) -> Iterator[Found]:
        if engine.uses.user.get(n) in SUMS or not n.type.is_float:
            return  # inside a larger region
        found: list[Term] | None = read(n, engine)
        if self.brackets and found is not None:
            found = opened(found, engine)
        if found is None:
            return
        often = Counter(x for _, powers in found for x in powers)
        if all(x.dtype == n.dtype for x in often) and all(held(c, n.dtype) for c, _ in found):
            if self.brackets or max(often.values(), default=0) > 1:
                yield {"terms": found, **named(often)}

    def build(self, found: Found, n: Expr) -> Any:
        return written(found["terms"], n.dtype)


# ---- reading


def read(n: Expr, engine: Any) -> list[Term] | None:
    """The terms of the sum at n, if they are not too many."""

    def alone(m: Expr) -> bool:
        return engine.uses.once(m) or scales(m)

    found = list(islice(terms(n, engine, lambda: alone), MANY + 1))
    if len(found) > MANY:
        return None
    return [(t.coefficient, t.powers or ({} if t.key is ONE else {t.x: 1})) for t in found]


def opened(found: list[Term], engine: Any) -> list[Term] | None:
    """The terms when brackets are opened, and collected; None where there is nothing to open, or
    too many would come, or more for the sake of σ(−x) alone."""
    waiting, done, changed, turned = list(found), list[Term](), False, False
    while waiting:
        c, powers = waiting.pop()
        bracket = next((x for x, e in powers.items() if e in (1, 2) and opens(x, engine)), None)
        if bracket is None:
            done.append((c, powers))
            continue
        changed, turned = True, turned or bracket.op is sigmoid
        rest, inner = times(powers, {bracket: -1}), inside(bracket, engine)
        if inner is None or len(waiting) + len(done) + len(inner) > LARGE:
            return None
        waiting += [(c * d, times(rest, powers)) for d, powers in inner]
    done = collected(done)
    return done if changed and (len(done) <= len(found) or not turned) else None


def scales(m: Expr) -> bool:
    """Is one of the operands a number?"""
    return any(i.op is None and number_of(i) is not None for i in m.inputs)


def opens(x: Expr, engine: Any) -> bool:
    """A sum that nothing else needs, or of one term and a number; and σ(−x), which is 1 − σ(x)."""
    if x.op in SUMS:
        return scales(x) or bool(engine.uses.once(x))
    return x.op is sigmoid and x.inputs[0].op is negative


def inside(bracket: Expr, engine: Any) -> list[Term] | None:
    if bracket.op in SUMS:
        return read(bracket, engine)
    mirrored, _ = engine.known(sigmoid(bracket.inputs[0].inputs[0]))
    return [(1, {}), (-1, {mirrored: 1})]


def times(one: Powers, other: Powers) -> Powers:
    total = one | {x: one.get(x, 0) + e for x, e in other.items()}
    return {x: e for x, e in total.items() if e}


def collected(found: Iterable[Term]) -> list[Term]:
    """Like terms added up."""
    table: dict[frozenset, Term] = {}
    for c, powers in found:
        key = frozenset(powers.items())
        table[key] = (c + table[key][0] if key in table else c, powers)
    return [(c, powers) for c, powers in table.values() if c]


# ---- writing


def written(found: list[Term], dtype: Any) -> Any:
    """The sum of the terms, with what most of them share taken out, again and again."""
    parts = [(c, product(1, powers, dtype)) for c, powers in found if powers]
    number = sum(c for c, powers in found if not powers)
    shared = most_shared(found)
    if shared is not None:
        x, e, having, rest = shared
        c, inner = content([(c, times(powers, {x: -e})) for c, powers in having])
        total = written(inner, dtype)
        taken = raised(x, e) * total if e > 0 else total / raised(x, -e)
        parts, number = [(c, taken)], 0
        if rest:
            return linear(parts) + written(rest, dtype)
    elif not number and len(parts) > 1:
        c, inner = content(found)
        if c not in (1, -1):
            return linear([(c, written(inner, dtype))])
    if not parts:
        return number
    total = linear(parts)
    return total if not number else total + number if number > 0 else total - -number


def most_shared(found: list[Term]) -> tuple[Expr, Any, list[Term], list[Term]] | None:
    """The base that most terms share, above the line or below it, the exponent that they share,
    the terms that have it, and the others."""
    often = Counter((x, e > 0) for _, powers in found for x, e in powers.items())
    (x, above), count = max(often.items(), key=lambda item: item[1], default=((None, True), 0))
    if count < 2:
        return None
    has = [x in powers and (powers[x] > 0) == above for _, powers in found]
    having = [t for t, yes in zip(found, has, strict=True) if yes]
    rest = [t for t, yes in zip(found, has, strict=True) if not yes]
    e = (min if above else max)(powers[x] for _, powers in having)
    return x, e, having, rest


def content(found: list[Term]) -> tuple[Any, list[Term]]:
    """A number that all terms have in common, up to sign, and the terms without it."""
    sizes = {max(c, -c) for c, _ in found}
    size = sizes.pop() if len(sizes) == 1 else 1
    sign = -1 if all(c < 0 for c, _ in found) else 1
    return sign * size, [(c * sign if size == 1 else c / (sign * size), p) for c, p in found]


RULES = [
    Polynomial("open brackets", "inf − inf is nan, so is 0·inf", brackets=True),
    Polynomial("common factor", "inf − inf is nan, so is 0·inf", brackets=False),
]
