"""The one reader of sums and products: it makes records of nodes, and is told how far it goes.

    whole      through products, quotients and powers, whatever else uses them
    fractions  through products, signs and quotients, whatever else uses them
    factors    through products and signs alone, whatever else uses them
    region     through sums, products and quotients that nothing else uses
    near       the same, and through those of a number and something else; not far

The first three depend on the node alone. Nodes never change, and so their answers are kept while a
graph is simplified: each node is read once, from the records of its operands. The others depend on
who uses what, and are read anew when that changes.
"""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

import numpy as np

from ...core.rule import MODES
from ...expr import Expr
from ...ops import add, divide, multiply, negative, power, reciprocal, sqrt, square, subtract
from ..engine.match_context import MatchContext
from ..engine.memo import answered
from ..facts.prover import is_provable
from .monomial import (
    EXACT,
    EXPONENTS,
    SIGNS,
    Monomial,
    Powers,
    atom,
    base,
    held,
    number_of,
    number_times,
    number_to,
    present,
    scales,
)
from .named_quotients import has_name

Opens = Callable[[Expr], bool]  # does a sum or product go on below this node?
Reads = Callable[[Expr, str], Monomial]  # how a term is read
SUMS = (add, subtract)
PRODUCTS = frozenset((multiply, divide, negative, reciprocal, square, power, sqrt))
JOINING = PRODUCTS.union(SUMS)
ROOTS = frozenset((multiply, divide, reciprocal))
POWERS = frozenset((square, power, sqrt))
WIDTH = 12  # bases of a record that is kept, and operations that are near
LONG = 64  # parts of a region that may go on above, and terms of a sum that is looked at whole
DEPTH_LIMIT = 8  # nodes of a walk that keeps nothing
NONE: Mapping[Expr, Any] = {}


# ---- products


def read(n: Expr, opens: Opens, mode: str, done: Mapping[Expr, Monomial] = NONE) -> Monomial:
    """The product at n, as far down as `opens` allows, and as it is computed in the dtype of n.
    Records of nodes below that are `done` are multiplied in."""
    coefficient: Any = 1
    powers: Powers = {}
    met: dict[Expr, None] = {}
    parts = divisions = quotients = 0
    stack: list[tuple[Expr, Any]] = [(n, 1)]
    inside = within(n, opens)
    while stack:
        m, e = stack.pop()
        op = m.op
        if op is None and (value := number_of(m)) and not m.type.shape and isfinite(value):
            coefficient *= number_to(value, e)
            parts += value != 1
        elif op not in PRODUCTS:
            multiply_in(m, e, powers, met)
            parts += 1
        elif m is not n and m in done and inside(m):
            r = done[m]
            coefficient *= number_to(r.coefficient, e)
            multiply_all_in(r, e, powers, met)
            parts, divisions = parts + r.parts, divisions + r.divisions
            quotients += r.quotients
        elif is_product(m, mode) and inside(m):
            stack += [(i, e * k) for i, k in zip(m.inputs, EXPONENTS[op], strict=True)][::-1]
            if op is negative:
                coefficient *= -1 if e % 2 else 1
                parts += 1
            elif op is divide or op is reciprocal:
                divisions += 1
                quotients += op is divide and has_name(*m.inputs)
        else:
            x, k = base(m, mode, n.type.dtype) if op in POWERS else (m, 1)
            multiply_in(x, k * e, powers, met)
            parts += 1
    return Monomial(coefficient, powers, None, 1, parts, divisions, quotients, tuple(met))


def within(n: Expr, opens: Opens) -> Opens:
    """Does the product at n go on below m? Where another dtype begins, it ends."""
    type, dtype = n.type, n.type.dtype

    def inside(m: Expr) -> bool:
        return m is n or (m.type is type or m.type.dtype == dtype) and opens(m)

    return inside


def is_product(m: Expr, mode: str) -> bool:
    """Is m a product of other factors? In safe mode a quotient is one where its denominator is
    proved not to be 0."""
    op = m.op
    if op is divide or op is reciprocal:
        return m.type.is_float and (mode == "real" or is_provable("nonzero", m.inputs[-1]))
    return op is multiply or op is negative or op is square and m.inputs[0].op in ROOTS


def multiply_in(x: Expr, e: Any, powers: Powers, met: dict[Expr, None]) -> None:
    """powers · x^e. What stands on both sides of the line has met, and so has what is under a
    root."""
    before = powers.get(x, 0)
    powers[x] = before + e
    if before * e < 0 or e % 1:
        met[x] = None


def multiply_all_in(r: Monomial, e: Any, powers: Powers, met: dict[Expr, None]) -> None:
    """powers · (the bases of r)^e"""
    if e == 1 and not powers:
        powers |= r.powers
    else:
        for x, k in r.powers.items():
            multiply_in(x, k * e, powers, met)
    met |= dict.fromkeys(r.met)


