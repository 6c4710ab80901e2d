"""The functions of variables as operators, methods and attributes: x + y, x.sum(), x.shape."""

from typing import Any

from ...expr import Expr
from ..core import lift
from ..core.variable import METHODS, PROPERTIES
from . import counting, creation, elementwise, indexing, linear, reductions, shaping
from .lengths import shape


@lift
def size(x: Expr) -> Any:
    """The number of entries."""
    return reductions.prod.plain(shape.plain(x))


@lift
def astype(x: Any, dtype: Any) -> Any:
    """x in another dtype."""
    return elementwise.cast.plain(x, dtype)


def copy(x: Any, name: str | None = None) -> Any:
    """x as a variable of its own, called `name`."""
    found = elementwise.SAME["tensor_copy"](x)
    if name is not None:
        found.name = name
    return found


METHODS |= elementwise.ELEMENTWISE | elementwise.FURTHER | reductions.NAMES | {
    "array_ufunc": elementwise.array_ufunc, "getitem": indexing.getitem, "matmul": linear.matmul,
    "dot": linear.dot, "__dot__": linear.dot, "norm": reductions.norm, "astype": astype,
    "dimshuffle": shaping.dimshuffle, "reshape": shaping.reshape_method,
    "flatten": shaping.flatten, "ravel": shaping.flatten, "transpose": shaping.transpose_method,
    "swapaxes": shaping.swapaxes, "squeeze": shaping.squeeze, "repeat": shaping.repeat,
    "diagonal": linear.diagonal, "trace": linear.trace, "cumsum": counting.cumsum,
    "cumprod": counting.cumprod, "sort": counting.sort, "argsort": counting.argsort,
    "searchsorted": counting.searchsorted, "take": indexing.take, "nonzero": indexing.nonzero,
    "nonzero_values": indexing.nonzero_values, "choose": indexing.choose,
    "compress": lambda x, a, axis=None: indexing.compress(a, x, axis),
    "zeros_like": creation.zeros_like, "ones_like": creation.ones_like, "fill": creation.fill,
    "copy": copy, "norm2": reductions.norm,
    "transfer": lambda x, target: x,
}  # fmt: skip
PROPERTIES |= {
    "shape": shape, "size": size, "T": shaping.transpose, "real": elementwise.SAME["real"],
    "imag": elementwise.SAME["imag"],
}  # fmt: skip
__all__ = ["METHODS", "PROPERTIES"]
