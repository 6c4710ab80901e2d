"""Clearing fractions: a factor that divides the terms of a sum beside it cancels in each of them.

    (x / p − y / q) · p · q → x · q − y · p

So the gradient of a cross entropy no longer divides by probabilities that may be 0. This comes
after `pairs`, which show what the factors are.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from ...expr import Expr
from ...ops import add, divide, exp, multiply, negative, subtract
from ..match import Found
from ..rule import Rewrite
from .examples import x, y, z
from .monomials import MOST, Monomial, Powers, few, linear, named, product, read

SUMS = (add, subtract)
PRODUCTS = (multiply, divide, negative)


class ClearFractions(Rewrite):
    """A product with a sum of quotients, multiplied out, where that saves operations."""

    name, phase, lowers, pays = "clear fractions", "stabilise", "unstable", "saves"
    caveat = "a quotient may overflow"
    example = (y / exp(x) - z) * exp(x)

    @property
    def roots(self) -> Iterator[tuple]:
        return iter(((multiply, self.may_match),))

    def may_match(self, same: bool, heads: tuple) -> bool:
        return any(h in (*SUMS, multiply, negative) for h in heads)

    def matches(self, n: Expr, engine: Any) -> Iterator[Found]:
        if engine.uses.user.get(n) in PRODUCTS or not n.type.is_float:
            return  # inside a longer product
        whole = read(n, few(), engine.mode)
        for bracket in [b for b, e in whole.powers.items() if e == 1 and b.op in SUMS]:
            signed = list(islice(signed_terms(bracket), MOST + 1))
            if len(signed) > MOST:
                continue
            outside = {x: e for x, e in whole.powers.items() if x is not bracket}
            inside = [(whole.coefficient * c, read(m, few(), engine.mode)) for c, m in signed]
            met = [x for _, term in inside for x in cancelled(term, outside)]
            if met:
                yield {"outside": outside, "inside": inside, "met": met, **named(met)}

    def needed(self, found: Found) -> tuple[Expr, ...]:
        return tuple([x != 0 for x in dict.fromkeys(found["met"])])

    def build(self, found: Found, n: Expr) -> Expr:
        outside = found["outside"]
        tables = [(c * t.coefficient, multiplied(t, outside)) for c, t in found["inside"]]
        return linear([(c, product(1, powers, n.dtype, "safe")) for c, powers in tables])


def signed_terms(bracket: Expr) -> Iterator[tuple[int, Expr]]:
    """The terms of a sum with their signs, from left to right."""
    stack = [(1, bracket)]
    while stack:
        sign, m = stack.pop()
        if m.op in SUMS:
            second = -sign if m.op is subtract else sign
            stack += [(second, m.inputs[1]), (sign, m.inputs[0])]
        else:
            yield sign, m


def cancelled(term: Monomial, outside: Powers) -> list[Expr]:
    """What the term is divided by, and all of it stands outside too."""
    return [x for x, e in term.powers.items() if e < 0 <= e + outside.get(x, 0)]


def multiplied(term: Monomial, outside: Powers) -> Powers:
    powers = outside | {x: e + outside.get(x, 0) for x, e in term.powers.items()}
    return {x: e for x, e in powers.items() if e}


RULES = [ClearFractions()]
