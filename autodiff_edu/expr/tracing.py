"""What is being traced just now: which steps of loops, and with which numbers.

A draw within a loop belongs to its steps: symbols for these are in `steps_now`. Where numbers are
known, Python decides by them, and what it decided is in `decisions_now` (`functions/decisions.py`).
"""

from contextvars import ContextVar
from typing import Any

steps_now: ContextVar[tuple[Any, ...]] = ContextVar("steps_now", default=())
decisions_now: ContextVar[Any] = ContextVar("decisions_now", default=None)


class Remembered:
    """A memory of calls: it changes no result, and so nobody compares it who looks whether anything
    has changed."""


def decided(node: Any, question: str) -> Any:
    """The answer to what Python asks of an expression, such as its truth; None where no number is
    known."""
    decisions = decisions_now.get()
    return None if decisions is None else decisions.decide(node, question)
