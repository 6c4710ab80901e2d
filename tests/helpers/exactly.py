"""The value of a graph to many digits: each operation computed in decimal arithmetic.

The formula itself is what is computed, so that no other formula has to be trusted.
"""

from collections.abc import Callable, Mapping
from decimal import Context, Decimal, getcontext, localcontext
from functools import lru_cache
from typing import Any

import numpy as np

from autodiff_edu.expr import Constant, Expr, postorder

DIGITS = 1000  # 1 + e^−1000 differs from 1 in its 435th digit
ONE = Decimal(1)


def places(digits: int) -> Context:
    return Context(prec=digits, Emax=10**9, Emin=-(10**9), traps=[])


def exactly(root: Expr, at: Mapping[Expr, Any], digits: int = DIGITS) -> np.ndarray:
    """What the formula is worth where its inputs have these values, rounded only at the end."""
    with localcontext(places(digits)):
        values: dict[Expr, Any] = {}
        for n in postorder([root]):
            given = n.value if isinstance(n, Constant) else at.get(n)
            values[n] = lifted(
                given if n.op is None else computed(n, [values[i] for i in n.inputs])
            )
        return np.vectorize(float, otypes=[float])(values[root])


def computed(n: Expr, inputs: list[Any]) -> Any:
    name = n.op.name
    if name in FUNCTIONS:
        return np.vectorize(FUNCTIONS[name], otypes=[object])(*inputs)
    if name == "cast":
        return inputs[0]
    return n.op.perform(*inputs, **dict(n.static))


def lifted(value: Any) -> Any:
    """Floating point numbers as exact decimals; whole numbers and truth values as they are."""
    value = np.asarray(value)
    return np.vectorize(Decimal, otypes=[object])(value) if value.dtype.kind == "f" else value


# ---- functions of one number or two


def remembering(function: Callable[[Decimal], Decimal]) -> Callable[[Decimal], Decimal]:
    """The function with a memory: a formula, its slope and the next formula ask for the same."""
    remembered = lru_cache(4096)(lambda x, digits: function(x))
    return lambda x: remembered(x, getcontext().prec)


exp, ln = remembering(Decimal.exp), remembering(Decimal.ln)


def sine(x: Decimal) -> Decimal:
    term = total = x
    k = 1
    while term and term.adjusted() > total.adjusted() - getcontext().prec:
        term = -term * x * x / ((k + 1) * (k + 2))
        total, k = total + term, k + 2
    return total


def cosine(x: Decimal) -> Decimal:
    return 1 - 2 * sine(x / 2) ** 2


def erf(x: Decimal) -> Decimal:
    """2/√π Σ (−1)ᵏ x^(2k+1) / (k! (2k + 1))."""
    total, power, k = x, x, 0
    while power and power.adjusted() > total.adjusted() - getcontext().prec:
        k += 1
        power = -power * x * x / k
        total += power / (2 * k + 1)
    return 2 * total / PI.sqrt()


def pi() -> Decimal:
    """Machin: π/4 = 4 arctan 1/5 − arctan 1/239."""
    return 4 * (4 * arctan_of_one_over(5) - arctan_of_one_over(239))


def arctan_of_one_over(n: int) -> Decimal:
    total = power = ONE / n
    k = 1
    while power.adjusted() > -DIGITS:
        power = -power / (n * n)
        k += 2
        total += power / k
    return total


with localcontext(places(DIGITS)):
    PI = pi()

FUNCTIONS: dict[str, Callable[..., Decimal]] = {
    "exp": exp,
    "exp2": lambda x: exp(x * ln(Decimal(2))),
    "expm1": lambda x: exp(x) - 1,
    "log": ln,
    "log2": lambda x: ln(x) / ln(Decimal(2)),
    "log1p": lambda x: ln(1 + x),
    "sqrt": lambda x: x.sqrt(),
    "reciprocal": lambda x: 1 / x,
    "sin": sine,
    "cos": cosine,
    "sinh": lambda x: (exp(x) - exp(-x)) / 2,
    "cosh": lambda x: (exp(x) + exp(-x)) / 2,
    "tanh": lambda x: 1 - 2 / (exp(2 * x) + 1),
    "tanh_slope": lambda x: 4 * exp(2 * x) / (exp(2 * x) + 1) ** 2,
    "sigmoid": lambda x: 1 / (1 + exp(-x)),
    "sigmoid_slope": lambda x: exp(x) / (1 + exp(x)) ** 2,
    "softplus": lambda x: ln(1 + exp(x)),
    "erf": erf,
    "erfc": lambda x: 1 - erf(x),
    "erfcx": lambda x: exp(x * x) * (1 - erf(x)),
}
