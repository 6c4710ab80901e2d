"""Collecting powers: a product as a table base → exponent, written anew where that is shorter.

    x * y * x → x² · y      2 * (3 * x) → 6 * x      (x * y) / x → y      eˣ · y · eᶻ → y · eˣ⁺ᶻ

This is done once for each region of multiplications that nothing else uses.
"""

from collections.abc import Iterator
from typing import Any

from ...expr import Constant, Expr
from ...ops import divide, exp, multiply, negative, power, reciprocal, sqrt, square
from ..match import CONSTANT, Found, wild
from ..rule import Rewrite, table
from .monomials import Monomial, Powers, arranged, few, held, inside, linear, named, product, read

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
        return divide in heads or reciprocal in heads

    def matches(self, n: Expr, engine: Any) -> Iterator[Found]:
        joins = self.tops if engine.mode == "real" else (multiply,)
        if engine.uses.user.get(n) in joins or n.dtype.kind == "b":
            return  # inside a larger region
        opens = few() if self.through else lambda m: inside(m, n, engine)
        found = read(n, opens, engine.mode)
        if (found.met or not self.through) and collects(found, n, engine):
            yield {"read": found, "mode": engine.mode, **named(found.powers)}

    def needed(self, found: Found) -> tuple[Expr, ...]:
        """What was cancelled is not 0; that whose root was squared is not negative."""
        read = found["read"]
        return tuple([x != 0 if read.powers[x] % 1 == 0 else x >= 0 for x in read.met])

    def build(self, found: Found, n: Expr) -> Any:
        coefficient, powers, *_ = found["read"]
        return product(coefficient, exps_joined(powers), n.dtype, found["mode"])


def collects(found: Monomial, n: Expr, engine: Any) -> bool:
    """Do fewer factors remain, or fewer quotients?"""
    c, powers = found.coefficient, found.powers
    if any(x.dtype != n.dtype or isinstance(x, Constant) for x in powers) or not held(c, n.dtype):
        return False
    if n.dtype.kind != "f" and any(e < 0 or e % 1 for e in powers.values()):
        return False
    _, below, quotients = arranged(powers)
    fewer = engine.mode == "real" and bool(below) + len(quotients) < found.divisions
    rows = sum(e != 0 for e in powers.values()) + (c != 1)
    exps = [x for x, e in powers.items() if x.op is exp and e]
    joined = len(exps) > 1 and all(map(engine.uses.once, exps))
    return rows < found.parts or fewer or joined


def exps_joined(powers: Powers) -> Powers:
    """The table with e^x and e^y replaced by e^(x + y)."""
    exps = {x: e for x, e in powers.items() if x.op is exp and e}
    if len(exps) < 2:
        return powers
    whole = linear([(e, x.inputs[0]) for x, e in exps.items()])
    return {x: e for x, e in powers.items() if x.op is not exp} | {exp(whole): 1}


RULES = [
    *table("safe", ("times itself", x * x, square(x)), lowers="order"),
    CollectPowers("collect powers", through=False),
    CollectPowers("cancel shared factors", through=True),
]
