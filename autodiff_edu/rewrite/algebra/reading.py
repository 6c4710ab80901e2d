"""Reading a product: one function makes the record of a node, and policies say how far it goes.

    whole      through products, quotients and powers, whatever else uses them
    factors    through products alone, whatever else uses them
    region     through products and quotients that nothing else uses
    near       the same, and through those of a number and something else; not far

The first two depend on the node alone. Nodes never change, and so what they found is kept while a
graph is simplified: each node is read once, from the records of its operands. The others depend on
who uses what, and are read anew when that changes.
"""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

import numpy as np

from ...expr import Expr
from ...ops import add, divide, multiply, negative, power, reciprocal, sqrt, square, subtract
from ..engine.match_context import MatchContext
from ..engine.memo import answered
from ..engine.validate import MODES
from ..facts.prover import is_provable
from .monomial import Monomial, atom, held, number_of, number_to
from .writing import Powers, has_name

Opens = Callable[[Expr], bool]  # does the product go on below this node?
SUMS = (add, subtract)
PRODUCTS = frozenset((multiply, divide, negative, reciprocal, square, power, sqrt))
ROOTS = frozenset((multiply, divide, reciprocal))
POWERS = frozenset((square, power, sqrt))
EXACT = 2**24  # up to here whole numbers are exact in single precision
WIDTH = 12  # bases of a record that is kept, and operations that are near
LONG = 64  # parts of a region that may go on above, and terms of a sum that is looked at whole
DEPTH_LIMIT = 8  # nodes of a walk that keeps nothing
NONE: Mapping[Expr, Monomial] = {}


def read(n: Expr, opens: Opens, mode: str, done: Mapping[Expr, Monomial] = NONE) -> Monomial:
    """The product at n, as far down as `opens` allows, and as it is computed in the dtype of n.
    What is known of a node below is taken over."""
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
            coefficient *= value if e == 1 else number_to(value, e)
            parts += value != 1
        elif op not in PRODUCTS:
            multiply_in(m, e, powers, met)
            parts += 1
        elif op in ROOTS and (m is n or m not in done) and inside(m) and splits(m, mode):
            stack += split(m, e)
            divisions += op is not multiply
            quotients += op is divide and has_name(*m.inputs)
        elif op is negative and inside(m):
            coefficient *= -1 if e % 2 else 1
            stack.append((m.inputs[0], e))
            parts += 1
        elif op is square and m.inputs[0].op in ROOTS and inside(m) and inside(m.inputs[0]):
            stack.append((m.inputs[0], 2 * e))
        elif m is not n and m in done and inside(m):
            r = done[m]
            coefficient *= r.coefficient if e == 1 else number_to(r.coefficient, e)
            multiply_all_in(r, e, powers, met)
            parts, divisions = parts + r.parts, divisions + r.divisions
            quotients += r.quotients
        else:
            x, k = base(m, mode, n.type.dtype) if op in POWERS else (m, 1)
            multiply_in(x, k * e, powers, met)
            parts += 1
    return Monomial(coefficient, powers, parts, divisions, quotients, tuple(met))


def within(n: Expr, opens: Opens) -> Opens:
    """Does the product at n go on below m? Where another dtype begins, it ends."""
    type, dtype = n.type, n.type.dtype

    def inside(m: Expr) -> bool:
        return m is n or (m.type is type or m.type.dtype == dtype) and opens(m)

    return inside


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


def splits(m: Expr, mode: str) -> bool:
    """May a quotient be taken apart? In safe mode where its denominator is proved not to be 0."""
    if m.op is multiply:
        return True
    if not m.type.is_float:
        return False
    return mode == "real" or is_provable("nonzero", m.inputs[-1])


def split(m: Expr, e: Any) -> list[tuple[Expr, Any]]:
    """The operands with their exponents, the last first."""
    if m.op is multiply:
        return [(m.inputs[1], e), (m.inputs[0], e)]
    return [(m.inputs[-1], -e), *[(i, e) for i in m.inputs[:-1]]]


def base(m: Expr, mode: str, dtype: np.dtype) -> tuple[Expr, Any]:
    """What is raised to which power: (x²)³ is x to the 6, where both are computed in this dtype.
    Of squares of squares as many are read as make an exponent that a float can hold exactly."""
    whole = 1
    while (e := exponent(m, mode, dtype)) and e % 1 == 0 and whole < EXACT:
        m, whole = m.inputs[0], whole * int(e)
    return (m.inputs[0], e * whole) if e and e % 1 else (m, whole)


def exponent(m: Expr, mode: str, dtype: np.dtype) -> Any:
    """That of a power with a constant exponent; a root is one in real mode."""
    if m.dtype != dtype:
        return None
    if m.op is square:
        return 2
    if m.op is sqrt:
        return 0.5 if mode == "real" else None
    if m.op is power and not m.inputs[1].ndim:
        e = number_of(m.inputs[1])
        free = mode == "real" and m.type.is_float
        if e is not None and isfinite(e) and (free or e > 0 and e % 1 == 0):
            return e
    return None


# ---- how far one reads


class Policy:
    """A reading through these operations, whatever else uses what is read; it is kept."""

    def __init__(self, mode: str, through: frozenset):
        self.mode, self.through = mode, through

    def __call__(self, n: Expr) -> Monomial:
        found: Monomial = answered(n, self.below, self.reading)
        return found

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
            return atom(n)
        closed = self.widest(n, done)
        found = read(n, lambda m: m.op in self.through and m is not closed, self.mode, done)
        exact = max(map(abs, found.powers.values()), default=0) <= EXACT
        if exact and held(found.coefficient, n.type.dtype):
            return found
        return read(n, lambda m: False, self.mode)

    def widest(self, n: Expr, done: Mapping[Expr, Monomial]) -> Expr | None:
        """The operand that is not opened, if all of them together have too many bases."""
        tables = {i: done[i].powers for i in self.below(n)}
        if sum(map(len, tables.values())) <= WIDTH or len(set().union(*tables.values())) <= WIDTH:
            return None
        return max(tables, key=lambda i: len(tables[i]))


WHOLE = {mode: Policy(mode, PRODUCTS) for mode in MODES}
FACTORS = {mode: Policy(mode, frozenset((multiply,))) for mode in MODES}


def whole(n: Expr, mode: str) -> Monomial:
    """The product at n, through quotients and powers, whatever else uses what is read."""
    return WHOLE[mode](n)


def factors(n: Expr, mode: str) -> Monomial:
    """The same, through products alone."""
    return FACTORS[mode](n)


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


def scales(m: Expr) -> bool:
    """Is one of the operands a number?"""
    return any(i.op is None and number_of(i) is not None for i in m.inputs)
