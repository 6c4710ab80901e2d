"""The one reader of products: it makes records of nodes, and is told how far it goes.

    whole      through products, quotients and powers, whatever else uses them
    fractions  through products, signs and quotients, whatever else uses them
    factors    through products and signs alone, whatever else uses them
    region     through products and quotients that nothing else uses
    near       the same, and through those of a number and something else; not far

The first three depend on the node alone. Nodes never change, and so their answers are kept while a
graph is simplified: each node is read once, from the records of its operands. The others depend on
who uses what, and are read anew when that changes.
"""

from collections.abc import Callable, Mapping
from functools import partial
from math import isfinite
from typing import Any

import numpy as np

from ...core.rule import MODES
from ...expr import Expr
from ...ops import divide, multiply, negative, reciprocal, sqrt, square
from ..engine.match_context import MatchContext
from ..engine.memo import answered
from ..facts.prover import is_provable
from .monomial import (
    EXPONENTS,
    POWERS,
    PRODUCTS,
    Monomial,
    Opens,
    Powers,
    atom,
    held,
    number_of,
    number_to,
    scales,
)  # fmt: skip
from .named_quotients import has_name

ROOTS = frozenset((multiply, divide, reciprocal))
EXACT = 2**24  # up to here whole numbers are exact in single precision
WIDTH = 12  # bases of a record that is kept, and operations that are near
DEPTH_LIMIT = 8  # nodes of a walk that keeps nothing
NONE: Mapping[Expr, Any] = {}


def read(n: Expr, opens: Opens, mode: str, done: Mapping[Expr, Monomial] = NONE) -> Monomial:
    """The product at n, as far down as `opens` allows, and as it is computed in the dtype of n.
    Records of nodes below that are `done` are multiplied in."""
    c: Any = 1
    powers: Powers = {}
    met: dict[Expr, None] = {}
    parts = divisions = quotients = 0
    stack: list[tuple[Expr, Any]] = [(n, 1)]
    inside = within(n, opens)
    while stack:
        m, e = stack.pop()
        op = m.op
        if op is None and (value := number_of(m)) and not m.type.shape and isfinite(value):
            c *= number_to(value, e)
            parts += value != 1
        elif m in done and m is not n and inside(m):
            r = done[m]
            c *= number_to(r.coefficient, e)
            multiply_in(r.powers, e, powers, met)
            met |= dict.fromkeys(r.met)
            parts, divisions = parts + r.parts, divisions + r.divisions
            quotients += r.quotients
        elif op in PRODUCTS and is_product(m, mode) and inside(m):
            stack += [(i, e * k) for i, k in zip(m.inputs, EXPONENTS[op], strict=True)][::-1]
            if op is negative:
                c *= -1 if e % 2 else 1
                parts += 1
            elif op is divide or op is reciprocal:
                divisions += 1
                quotients += op is divide and has_name(*m.inputs)
        else:
            x, k = base(m, mode, n.type.dtype) if op in POWERS else (m, 1)
            multiply_in({x: k}, e, powers, met)
            parts += 1
    return Monomial(c, powers, None, 1, parts, divisions, quotients, tuple(met))


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


def multiply_in(more: Powers, e: Any, powers: Powers, met: dict[Expr, None]) -> None:
    """powers · more^e. What stands on both sides of the line has met, and so has what is under a
    root."""
    for x, k in more.items():
        before = powers.get(x, 0)
        powers[x] = before + k * e
        if before * k * e < 0 or k * e % 1:
            met[x] = None


def base(m: Expr, mode: str, dtype: np.dtype) -> tuple[Expr, Any]:
    """The base and the exponent of a power: (x²)³ is x to the 6, where both are computed in this
    dtype. Of squares of squares as many are read as make an exponent that a float can hold
    exactly."""
    whole = 1
    while (e := exponent(m, mode, dtype)) and e % 1 == 0 and whole < EXACT:
        m, whole = m.inputs[0], whole * int(e)
    return (m.inputs[0], e * whole) if e and e % 1 else (m, whole)


def exponent(m: Expr, mode: str, dtype: np.dtype) -> Any:
    """The exponent of a power, if it is a number; a root is a power in real mode."""
    if m.op not in POWERS or m.dtype != dtype:
        return None
    if m.op is square:
        return 2
    if m.op is sqrt:
        return 0.5 if mode == "real" else None
    e = None if m.inputs[1].ndim else number_of(m.inputs[1])
    free = mode == "real" and m.type.is_float
    return e if e and isfinite(e) and (free or e > 0 and e % 1 == 0) else None


# ---- how far one reads


def policy(*through: Any) -> Callable[[Expr, str], Monomial]:
    """The reading through these operations, in each mode, whatever else uses what is read. It is
    kept."""
    opened = frozenset(through)

    def below(n: Expr) -> tuple[Expr, ...]:
        """The operands whose records go into that of n."""
        dtype = n.type.dtype
        inputs = n.inputs if n.op in opened else ()
        return tuple([i for i in inputs if i.op in opened and i.type.dtype == dtype])

    def record(mode: str, n: Expr, done: Mapping[Expr, Monomial]) -> Monomial:
        """The record of n from those below. It has few bases and numbers that its dtype holds, so
        that a long product is read in parts: of too many bases, one operand is not opened."""
        if n.op is not None and n.op not in opened:
            b, e = base(n, mode, n.type.dtype)
            return Monomial(1, {b: e})
        tables = {i: done[i].powers for i in below(n)}
        many = sum(map(len, tables.values())) > WIDTH
        if many and len(set().union(*tables.values())) > WIDTH:
            del tables[max(tables, key=lambda i: len(tables[i]))]
        product = read(n, tables.__contains__, mode, done)
        exact = max(map(abs, product.powers.values()), default=0) <= EXACT
        if exact and held(product.coefficient, n.type.dtype):
            return product
        return read(n, lambda m: False, mode)

    readings = {mode: partial(record, mode) for mode in MODES}
    return lambda n, mode: answered(n, below, readings[mode])


whole = policy(*PRODUCTS)
fractions = policy(*ROOTS, negative)
factors = policy(multiply, negative)


def near(n: Expr, context: MatchContext, whoever: Expr | None = None) -> Monomial:
    """The product at n as far as nothing else uses it, or a number scales it; not far. One node may
    be told that is opened whoever uses it."""
    left = iter(range(WIDTH))

    def opens(m: Expr) -> bool:
        return (m is whoever or context.uses.once(m) or scales(m)) and next(left, None) is not None

    return read(n, opens, context.mode) if opens(n) else atom(n)
