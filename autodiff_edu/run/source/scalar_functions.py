"""Functions of Python floats: those of `math`, and five that it has not.

Where one of them raises an error, NumPy answers inf or nan. Then the program runs once more: its
code is the same, but the names in it mean NumPy's functions, and its constants are NumPy's numbers.
"""

import math
import operator
import re
from collections.abc import Callable
from functools import cache, partial
from types import FunctionType
from typing import Any

import numpy as np

from ...ops import OPS
from ...ops.statement import scalar_form


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

# ---- once more, by NumPy

OPERATORS = {"**": operator.pow}
CALL = r"(\w+)\(\{0\}(?:, \{1\})?\)"  # the form of an operation that is one function


@cache
def operations() -> dict[str, Any]:
    """The operation for which each function in a text stands."""
    called = [(re.fullmatch(CALL, scalar_form(op)), op) for op in OPS.values()]
    return {call[1]: op for call, op in called if call}


@cache
def of_numpy() -> dict[str, Any]:
    """What the names in a text mean then: what the operations compute or, where a program of arrays
    has an operator, that one."""
    found: dict[str, Any] = {"inf": np.float64("inf"), "nan": np.float64("nan")}
    for name, op in operations().items():
        found[name] = OPERATORS.get(op.symbol, op.perform)
    return found


def once_more(otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """What a program calls with itself and its arguments when one of its functions has failed;
    where that fails, too, it is the other."""
    by_numpy = cache(partial(numpy_twin, otherwise))

    def careful(function: FunctionType, *values: float) -> Any:
        with np.errstate(all="ignore"):
            result = by_numpy(function)(*map(np.float64, values))
        return [*map(of_python, result)] if isinstance(result, list) else of_python(result)

    return careful


def numpy_twin(otherwise: Callable[..., Any], function: FunctionType) -> FunctionType:
    """The same lines with NumPy's functions and numbers."""
    code = function.__code__
    numbers = tuple([np.float64(c) if type(c) is float else c for c in code.co_consts])
    around = {"accept": lambda *values: values, "careful": otherwise}
    space = function.__globals__ | of_numpy() | around
    return FunctionType(code.replace(co_consts=numbers), space)


def of_python(result: Any) -> Any:
    """Python's own number, whoever made it."""
    return result.item() if isinstance(result, (np.generic, np.ndarray)) else result
