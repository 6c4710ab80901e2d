"""Collecting powers: a product as a table base → exponent, written anew where that is shorter.

    x * y * x → x² · y      2 * (3 * x) → 6 * x      (x * y) / x → y      eˣ · y · eᶻ → y · eˣ⁺ᶻ

This is done once for each region of multiplications that nothing else uses.
"""

from collections.abc import Iterator
from typing import Any

from ...expr import Constant, Expr
from ...library import sigmoid
from ...ops import divide, exp, multiply, negative, power, reciprocal, softmax, sqrt, square
from ..match import CONSTANT, Found, wild
from ..rule import Rewrite, table
from .monomials import (
    Monomial,
    Powers,
    arranged,
    belongs,
    few,
    held,
    inside,
    linear,
    named,
    product,
    read,
)

x = wild("x")


class CollectPowers(Rewrite):
    """A product written anew, where fewer factors remain. `through` products that something else
    needs too, which are left standing, where something cancels and operations are saved."""

    phase, lowers = "collect", "nodes"
    caveat = "in another order a product may overflow, or underflow"
    tops = (multiply, divide)
    opens = (multiply, divide, square, power, negative, sqrt, reciprocal, exp)

    def __init__(self, name: str, through: bool):
        self.name, self.through = name, through
        self.pays = "saves" if through else "pays"

    @property
    def roots(self) -> Iterator[tuple]:
        if not self.through:
            return ((op, self.may_match) for op in self.tops)
        return iter(((divide, self.may_match), (multiply, self.may_cancel)))

    def may_match(self, same: bool, heads: tuple) -> bool:
        numbers = [h for h in heads if h == CONSTANT or isinstance(h, float)]
        return same or any(h in self.opens for h in heads) or len(numbers) > 1

    def may_cancel(self, same: bool, heads: tuple) -> bool:
        return divide in heads or reciprocal in heads or negative in heads

    def matches(self, n: Expr, engine: Any) -> Iterator[Found]:
        joins = self.tops if engine.mode == "real" else (multiply,)
        if engine.uses.user.get(n) in joins or n.dtype.kind == "b":
            return  # inside a larger region
        opens = few() if self.through else lambda m: inside(m, n, engine)
        found = read(n, opens, engine.mode)
        powers = exps_joined(related(found.powers), engine)
        if (found.met or not self.through) and collects(found, powers, n, engine.mode):
            yield {"read": found, "powers": powers, "mode": engine.mode, **named(found.powers)}

    def needed(self, found: Found) -> tuple[Expr, ...]:
        """What was cancelled is not 0; that whose root was squared is not negative."""
        read = found["read"]
        return tuple([x != 0 if read.powers[x] % 1 == 0 else x >= 0 for x in read.met])

    def build(self, found: Found, n: Expr) -> Any:
        return product(found["read"].coefficient, found["powers"], n.dtype, found["mode"])


def collects(found: Monomial, powers: Powers, n: Expr, mode: str) -> bool:
    """Do fewer factors remain than were read, or fewer quotients, or more that have a name?"""
    c = found.coefficient
    if any(x.dtype != n.dtype or isinstance(x, Constant) for x in powers) or not held(c, n.dtype):
        return False
    if n.dtype.kind != "f" and any(e < 0 or e % 1 for e in powers.values()):
        return False
    rows = sum(e != 0 for e in powers.values()) + (c != 1)
    _, below, quotients = arranged(powers)
    fewer = mode == "real" and bool(below) + len(quotients) < found.divisions
    return rows < found.parts or fewer or len(quotients) > found.quotients


def exps_joined(powers: Powers, engine: Any) -> Powers:
    """e^x · e^y is e^(x + y), where neither is needed elsewhere."""
    exps = {x: e for x, e in powers.items() if x.op is exp and e and engine.uses.once(x)}
    if len(exps) < 2:
        return powers
    whole = linear([(e, x.inputs[0]) for x, e in exps.items()])
    return {x: e for x, e in powers.items() if x not in exps} | {exp(whole): 1}


def related(powers: Powers) -> Powers:
    """σ(x) is e^x · σ(−x), and softmax(x) · Σe^x is e^x: of the three as few are left as may be."""
    for s in [x for x in powers if x.op in (sigmoid, softmax)]:
        x = s.inputs[0]
        e = next((e for e in powers if e.op is exp and same_or_opposite(e.inputs[0], x)), None)
        third = None if e is None else partner(s, e, powers)
        if e is None or third is None:
            continue
        relation = {s: 1, third: -1 if s.op is sigmoid else 1, e: -1 if e.inputs[0] is x else 1}
        k = sorted(powers.get(f, 0) * sign for f, sign in relation.items())[1]
        moved = {f: powers.get(f, 0) - sign * k for f, sign in relation.items()}
        powers = {f: e for f, e in (powers | moved).items() if e or f in powers}
    return powers


def partner(s: Expr, e: Expr, powers: Powers) -> Expr | None:
    """σ(−x) for σ(x); for softmax(x) the sum of all e^x, if it is there."""
    if s.op is softmax:
        return next((d for d in powers if belongs(e, d)), None)
    x = s.inputs[0]
    other = next((f for f in powers if f.op is sigmoid and opposite(f.inputs[0], x)), None)
    return sigmoid(x.inputs[0] if x.op is negative else -x) if other is None else other


def same_or_opposite(x: Expr, y: Expr) -> bool:
    return x is y or opposite(x, y)


def opposite(x: Expr, y: Expr) -> bool:
    """Is one of them minus the other?"""
    return any(a.op is negative and a.inputs[0] is b for a, b in ((x, y), (y, x)))


RULES = [
    *table("safe", ("times itself", x * x, square(x)), lowers="order"),
    CollectPowers("collect powers", through=False),
    CollectPowers("cancel shared factors", through=True),
]
