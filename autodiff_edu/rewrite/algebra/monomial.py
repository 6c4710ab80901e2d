"""The record of a product: a coefficient, and a table base → exponent.

    2 * x * (y / x) * x**3     2, {x: 3, y: 1}

`reading` makes it from a node, `writing` makes the shortest node of it. All of it is computed in
the dtype of the product: a base of another dtype stands for itself, cast.
"""

from collections.abc import Iterable
from functools import cache
from math import inf
from typing import Any, NamedTuple

import numpy as np

from ...expr import Constant, Expr
from .writing import Powers


class Monomial(NamedTuple):
    """coefficient · Π base^exponent, as read from a product: `parts` counts what was multiplied
    there, `divisions` how often it was divided, and `quotients` how many of these divisions have a
    name; `met` holds the bases that stood above a fraction line and below one, or under a root."""

    coefficient: Any
    powers: Powers
    parts: int
    divisions: int
    quotients: int
    met: tuple[Expr, ...]


def atom(n: Expr) -> Monomial:
    """The record of a node that is not read any further."""
    return Monomial(1, {n: 1}, 1, 0, 0, ())


def number_of(n: Expr) -> Any:
    """The number that a constant repeats, or None. Exact zeros have rules of their own."""
    if not isinstance(n, Constant) or n.exact or n.type.dtype.kind == "b":
        return None
    if not n.type.shape:
        value = n.value.item()
        return value if value == value else None
    if not n.value.size:
        return None
    value = n.value.flat[0].item()
    return value if n.is_all(value) else None


def held(number: Any, dtype: np.dtype) -> bool:
    """Can this dtype hold the number without overflow or underflow?"""
    if number == 1 or number == 0:
        return True
    least, low, high = limits(dtype)
    return bool(low <= number <= high and least <= max(number, -number))


@cache
def limits(dtype: np.dtype) -> tuple[Any, Any, Any]:
    """The smallest size of a number but 0, and the range of all numbers."""
    if dtype.kind != "f":
        whole = np.iinfo(dtype)
        return 0, int(whole.min), int(whole.max)
    real = np.finfo(dtype)
    return float(real.tiny), -float(real.max), float(real.max)


def number_to(value: Any, e: Any) -> Any:
    """value^e; inf where Python's numbers end."""
    try:
        return value**e
    except OverflowError:
        return inf


def named(atoms: Iterable[Expr]) -> dict[str, Expr]:
    """The parts of a region, called x, y, z and so on."""
    return dict(zip("xyzuvwabcdefgh", atoms, strict=False))
