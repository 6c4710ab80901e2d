"""Collecting powers: a product as a table base → exponent, written anew where that is shorter.

    x * y * x → x² · y      2 * (3 * x) → 6 * x      (x * y) / x → y      eˣ · y · eᶻ → y · eˣ⁺ᶻ

This is done once for each region of multiplications that nothing else uses.
"""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from ...expr import Constant, Expr, Origin, made_by
from ...library import isfinite
from ...ops import add, divide, exp, multiply, negative, power, reciprocal, sqrt, square
from ...ops import sum as total
from ..engine.match_context import MatchContext
from ..engine.pattern import Bindings, SomeHead, wild
from ..engine.rule import Rewrite, table
from ..engine.validate import MODES
from .glances import CANCELLING, FUNCTIONS, could_cancel
from .identities import could_relate, related
from .monomial import Monomial, held, named
from .reading import LONG, POWERS, PRODUCTS, ROOTS, Opens, is_product, read, region, whole
from .writing import (
    SPREADS,
    Arranged,
    Powers,
    arranged,
    factors,
    have_name,
    in_dtype,
    linear,
    multiplied,
    product,
    raised,
)

x = wild("x")
INNER = ROOTS | {negative}  # read where nothing else uses them
MEETS = FUNCTIONS | {add, total, *SPREADS}  # or one of these, which may be a sum of exponentials
FRACTIONS = frozenset((divide, reciprocal))
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
        if self.through and not (could_cancel(n, context) and is_product(n, mode)):
            return
        if user is divide and context.uses.is_covered(n, TAKEN_APART[mode]):
            return  # inside a quotient that is taken apart with it
        if not self.through and distinct(n, self.region(n, context), mode):
            return
        found = whole(n, mode) if self.through else read(n, self.region(n, context), mode)
        if self.through and not found.met and len(found.powers) > 1 and not few_left(found.powers):
            return
        origin, powers = Origin("rewrite", self.name, n), related(found.powers)
        if sum([x.op is exp for x in powers]) > 1:
            powers = made_by(origin, exps_joined, powers, n.dtype, context)
        worth = not self.through or found.met or sum(map(bool, powers.values())) < 2
        rows = collected(found, powers, n, mode) if worth else None
        if rows and (not self.through or made_by(origin, may_pay, found, rows, n, context)):
            about = {"mode": mode, "dtype": n.dtype}
            about |= {"read": found, "powers": powers, **named(found.powers)}
            yield about
            if mode == "safe" and n.type.is_float:  # the law of products has refused that
                from .ordering import another_order  # loaded when it is first needed

                yield about | made_by(origin, another_order, n, found, powers)

    def region(self, n: Expr, context: MatchContext) -> Opens:
        """The product at n as far as nothing else uses it."""
        return region(n, context, LONG if context.uses.user_op(n) is negative else None)

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
        return product(bindings["read"].coefficient, bindings["powers"], n.dtype, bindings["mode"])


def taken_apart(mode: str, n: Expr) -> bool:
    """Is n a quotient that may be taken apart?"""
    return n.op is divide and is_product(n, mode)


TAKEN_APART = {mode: partial(taken_apart, mode) for mode in MODES}


def distinct(n: Expr, opens: Opens, mode: str) -> bool:
    """Are the factors of n all different, none of them related, with one number or sign at most,
    and no quotient that has a name? Then nothing can be collected, and the product need not be
    read. In real mode two fraction lines can be joined, and a number below one goes above it."""
    seen, below, numbers = set[Expr](), list[Expr](), 0
    stack = [n]
    while stack:
        m = stack.pop()
        op = m.op
        if op in INNER and (m is n or opens(m)) and (op not in FRACTIONS or is_product(m, mode)):
            if op in FRACTIONS:
                d = m.inputs[-1]
                if d.op in INNER or mode == "real" and (below or isinstance(d, Constant)):
                    return False
                below.append(d)
            stack += m.inputs
            numbers += op is negative
            continue
        if op is None and isinstance(m, Constant) and not m.type.shape:
            numbers += 1
            continue
        if op in POWERS:
            m = m.inputs[0]
        if m in seen or op in POWERS and m.op in PRODUCTS:
            return False
        seen.add(m)
    named = any(have_name(seen, d) for d in below)
    return numbers < 2 and not (named or could_relate(seen))


def few_left(powers: Powers) -> bool:
    """Can one base remain, when functions that are related have met?"""
    inert = sum([b.op not in MEETS for b in powers])
    return inert < 2 <= len(powers) - inert


def collected(found: Monomial, powers: Powers, n: Expr, mode: str) -> Arranged | None:
    """The powers as they will stand, if fewer factors remain than were read, or fewer quotients, or
    more that have a name."""
    c = found.coefficient
    if any(isinstance(x, Constant) for x in found.met or powers):  # it may hold a 0
        return None
    if not c or not held(c, n.dtype):  # the numbers together are too small, or too large
        return None
    if n.dtype.kind != "f" and any(e < 0 or e % 1 for e in powers.values()):
        return None
    rows = above, below, quotients = arranged(powers)
    left = len(above) + len(below) + 2 * len(quotients) + (c != 1)
    left += sum(e % 1 != 0 and e not in ROOT for e in powers.values())
    fewer = mode == "real" and bool(below) + len(quotients) < found.divisions
    worth = left < found.parts or fewer or len(quotients) > found.quotients
    return rows if worth else None


def may_pay(found: Monomial, rows: Arranged, n: Expr, context: MatchContext) -> bool:
    """Can the product be written with no more operations than go with n? It needs one for each
    factor, but for the products of the first few that the graph has."""
    above, below, quotients = rows
    links = len(above) + len(quotients) - 1
    needed = links + bool(below) + (found.coefficient != 1)
    if links < 1 or needed <= (gone := context.uses.freed(n, needed)):
        return True
    parts = factors(above, quotients, n.dtype)
    total = next(parts)
    for part in islice(parts, needed - gone):
        total = in_dtype(multiply, total, part, n.dtype)
        if not context.has(total):
            return False
    return links >= needed - gone


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
