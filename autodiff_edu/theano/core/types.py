"""Types of variables: a dtype, and for each axis whether it has length 1 and stretches."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...expr import DisconnectedType as NoPath
from ...expr import Expr, Input, as_dtype
from ...expr import NullType as NoDerivative
from ...expr import TensorType as EngineType
from .config import config
from .lifting import wrap
from .variable import TABLES, Variable

SPECIAL: dict[tuple[bool, ...], str] = {(True, False): "row", (False, True): "col"}
NAMED = {0: "scalar", 1: "vector", 2: "matrix"}


class Type:
    """What all types have in common: they make variables."""

    def make_variable(self, name: str | None = None) -> Variable:
        """A new variable of this type."""
        return self(name)  # type: ignore[operator]

    def __ne__(self, other: object) -> bool:
        return not self == other


class TensorType(Type):
    """Arrays of a dtype; `broadcastable` says for each axis whether its length is 1."""

    def __init__(self, dtype: Any, broadcastable: Sequence[Any], name: str | None = None):
        dtype = config.floatX if dtype == "floatX" else dtype
        self.dtype = str(as_dtype(dtype))
        self.broadcastable = tuple(bool(b) for b in broadcastable)
        self.name = name

    @property
    def ndim(self) -> int:
        return len(self.broadcastable)

    @property
    def numpy_dtype(self) -> np.dtype:
        return np.dtype(self.dtype)

    @property
    def shape(self) -> tuple[int | None, ...]:
        """1 for an axis that stretches, None for one whose length is not known."""
        return tuple(1 if b else None for b in self.broadcastable)

    def __call__(self, name: str | None = None) -> Any:
        """A new variable of this type."""
        kind = NAMED.get(self.ndim, "tensor")
        found = wrap(Input(kind if name is None else str(name), EngineType(self.dtype, self.shape)))
        found._name = name
        return found

    def filter(self, data: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        """A value as an array of this type. Raises TypeError for one that does not fit."""
        if isinstance(data, Variable):
            raise TypeError(f"a value is expected, not the variable {data}: givens={{x: {data}}} "
                            "puts a variable in the place of an input")  # fmt: skip
        array = as_this_dtype(data, np.dtype(self.dtype), strict, allow_downcast)
        if array.ndim != self.ndim:
            raise TypeError(f"Wrong number of dimensions: expected {self.ndim}, got {array.ndim} "
                            f"with shape {array.shape}.")  # fmt: skip
        if any(b and n != 1 for b, n in zip(self.broadcastable, array.shape, strict=True)):
            raise TypeError("Non-unit value on shape on a broadcastable dimension.", array.shape,
                            self.broadcastable)  # fmt: skip
        return array

    def filter_variable(self, other: Any, allow_convert: bool = True) -> Any:
        """A variable of this type. Raises TypeError for one of another."""
        found = TABLES["as_tensor_variable"](other)
        if found.type.dtype != self.dtype or found.ndim != self.ndim:
            raise TypeError(
                f"Cannot convert Type {found.type} (of Variable {found}) into Type "
                f"{self}. You can try to manually convert {found} into a {self}."
            )
        return found

    def is_valid_value(self, value: Any) -> bool:
        """Is it an array of this type already?"""
        try:
            self.filter(value, strict=True)
        except TypeError:
            return False
        return True

    def clone(self, dtype: Any = None, broadcastable: Any = None) -> "TensorType":
        """The same type with another dtype or other flags."""
        flags = self.broadcastable if broadcastable is None else broadcastable
        return TensorType(self.dtype if dtype is None else dtype, flags, self.name)

    def values_eq(self, a: Any, b: Any) -> bool:
        """Are two values equal, nan to nan?"""
        return np.array_equal(a, b, equal_nan=self.dtype.startswith("float"))

    def values_eq_approx(self, a: Any, b: Any, **tolerances: Any) -> bool:
        """Are they equal but for rounding?"""
        fine = {"float32": 1e-5, "float64": 1e-8}.get(self.dtype, 1e-2)
        return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=fine, equal_nan=True)

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, TensorType) and self.dtype == other.dtype
        return same and self.broadcastable == other.broadcastable  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((self.dtype, self.broadcastable))

    def __repr__(self) -> str:
        kind = NAMED.get(self.ndim, f"{self.ndim}D") if not any(self.broadcastable) else (
            SPECIAL.get(self.broadcastable)
            or str(self.broadcastable)
        )  # fmt: skip
        return f"TensorType({self.dtype}, {kind})"


def as_this_dtype(data: Any, dtype: np.dtype, strict: bool, downcast: bool | None) -> np.ndarray:
    """A value as an array of a dtype: what loses nothing, and a float where floatX is asked for."""
    if strict:
        if not isinstance(data, np.ndarray) or data.dtype != dtype:
            raise TypeError(f"expected an ndarray of {dtype}, got {type(data).__name__}")
        return data
    array = np.asarray(data)
    if array.dtype == dtype or downcast:
        return array.astype(dtype, copy=False)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"an array of numbers is expected, not {data!r}")
    weak = type(data) in (float, np.float64) and dtype == config.floatX and downcast is None
    if weak or np.result_type(array.dtype, dtype) == dtype:
        return array.astype(dtype)
    converted = array.astype(dtype)
    if not isinstance(data, np.ndarray) and np.array_equal(array, converted):
        return converted
    raise TypeError(
        f"a value of {array.dtype} cannot be converted to {dtype} without risking loss of "
        "precision: convert it, or pass allow_input_downcast=True to theano.function"
    )


class NullType(Type):
    """Of a derivative that does not exist; `why_null` says why."""

    def __init__(self, why_null: str = "(no explanation given)"):
        self.why_null = why_null

    def __call__(self, name: str | None = None) -> Any:
        return TABLES["null"](self.why_null)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NullType)

    def __hash__(self) -> int:
        return hash(NullType)

    def __repr__(self) -> str:
        return "NullType"


class DisconnectedType(Type):
    """Of a derivative where no path leads."""

    def __call__(self, name: str | None = None) -> Any:
        return TABLES["disconnected"]()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DisconnectedType)

    def __hash__(self) -> int:
        return hash(DisconnectedType)

    def __repr__(self) -> str:
        return "DisconnectedType"


def type_of(expr: Expr) -> Type:
    """The old type of an expression."""
    known = expr.type
    if isinstance(known, NoDerivative):
        return NullType(known.why)
    if isinstance(known, NoPath):
        return DisconnectedType()
    return TensorType(known.dtype, [n == 1 for n in known.shape])


TABLES["type"] = type_of
__all__ = ["DisconnectedType", "NullType", "TensorType", "Type", "type_of"]
