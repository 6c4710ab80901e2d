"""Operations that only this room has, stated as the engine's are, and entered in no table."""

from collections.abc import Callable
from typing import Any

from ...ops import Declared
from ...ops.declare import declared


def own(**stated: Any) -> Callable[[Callable[..., Any]], Declared]:
    """A decorator: an operation of this room."""
    return lambda body: declared(body, **stated)
