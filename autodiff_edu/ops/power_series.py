"""Taylor coefficients of a quotient and of a power, which are found by recurrence.

Letters: x y the operands, out the result, each a function from k to its k-th coefficient, in which
None stands for 0.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core.derivative_rules import add_up
from ..expr import Constant, Expr

Coefficients = Callable[[int], Expr | None]


def convolved(
    x: Coefficients, y: Coefficients, k: int, places: Iterable[int], weight: Any = None
) -> list[Expr]:
    """The terms xⱼ·yₖ₋ⱼ for these j that are not 0, each with its weight."""
    terms = []
    for j in places:
        a, b = x(j), y(k - j)
        factor = 1 if weight is None else weight(j)
        if a is not None and b is not None and factor is not None:
            terms.append(a * b if weight is None else factor * (a * b))
    return terms


def quotient(k: int, x: Coefficients, y: Coefficients, out: Coefficients) -> Expr | None:
    """out·y = x, so outₖ = (xₖ − Σ yⱼ·outₖ₋ⱼ) / y₀ over j = 1, …, k."""
    rest, first = convolved(y, out, k, range(1, k + 1)), x(k)
    if not rest:
        return None if first is None else first / y(0)
    total = add_up(rest)
    return (-total if first is None else first - total) / y(0)


def constant_power(k: int, x: Any, y: Coefficients, out: Coefficients) -> Any:
    """x·out' = p·x'·out, so outₖ = Σ ((p+1)·j − k)·xⱼ·outₖ₋ⱼ / (k·x₀) over j = 1, …, k.

    NotImplemented for a whole p ≥ 0, where x₀ may be 0, and where p moves: then the derivative
    tells.
    """
    p = y(0)
    if y(k) is not None or not isinstance(p, Constant) or is_whole(p.value):
        return NotImplemented
    terms = convolved(x, out, k, range(1, k + 1), lambda j: (p.value + 1) * j - k)
    return add_up(terms) / (k * x(0)) if terms else None


def is_whole(p: Any) -> bool:
    return bool(np.all(np.mod(p, 1) == 0) and np.all(p >= 0))