# ---- sums


def summands(
    n: Expr, context: MatchContext, depth_limit: int | None = None, shared: int = 0
) -> list[tuple[Expr, int]]:
    """The terms of the sum at n as they stand, from left to right, and their signs: as far as
    nothing else uses the sum, and through so many sums that something else uses, too."""
    limit = LONG if context.uses.user_op(n) is negative else depth_limit
    alone, left = region(n, context, limit), iter(range(shared))

    def opens(m: Expr) -> bool:
        return alone(m) or m.type.dtype == n.type.dtype and next(left, None) is not None

    terms, stack = [], [(n, 1)]
    while stack:
        m, sign = stack.pop()
        if m.op in SUMS and (m is n or opens(m)):
            stack += [(i, sign * k) for i, k in zip(m.inputs, SIGNS[m.op], strict=True)][::-1]
        else:
            terms.append((m, sign))
    return terms


def terms(
    n: Expr, context: MatchContext, reads: Reads, depth_limit: int | None = None, shared: int = 0
) -> list[Monomial]:
    """The terms of the sum at n, from left to right, each read by `reads`."""
    signed = summands(n, context, depth_limit, shared)
    return [term(m, sign, n.dtype, context.mode, reads) for m, sign in signed]


def term(m: Expr, c: Any, dtype: np.dtype, mode: str, reads: Reads) -> Monomial:
    """The term c·m of a sum of this dtype."""
    while m.dtype == dtype and (scaled := number_times(m)):
        k, m = scaled
        c = c * k
    value = number_of(m) if m.op is None and not m.ndim else None
    if value is not None:
        return Monomial(c * value, {})
    if m.op not in PRODUCTS or m.dtype != dtype:
        return Monomial(c, {m: 1}, m)
    product = reads(m, mode)
    k = product.coefficient
    return Monomial(c * k, present(product.powers), m, k)


# ---- how far one reads


class Policy:
    """A reading through these operations, whatever else uses what is read; it is kept."""

    def __init__(self, mode: str, through: frozenset):
        self.mode, self.through = mode, through

    def __call__(self, n: Expr) -> Monomial:
        product: Monomial = answered(n, self.below, self.reading)
        return product

    def below(self, n: Expr) -> tuple[Expr, ...]:
        """The operands whose records go into that of n."""
        if n.op not in self.through:
            return ()
        dtype = n.type.dtype
        return tuple([i for i in n.inputs if i.op in self.through and i.type.dtype == dtype])

    def reading(self, n: Expr, done: Mapping[Expr, Monomial]) -> Monomial:
        """The record of n from those below. It has few bases and numbers that its dtype holds, so
        that a long product is read in parts."""
        if n.op is not None and n.op not in self.through:
            b, e = base(n, self.mode, n.type.dtype)
            return Monomial(1, {b: e})
        closed = self.widest(n, done)
        product = read(n, lambda m: m.op in self.through and m is not closed, self.mode, done)
        exact = max(map(abs, product.powers.values()), default=0) <= EXACT
        if exact and held(product.coefficient, n.type.dtype):
            return product
        return read(n, lambda m: False, self.mode)

    def widest(self, n: Expr, done: Mapping[Expr, Monomial]) -> Expr | None:
        """The operand that is not opened, if all of them together have too many bases."""
        tables = {i: done[i].powers for i in self.below(n)}
        if sum(map(len, tables.values())) <= WIDTH or len(set().union(*tables.values())) <= WIDTH:
            return None
        return max(tables, key=lambda i: len(tables[i]))


def policy(*through: Any) -> Reads:
    """The reading through these operations, in each mode."""
    policies = {mode: Policy(mode, frozenset(through)) for mode in MODES}
    return lambda n, mode: policies[mode](n)


whole = policy(*PRODUCTS)
fractions = policy(*ROOTS, negative)
factors = policy(multiply, negative)


def region(n: Expr, context: MatchContext, depth_limit: int | None = None) -> Opens:
    """How far the region of n goes: over what nothing else uses. Where it may go on above n it has
    a limit: else long chains would be read at each link."""
    left = None if depth_limit is None else iter(range(depth_limit))

    def opens(m: Expr) -> bool:
        if m.type.dtype != n.type.dtype:
            return False
        return context.uses.once(m) and (left is None or next(left, None) is not None)

    return opens


def near(n: Expr, context: MatchContext, whoever: Expr | None = None) -> Monomial:
    """The product at n as far as nothing else uses it, or a number scales it; not far. One node may
    be told that is opened whoever uses it."""
    left = iter(range(WIDTH))

    def opens(m: Expr) -> bool:
        return (m is whoever or context.uses.once(m) or scales(m)) and next(left, None) is not None

    return read(n, opens, context.mode) if opens(n) else atom(n)
