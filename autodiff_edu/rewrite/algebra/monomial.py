"""Products as tables: a coefficient, and base → exponent.

    2 * x * (y / x) * x**3     2, {x: 3, y: 1}

Such a table is read from the nodes of a product; writing.py writes it back as the shortest one. All
of it is computed in the dtype of the product: a base of another dtype stands for itself, cast.
"""

from collections.abc import Callable, Iterable
from math import inf, isfinite
from typing import Any, NamedTuple

import numpy as np

from ...expr import Constant, Expr
from ...ops import divide, multiply, negative, power, reciprocal, sqrt, square
from ..facts.prover import is_provable
from .writing import Powers, belongs

Opens = Callable[[Expr], bool]  # does the product go on below this node?
PRODUCTS = frozenset((multiply, divide, negative, reciprocal, square, power, sqrt))
ROOTS = frozenset((multiply, divide, reciprocal))
POWERS = frozenset((square, power, sqrt))
LONG = 64  # parts of a region that may go on above
EXACT = 2**24  # up to here whole numbers are exact in single precision
MOST = 8  # factors that are looked at where a product is shared


class Monomial(NamedTuple):
    """coefficient · Π base^exponent, as read from a product: `parts` counts what was multiplied
    there, `quotients` how many divisions have a name, `met` holds the bases that stood above a
    fraction line and below one, or under a root."""

    coefficient: Any
    powers: Powers
    parts: int
    divisions: int
    quotients: int
    met: tuple[Expr, ...]


def number_of(n: Expr) -> Any:
    """The number that a constant repeats, or None. Exact zeros have rules of their own."""
    if not isinstance(n, Constant) or n.exact or n.dtype.kind == "b":
        return None
    if n.ndim and not n.value.size:
        return None
    value = (n.value if not n.ndim else n.value.flat[0]).item()
    return value if n.is_all(value) else None


def held(number: Any, dtype: np.dtype) -> bool:
    """Can this dtype hold the number without overflow or underflow?"""
    if dtype.kind == "f":
        limits = np.finfo(dtype)
        return number == 0 or float(limits.tiny) <= max(number, -number) <= float(limits.max)
    whole = np.iinfo(dtype)
    return bool(whole.min <= number <= whole.max)


def number_to(value: Any, e: Any) -> Any:
    """value^e; inf where Python's numbers end."""
    try:
        return value**e
    except OverflowError:
        return inf


# ---- reading


def read(n: Expr, opens: Opens, mode: str) -> Monomial:
    """The product at n, as far down as `opens` allows, and as it is computed in the dtype of n."""
    coefficient: Any = 1
    powers: Powers = {}
    above, below, roots = set[Expr](), set[Expr](), list[Expr]()
    parts = divisions = quotients = 0
    stack: list[tuple[Expr, Any]] = [(n, 1)]
    dtype = n.type.dtype

    def inside(m: Expr) -> bool:
        return m is n or m.type.dtype == dtype and opens(m)

    while stack:
        m, e = stack.pop()
        op = m.op
        if op is None and (value := number_of(m)) and not m.ndim and isfinite(value):
            coefficient *= value if e == 1 else number_to(value, e)
            parts -= value == 1
        elif op in ROOTS and inside(m) and splits(m, mode):
            stack += split(m, e)
            divisions += op is not multiply
            quotients += op is divide and belongs(*m.inputs)
            continue
        elif op is negative and inside(m):
            coefficient *= -1 if e % 2 else 1
            stack.append((m.inputs[0], e))
        elif op is square and m.inputs[0].op in ROOTS and inside(m) and inside(m.inputs[0]):
            stack.append((m.inputs[0], 2 * e))
            continue
        else:
            x, k = base(m, mode, dtype) if op in POWERS else (m, 1)
            powers[x] = powers.get(x, 0) + k * e
            (above if k * e > 0 else below).add(x)
            if k * e % 1:
                roots.append(x)
        parts += 1
    met = (*(x for x in powers if x in above and x in below), *roots)
    return Monomial(coefficient, powers, parts, divisions, quotients, met)


def splits(m: Expr, mode: str) -> bool:
    """May a quotient be taken apart? In safe mode where its denominator is proved not to be 0."""
    if m.op is multiply:
        return True
    return m.type.is_float and (mode == "real" or is_provable("nonzero", m.inputs[-1]))


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
        if e is not None and (free or e > 0 and e % 1 == 0):
            return e
    return None


# ---- how far one reads


def region(n: Expr, engine: Any, inner: tuple) -> Opens:
    """How far the region of n goes: over what nothing else uses. Below an operation of `inner`,
    above which it may go on, only for a while: else long chains would be read at each link."""
    left = iter(range(LONG)) if engine.uses.user.get(n) in inner else None

    def opens(m: Expr) -> bool:
        if m.type.dtype != n.type.dtype:
            return False
        alone: bool = engine.uses.once(m)
        engine.refused |= not alone
        return alone and (left is None or next(left, None) is not None)

    return opens


def few(most: int = MOST) -> Opens:
    """A product is looked into until it has many factors, whatever else uses it."""
    left = iter(range(most))
    return lambda m: next(left, None) is not None


def named(atoms: Iterable[Expr]) -> dict[str, Expr]:
    """The parts of a region, called x, y, z and so on."""
    return dict(zip("xyzuvwabcdefgh", atoms, strict=False))
