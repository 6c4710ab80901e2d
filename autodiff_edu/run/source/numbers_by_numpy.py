"""A program of single numbers once more, by NumPy's functions.

Those answer inf or nan where Python's raise an error. The lines are the same, and so is their code:
only the names in it mean other functions, and its constants are NumPy's numbers.
"""

import re
from collections.abc import Callable
from functools import cache, partial
from types import FunctionType
from typing import Any

import numpy as np

from ...ops import OPS
from ...ops.statement import scalar_form

CALL = re.compile(r"(\w+)\(\{0\}(?:, \{1\})?\)")  # the form of an operation that is one function


@cache
def functions() -> dict[str, Any]:
    """What the names of functions in the text mean: what the operations compute."""
    found: dict[str, Any] = {"inf": np.float64("inf"), "nan": np.float64("nan")}
    for op in OPS.values():
        called = CALL.fullmatch(scalar_form(op))
        if called:
            found[called[1]] = op.perform
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
    space = function.__globals__ | functions() | around
    return FunctionType(code.replace(co_consts=numbers), space)


def of_python(result: Any) -> Any:
    """Python's own number, whoever made it."""
    return result.item() if isinstance(result, (np.generic, np.ndarray)) else result
