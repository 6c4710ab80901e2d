"""Functions of Python floats: those of `math`, and five that it has not."""

import math
from typing import Any


def sigmoid(x: float) -> float:
    """1 / (1 + e^−x), without overflow."""
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    return math.exp(x) / (1.0 + math.exp(x))


def sigmoid_slope(x: float) -> float:
    """e^x / (1 + e^x)², without overflow."""
    e = math.exp(-abs(x))
    return e / ((1.0 + e) * (1.0 + e))


def tanh_slope(x: float) -> float:
    """1 / cosh² x, without overflow."""
    e = math.exp(-2.0 * abs(x))
    return 4.0 * e / ((1.0 + e) * (1.0 + e))


def softplus(x: float) -> float:
    """log(1 + e^x), without overflow."""
    return x + math.log1p(math.exp(-x)) if x > 0 else math.log1p(math.exp(x))


def sign(x: float) -> float:
    """−1, 0 or 1; nan for nan."""
    return x if x != x else math.copysign(1.0, x) if x else 0.0


OF_MATH = """
    exp expm1 log log1p sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh sqrt pow
    hypot fabs erf erfc inf nan
""".split()
FUNCTIONS: dict[str, Any] = {name: getattr(math, name) for name in OF_MATH} | {
    function.__name__: function for function in (sigmoid, sigmoid_slope, tanh_slope, softplus, sign)
}
