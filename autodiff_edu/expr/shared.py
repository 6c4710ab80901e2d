"""State: a value that lives on between the calls of a function."""

from typing import Any

import numpy as np

from .expr import Expr
from .origin import origin_now
from .types import TensorType
from .upstairs import upstairs


class Shared(Expr):
    """A leaf whose value every program finds in one place, and that `updates` may change.

    `default_update`, where there is one, is what a function puts in its place after each call.
    """

    __slots__ = ("value", "default_update")

    def __init__(self, value: Any, name: str | None, type: TensorType):
        super().__init__(None, (), (), type, origin_now(), name)
        self.default_update: Expr | None = None
        self.set_value(value)

    def get_value(self, borrow: bool = False) -> Any:
        """The value now; with borrow=True the array itself, which a later call may replace."""
        return self.value if borrow else np.array(self.value)[()]

    def set_value(self, value: Any, borrow: bool = False) -> None:
        """Put a value of the same type in its place. Raises DTypeError, ShapeError."""
        array = upstairs["accept"](self, value)
        self.value = array if borrow else np.array(array)[()]
