"""NumPy's own functions on expressions: np.exp(x) and np.sum(x, axis=0) build nodes.

NumPy hands a call over to `__array_ufunc__` or `__array_function__` of its arguments; both look
the operation up by the name that it has in NumPy.
"""

import difflib
from typing import Any

import numpy as np

from ..expr import enters, upstairs
from . import leaves, products
from .declare import OPS

ALIASES = {"absolute": "abs", "amax": "max", "amin": "min", "acos": "arccos", "asin": "arcsin",
           "atan": "arctan", "atan2": "arctan2", "pow": "power", "bitwise_and": "logical_and",
           "bitwise_or": "logical_or", "invert": "logical_not"}  # fmt: skip
FUNCTIONS = {
    "zeros_like": leaves.zeros_like,
    "ones_like": leaves.ones_like,
    "outer": products.outer,
    "shape": lambda x: x.shape,
    "ndim": lambda x: x.ndim,
}


@enters("array_ufunc")
def array_ufunc(self: Any, ufunc: np.ufunc, how: str, *args: Any, **options: Any) -> Any:
    """np.exp(x), and arr * x. Raises TypeError for out=, where= and ufunc methods."""
    if how != "__call__" or options:
        extra = f".{how}" if how != "__call__" else f" with {', '.join(options)}="
        raise TypeError(f"np.{ufunc.__name__}{extra} does not build expressions: call it plainly")
    return find(ufunc.__name__)(*args)


@enters("array_function")
def array_function(self: Any, function: Any, types: Any, args: tuple, options: dict) -> Any:
    """np.sum(x, axis=0), np.where(c, x, y), np.reshape(x, shape)."""
    return find(function.__name__)(*args, **options)


def find(name: str) -> Any:
    """Our function of NumPy's name. Raises TypeError with the nearest name that there is."""
    name = ALIASES.get(name, name)
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    if name in OPS or name in ("dot", "prod", "ravel", "size"):
        return upstairs[name]
    near = difflib.get_close_matches(name, OPS, n=1)
    hint = f"; the nearest that they know is {near[0]}" if near else ""
    raise TypeError(f"expressions do not know np.{name}{hint}")
