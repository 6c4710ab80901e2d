"""The true value of a node at a point: by numbers of many digits, which neither overflow nor
underflow.

    (1e200 · 1e200) / 1e300    as floating point numbers inf, in truth 1e100

An operation that has no formula here, as erf, has no true value; nor has one that is not defined.
"""

from collections.abc import Callable, Mapping
from decimal import Context, Decimal, DivisionByZero, Overflow, Underflow, localcontext
from functools import lru_cache
from typing import Any

import numpy as np

from ...expr import Expr, Input
from ...rewrite.algebra.law import MODERATE
from .values import in_reach, program

DIGITS = 1600  # 1 + x³ for x = 1e-250, and what differs from it in a sum
ENDS = [Overflow, Underflow, DivisionByZero]  # of what is past even these, nothing is known
MANY = Context(prec=DIGITS, Emin=-(10**17), Emax=10**17, traps=ENDS)
FAR = Context(prec=DIGITS, Emin=-(10**17), Emax=10**17, traps=[Overflow, DivisionByZero])


def true_value(node: Expr, at: Mapping[Expr, Any]) -> np.ndarray | None:
    """An array of decimal numbers, or None where there is no true value."""
    values = true_values(node, at)
    value = None if values is None else values[node]
    return value if value is not None and value.dtype == object and all_finite(value) else None


def true_values(
    node: Expr, at: Mapping[Expr, Any], numbers: Context = MANY
) -> dict[Expr, Any] | None:
    """The true values of a node and of all that it needs, or None where one cannot be computed."""
    values: dict[Expr, Any] = {}
    with localcontext(numbers):
        for n, perform, inputs, static, _ in program(node):
            if perform is None:
                values[n] = many_digits(at[n] if isinstance(n, Input) else n.value)
                continue
            try:
                perform = FUNCTIONS.get(n.op.name, perform)
                operands = [values[i] for i in inputs]
                if n.op.elementwise and n.type.is_float:  # e^x of a whole number x, too
                    operands = [decimals(v) if v.dtype.kind in "iu" else v for v in operands]
                values[n] = np.asarray(perform(*operands, **static))
            except (TypeError, AttributeError, ArithmeticError, ValueError):
                return None  # NumPy asks the numbers for a function that they do not have
            if n.type.is_float and values[n].dtype != object:
                return None
    return values


def passes_end(before: Expr, after: Expr, at: Mapping[Expr, Any]) -> bool:
    """Comes a number on the way to the right side that is past the largest, or past the smallest
    and those of the left side, by more than a factor that the law of products takes for 1? An inf
    that was given counts as huge, and e^−1e300 as 0."""
    held = {i: in_reach(np.asarray(v)) for i, v in at.items()}
    old, new = (true_values(side, held, FAR) for side in (before, after))
    if old is None or new is None:
        return True
    least = min([s for values in old.values() for s in sizes(values)], default=Decimal(1))
    return any(is_past(n.dtype, s, least) for n, values in new.items() for s in sizes(values))


def is_past(dtype: np.dtype, size: Decimal, least: Decimal) -> bool:
    """Would this size not be held even if the range of floats were wider by that factor?"""
    about = np.finfo(dtype if dtype.kind == "f" else float)
    low, high = Decimal(float(about.smallest_subnormal)), Decimal(float(about.max))
    with localcontext(FAR):
        return not min(low, least) / 2**MODERATE <= size <= high * 2**MODERATE


def sizes(values: np.ndarray) -> list[Decimal]:
    """Those of decimal numbers but 0."""
    return [v.copy_abs() for v in values.flat if isinstance(v, Decimal) and v]


def many_digits(v: Any) -> np.ndarray:
    """Numbers with many digits; what is not floating point stays."""
    v = np.asarray(v)
    return np.asarray(decimals(v)) if v.dtype.kind == "f" else v


def all_finite(values: np.ndarray) -> bool:
    return all(isinstance(v, Decimal) and v.is_finite() for v in values.flat)


def errors(value: Any, true: np.ndarray) -> np.ndarray:
    """How far each entry of a value is from the truth; inf of what is no number."""
    with localcontext(MANY):
        gaps = [abs(v - t) for v, t in zip(many_digits(value).flat, true.flat, strict=True)]
    return np.reshape([float(g) if g.is_finite() else np.inf for g in gaps], true.shape)


# ---- functions of one decimal number, or two


def of_each(function: Callable[..., Any], operands: int = 1) -> Callable[..., Any]:
    """The function for arrays of numbers."""
    return np.frompyfunc(function, operands, 1)


decimals = of_each(lambda v: Decimal(float(v)))


@lru_cache(64)
def exp(x: Decimal) -> Decimal:
    """20 ms for all these digits, and many rules are tried at the same few points."""
    return x.exp()


@lru_cache(64)
def log(x: Decimal) -> Decimal:
    return x.ln()


def expm1(x: Decimal) -> Decimal:
    return exp(x) - 1


def sinh(x: Decimal) -> Decimal:
    return (exp(x) - exp(-x)) / 2


def cosh(x: Decimal) -> Decimal:
    return (exp(x) + exp(-x)) / 2


def tanh(x: Decimal) -> Decimal:
    """In this way that what is large does not overflow."""
    t = exp(-2 * abs(x))
    return ((1 - t) / (1 + t)).copy_sign(x)


def sigmoid(x: Decimal) -> Decimal:
    """In this way that what is far below 0 does not overflow."""
    t = exp(-abs(x))
    return (1 if x >= 0 else t) / (1 + t)


def softplus(x: Decimal) -> Decimal:
    return max(x, Decimal(0)) + log(1 + exp(-abs(x)))


@lru_cache(64)
def power(x: Decimal, e: Decimal) -> Decimal:
    return x**e


def hypot(x: Decimal, y: Decimal) -> Decimal:
    return (x * x + y * y).sqrt()


OF_ONE: dict[str, Callable[..., Any]] = {
    "exp": exp,
    "log": log,
    "expm1": expm1,
    "log1p": lambda x: log(1 + x),
    "sinh": sinh,
    "cosh": cosh,
    "tanh": tanh,
    "sigmoid": sigmoid,
    "softplus": softplus,
    "tanh_slope": lambda x: 1 / cosh(x) ** 2,
    "sigmoid_slope": lambda x: sigmoid(x) * sigmoid(-x),
    "reciprocal": lambda x: 1 / x,
    "arcsinh": lambda x: log(abs(x) + (x * x + 1).sqrt()).copy_sign(x),
    "exp2": lambda x: power(Decimal(2), x),
}
FUNCTIONS = {name: of_each(function) for name, function in OF_ONE.items()}
FUNCTIONS |= {"hypot": of_each(hypot, 2), "power": of_each(power, 2)}
