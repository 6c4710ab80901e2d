"""Which steps of loops are being described just now: a draw within a loop belongs to them."""

from contextvars import ContextVar
from typing import Any

steps_now: ContextVar[tuple[Any, ...]] = ContextVar("steps_now", default=())
