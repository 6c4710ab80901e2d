"""Which steps of loops are being described just now: a draw within a loop belongs to them."""

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .expr import Expr

steps_now: ContextVar[tuple["Expr", ...]] = ContextVar("steps_now", default=())
