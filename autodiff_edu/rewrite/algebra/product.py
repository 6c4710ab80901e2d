"""Collecting powers: a product as a table base → exponent, written anew where that is shorter.

    x * y * x → x² · y      2 * (3 * x) → 6 * x      (x * y) / x → y      eˣ · y · eᶻ → y · eˣ⁺ᶻ

This is done once for each region of multiplications that nothing else uses.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...core.pattern import Bindings, SomeHead
from ...core.rule import Rewrite
from ...expr import Constant, Expr, Origin, made_by
from ...library import isfinite, sigmoid, sigmoid_slope
from ...ops import divide, exp, multiply, negative, power, reciprocal, softmax, sqrt, square
from ..engine.match_context import MatchContext
from ..engine.rule_table import table
from ..engine.validate import wild
from .identities import could_relate, related
from .monomial import Monomial, Powers, held, named, region, worth
from .named_quotients import arranged
from .reading import ROOTS, is_product, read, whole
from .sum import linear
from .writing import multiplied, product, raised

FUNCTIONS = frozenset((exp, sigmoid, sigmoid_slope, softmax))  # may meet one another in a product
CANCELLING = FUNCTIONS | {divide, reciprocal, power, sqrt}  # without one of these nothing cancels
x = wild("x")
ROOT = (0.5, -0.5)  # any other half is written as a power times a root


class CollectPowers(Rewrite):
    """A product written anew, where fewer factors remain. `through` products that something else
    needs too, which are left standing, where something cancels and operations are saved."""

    decreases, reorders = "order", True
    caveat = "in another order a product may overflow, or underflow"
    tops = (multiply, divide)
    heads = frozenset((divide, reciprocal, negative, multiply))  # below which something may cancel
    opens = frozenset((multiply, divide, square, power, negative, sqrt, reciprocal, exp))

    def __init__(self, name: str, through: bool):
        self.name, self.through = name, through
        self.functions = CANCELLING if through else frozenset()

    @property
    def roots(self) -> Iterator[tuple]:
        seen = SomeHead(self.opens, same=True, constants=True)
        if not self.through:
            return ((op, seen) for op in self.tops)
        return iter(((divide, seen), (multiply, SomeHead(self.heads))))

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        mode, user = context.mode, context.uses.user_op(n)
        if n.dtype.kind == "b" or user is multiply or user is divide and mode == "real":
            return  # inside a larger region
        if self.through and not worth("cancel", n, mode) or not is_product(n, mode):
            return
        if user is divide:
            quotient: Any = context.uses.user[n]
            context.uses.asked.add(quotient)
            if is_product(quotient, mode):
                return  # it is taken apart with n
        record = whole(n, mode) if self.through else read(n, region(n, context), mode)
        powers = record.powers
        if could_relate(powers):
            powers = self.call_as_rule(n, exps_joined, related(powers), n.dtype, context)
        if self.through and not (record.met or may_cancel(record, powers)):
            return
        if is_shorter(record, powers, n, mode):
            about = {"mode": mode, "dtype": n.dtype}
            about |= {"read": record, "powers": powers, **named(record.powers)}
            yield about
            if context.against == "law":
                from .ordering import another_order  # loaded when it is first needed

                yield about | self.call_as_rule(n, another_order, n, record, powers, context)

    def call_as_rule(self, n: Expr, function: Callable[..., Any], *about: Any) -> Any:
        """Call a function whose nodes are to say that this rule made them at n."""
        return made_by(Origin("rewrite", self.name, n), function, *about)

    def needed(self, bindings: Bindings) -> tuple[Expr, ...]:
        """What was cancelled is not 0; that whose root was squared is not negative; denominators
        that are multiplied with each other have a product, and its inverse."""
        read, (_, below, _) = bindings["read"], arranged(bindings["powers"])
        conditions = [x != 0 if read.powers[x] % 1 == 0 else x >= 0 for x in read.met]
        if bindings["mode"] == "real" and len(below) > 1:
            dtype = bindings["dtype"]
            d = multiplied(1, [raised(x, e, dtype) for x, e in below.items()], dtype)
            conditions += [isfinite(d), isfinite(1 / d)]
        return tuple(conditions)

    def build(self, bindings: Bindings, n: Expr) -> Any:
        if "new" in bindings:
            return bindings["new"]
        c, powers, mode = bindings["read"].coefficient, bindings["powers"], bindings["mode"]
        return product(c, powers, n.dtype, mode)


def may_cancel(read: Monomial, powers: Powers) -> bool:
    """Is one base left, of numbers and functions that may meet?"""
    if sum(map(bool, powers.values())) > 1 or any(x.op in ROOTS for x in powers):
        return False
    own = read.powers.items()
    return bool(read.divisions) or any(x.op in CANCELLING or e < 0 or e % 1 for x, e in own)


def is_shorter(read: Monomial, powers: Powers, n: Expr, mode: str) -> bool:
    """Do fewer factors remain than were read, or fewer quotients, or more that have a name?"""
    c = read.coefficient
    if not read.divisions and sum(map(bool, powers.values())) + (c != 1) >= read.parts:
        return False
    if any(isinstance(x, Constant) for x in read.met or powers):  # it may hold a 0
        return False
    if not c or not held(c, n.dtype):  # the numbers together are too small, or too large
        return False
    if n.dtype.kind != "f" and any(e < 0 or e % 1 for e in powers.values()):
        return False
    above, below, quotients = arranged(powers)
    left = len(above) + len(below) + 2 * len(quotients) + (c != 1)
    left += sum(e % 1 != 0 and e not in ROOT for e in powers.values())
    fewer = mode == "real" and bool(below) + len(quotients) < read.divisions
    return left < read.parts or fewer or len(quotients) > read.quotients


def exps_joined(powers: Powers, dtype: np.dtype, context: MatchContext) -> Powers:
    """e^x · e^y is e^(x + y), where neither is needed elsewhere."""
    mine = {x: e for x, e in powers.items() if x.op is exp and x.dtype == dtype}
    exps = {x: e for x, e in mine.items() if e and context.uses.once(x)}
    if len(exps) < 2:
        return powers
    whole = linear([(e, x.inputs[0]) for x, e in exps.items()], dtype)
    return {x: e for x, e in powers.items() if x not in exps} | {exp(whole): 1}


RULES = [
    *table("safe", ("times itself", x * x, square(x)), decreases="order"),
    CollectPowers("collect powers", through=False),
    CollectPowers("cancel shared factors", through=True),
]
