"""Is what simplification makes of a formula worse than the formula as it is written?

Judged by many digits: its error may be 8 times that of the formula as it is written, plus 64 units
in the last place times the condition.
"""

from collections.abc import Mapping
from typing import Any

import mpmath
import numpy as np
from mpmath import mp, mpf

import autodiff_edu as ad
from autodiff_edu.check.rule.values import at_random, computed
from autodiff_edu.expr import Constant, Expr, postorder

DIGITS = 1600  # 1 + x³ for x = 1e-250, and what differs from it in the third derivative
EPS = 2.0**-53
TIMES, UNITS = 8, 64
SMALLEST = 2.0**-1074
LARGEST = 1e307
ROUNDS = 12  # random roundings of the formula as it is written


def tanh_slope(p: Any) -> Any:
    return 1 / mpmath.cosh(p) ** 2


FUNCTIONS = {
    "add": lambda p, q: p + q,
    "subtract": lambda p, q: p - q,
    "multiply": lambda p, q: p * q,
    "divide": lambda p, q: p / q,
    "power": lambda p, q: p**q,
    "negative": lambda p: -p,
    "reciprocal": lambda p: 1 / p,
    "square": lambda p: p * p,
    "tanh_slope": tanh_slope,
    "log1p": lambda p: mpmath.log(1 + p),
    "expm1": lambda p: mpmath.exp(p) - 1,
    "arcsinh": mpmath.asinh,
    "arctan": mpmath.atan,
    **{name: getattr(mpmath, name) for name in ("exp", "log", "sqrt", "sinh", "cosh", "tanh")},
    **{name: getattr(mpmath, name) for name in ("sin", "cos")},
}


def truth(roots: list[Expr], at: Mapping[Expr, Any]) -> list[Any]:
    """The values of a formula and what is made of it, to many digits; None where it has none."""
    values: dict[Expr, Any] = {}
    for n in postorder(roots):
        if n.op is None:
            values[n] = mpf(float(n.value)) if isinstance(n, Constant) else at[n]
            continue
        inputs = [values[i] for i in n.inputs]
        if any(i is None for i in inputs):
            values[n] = None
            continue
        try:
            found = FUNCTIONS[n.op.name](*inputs)
        except (ZeroDivisionError, ValueError, OverflowError, mpmath.libmp.ComplexResult):
            found = None
        values[n] = found if isinstance(found, mpf) else None
    return [values[n] for n in roots]


def is_worse(n: Expr, x: Expr, at: float, written: float, value: float) -> bool:
    """Is this value of a formula, at a point, worse than that of the formula as it is written?"""
    if not np.isfinite(written):
        return False
    room = UNITS * (spread(n, x, at) + EPS * abs(written) + SMALLEST)
    if abs(value - written) <= room:  # many digits are not asked for
        return False
    with mp.workdps(DIGITS):
        (true,) = truth([n], {x: mpf(at)})
    if true is None or abs(true) > LARGEST:
        return False
    return bool(error(value, true) > TIMES * error(written, true) + room)


def error(value: float, true: Any) -> Any:
    with mp.workdps(50):
        return abs(mpf(float(value)) - true) if np.isfinite(value) else mpf("inf")


def spread(n: Expr, x: Expr, at: float) -> float:
    """What the value varies by when all that is computed is off by its last digit."""
    rng = np.random.default_rng(0)
    with np.errstate(all="ignore"):
        values = computed(n, {x: np.full(ROUNDS, at)}, at_random(rng))
        finite = np.atleast_1d(values)[np.isfinite(np.atleast_1d(values))]
        return float(np.ptp(finite)) if finite.size else 0.0


def derivatives(y: Expr, x: Expr, orders: int, between: bool = False) -> list[Expr]:
    """The formula and its derivatives, simplified in between or not."""
    found = [ad.simplify(y).output if between else y]
    for _ in range(orders):
        d = ad.grad(found[-1], x)
        found.append(ad.simplify(d).output if between else d)
    return found
