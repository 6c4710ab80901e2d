"""Shared variables: values that stay between calls."""

from typing import Any

import numpy as np

from ...expr import Shared
from ...expr import TensorType as EngineType
from ..core import SharedVariable, Variable, wrap
from ..core.variable import TABLES, TensorSharedVariable

CONSTRUCTORS: list[Any] = []  # of further kinds of values, such as states of random streams


def shared(
    value: Any,
    name: str | None = None,
    strict: bool = False,
    allow_downcast: bool | None = None,
    borrow: bool = False,
    broadcastable: Any = None,
    **ignored: Any,
) -> Any:
    """A variable with a value of its own. Its lengths may change, and it stretches only where
    `broadcastable` says so."""
    if isinstance(value, Variable):
        raise TypeError("Shared variable constructor needs numeric values and not symbolic "
                        f"variables: {value}")  # fmt: skip
    for constructor in CONSTRUCTORS:
        if (found := constructor(value, name)) is not None:
            return found
    array = value if isinstance(value, np.ndarray) else np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"theano.shared takes numbers or an array of numbers, not {value!r}")
    flags = broadcastable or (False,) * array.ndim
    kept = array if borrow and isinstance(value, np.ndarray) else np.array(array)
    node = Shared(kept, None, EngineType(array.dtype, [1 if b else None for b in flags]))
    node.held = kept[()] if not kept.ndim else kept  # `accepted` may have made a copy
    found = wrap(node)
    if name is not None:
        found.name = name
    return found


def get_value(self: Any, borrow: bool = False, return_internal_type: bool = False) -> Any:
    """The value now; with borrow the array itself, else a copy."""
    value = self.expr.value
    return np.asarray(value) if borrow and isinstance(value, np.ndarray) else np.array(value)


def set_value(self: Any, new_value: Any, borrow: bool = False) -> None:
    """Put a value in its place; its lengths may differ."""
    array = self.type.filter(new_value)
    self.expr.set_value(array if borrow else np.array(array), borrow=True)


def zero(self: Any, borrow: bool = False) -> None:
    """Put zeros in its place."""
    set_value(self, np.zeros_like(get_value(self)))


def default_update(self: Any) -> Any:
    found = self.expr.default_update
    return None if found is None else wrap(found)


def set_default_update(self: Any, update: Any) -> None:
    found = None if update is None else TABLES["as_tensor_variable"](update)
    self.expr.default_update = None if found is None else found.expr
    self.update_source = found


class Container:
    """Where the value stands: f.container[w].value, w.container.storage[0]."""

    def __init__(self, variable: Any):
        self.variable = variable

    @property
    def value(self) -> Any:
        return get_value(self.variable, borrow=True)

    @value.setter
    def value(self, value: Any) -> None:
        set_value(self.variable, value)

    data = value

    @property
    def storage(self) -> list[Any]:
        return [self.value]


class Alias(Shared):
    """Another variable with the same value: what changes one changes both."""

    __slots__ = ("of",)

    def __init__(self, of: Shared):
        self.of, value = of, of.held
        super().__init__(value, of.name, of.type)
        self.held, self.lock = value, of.lock

    @property
    def held(self) -> Any:
        """The array itself."""
        return self.of.held

    @held.setter
    def held(self, value: Any) -> None:
        self.of.held = value


def clone(self: Any) -> Any:
    """Another variable with the same value, and without a default update: a change of one is a
    change of both."""
    found = wrap(Alias(self.expr))
    found.name = self.name
    return found


METHODS_OF_SHARED: dict[str, Any] = {
    "get_value": get_value, "set_value": set_value, "zero": zero, "clone": clone,
    "container": property(Container),
    "default_update": property(
        default_update, set_default_update, lambda self: set_default_update(self, None)),
}  # fmt: skip
for method, function in METHODS_OF_SHARED.items():
    setattr(TensorSharedVariable, method, function)
__all__ = ["SharedVariable", "TensorSharedVariable", "get_value", "set_value", "shared"]
