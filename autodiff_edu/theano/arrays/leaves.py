"""Variables that a user makes: scalars, vectors and so on of each dtype, and constants."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...expr import Constant as ConstantNode
from ...expr import Disconnected, Expr, Null, operands
from ...library import stack
from ..core import Apply, Variable, config, lift, unwrap, wrap
from ..core.types import TensorType
from ..core.variable import KINDS, TABLES
from .complex_numbers import ComplexVariable

LETTERS = {"b": "int8", "w": "int16", "i": "int32", "l": "int64", "f": "float32", "d": "float64",
           "c": "complex64", "z": "complex128"}  # fmt: skip
SHAPES = {
    "scalar": (), "vector": (False,), "matrix": (False,) * 2, "row": (True, False),
    "col": (False, True), **{f"tensor{n}": (False,) * n for n in (3, 4, 5, 6, 7)},
}  # fmt: skip


def leaf(kind: str, fixed: str | None = None) -> Callable[..., Any]:
    """T.matrix(name, dtype) and the like; of a fixed dtype, T.fmatrix(name), also a type."""
    flags = SHAPES[kind]
    if fixed is not None:
        return Leaf(fixed, flags, fixed)

    def make(name: str | None = None, dtype: Any = None) -> Any:
        return TensorType(config.floatX if dtype is None else dtype, flags)(name)

    make.__name__ = kind
    make.__doc__ = f"A {kind}, by default of the dtype config.floatX."
    return make


class Leaf(TensorType):
    """A type whose dtype is the one that a letter says: T.fmatrix."""

    def __init__(self, dtype: str, flags: Sequence[bool], name: str):
        if dtype.startswith("complex"):
            self.dtype, self.broadcastable, self.name = dtype, tuple(flags), name
        else:
            super().__init__(dtype, flags, name)

    def __call__(self, name: str | None = None) -> Any:
        if self.dtype.startswith("complex"):
            return ComplexVariable(self, name)
        return TensorType(self.dtype, self.broadcastable)(name)


def several(one: Callable[..., Any]) -> Callable[..., list[Any]]:
    """T.scalars("xy"), T.scalars("x", "y"), T.scalars(2)."""

    def make(*names: Any, **how: Any) -> list[Any]:
        if len(names) == 1:
            names = (None,) * names[0] if isinstance(names[0], int) else tuple(names[0])
        return [one(name, **how) for name in names]

    return make


LEAVES: dict[str, Any] = {kind: leaf(kind) for kind in SHAPES}
LEAVES |= {c + kind: leaf(kind, dtype) for c, dtype in LETTERS.items() for kind in SHAPES}
PLURAL = {"matrix": "matrices"}
MANY: dict[str, Any] = {
    c + PLURAL.get(kind, f"{kind}s"): several(LEAVES[c + kind])
    for kind in SHAPES for c in ("", *LETTERS)
}  # fmt: skip


def tensor(*args: Any, **how: Any) -> Any:
    """A variable: tensor(dtype, broadcastable, name)."""
    name = how.pop("name", None)
    if len(args) == 3:
        *args, name = args  # type: ignore[assignment]
    return TensorType(*args, **how)(name)


# ---- constants


def constant(x: Any, name: str | None = None, ndim: int | None = None, dtype: Any = None) -> Any:
    """A known value as a variable; a Python float is of the dtype floatX."""
    if dtype == "floatX" or (dtype is None and isinstance(x, float)):
        dtype = config.floatX
    if isinstance(x, Variable):
        raise TypeError(f"{x} is a variable already")
    array = np.asarray(x, dtype=dtype)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"a constant is made of numbers, not of {x!r}")
    if ndim is not None and array.ndim < ndim:
        array = array.reshape((1,) * (ndim - array.ndim) + array.shape)
    found = wrap(ConstantNode(array))
    if name is not None:
        found.name = name
    return found


def as_tensor_variable(x: Any, name: str | None = None, ndim: int | None = None) -> Any:
    """x as a variable: a number, an array, or a list with variables in it."""
    if isinstance(x, Apply):
        x = x.default_output()
    if isinstance(x, Expr):
        return x
    if not isinstance(x, Variable):
        if x is None or isinstance(x, (str, type)):
            raise AsTensorError(f"Cannot convert {x!r} to TensorType")
        x = joined(x) if has_variable(x) else constant(x, name)
    if ndim is not None and x.ndim != ndim:
        if x.ndim > ndim:
            raise ValueError(f"TensorType could not be cast to have {ndim} dimensions: {x.type}")
        x = x.dimshuffle(*["x"] * (ndim - x.ndim), *range(x.ndim))
    if name is not None and x.name is None:
        x.name = name
    return x


class AsTensorError(TypeError):
    """Raised for what is no array and no variable."""


def has_variable(x: Any) -> bool:
    if isinstance(x, (list, tuple)):
        return any(map(has_variable, x))
    return isinstance(x, Variable)


@lift
def joined(rows: Any) -> Any:
    """Variables and numbers in nested lists as one array."""
    return array_of(rows)


def array_of(rows: Any) -> Expr:
    """Expressions and numbers in nested lists as one array."""
    parts = [array_of(row) if isinstance(row, (list, tuple)) else row for row in rows]
    return stack(list(operands(tuple(parts), "stack")))


def expression(x: Any) -> Expr:
    """What a function of expressions was given, as an expression."""
    if isinstance(x, (list, tuple)) and any(isinstance(part, (Expr, list, tuple)) for part in x):
        return array_of(x)
    return x if isinstance(x, Expr) else unwrap(as_tensor_variable(x))


TABLES["as_tensor_variable"] = as_tensor_variable
TABLES["null"] = lambda why: wrap(Null(why))
TABLES["disconnected"] = lambda: wrap(Disconnected())
__all__ = [
    "AsTensorError", "KINDS", "LEAVES", "MANY", "as_tensor_variable", "constant", "expression",
    "tensor",
]  # fmt: skip
