"""What is being traced just now: which steps of loops, and with which numbers.

A draw within a loop belongs to its steps: symbols for these are in `steps_now`. Where numbers are
known, Python decides by them, and what it decided is in `decisions_now` (`functions/decisions.py`).
Nodes that belong to the step in which they are made, whatever their operands, are in `own_now`.
"""

from contextvars import ContextVar
from typing import Any

steps_now: ContextVar[tuple[Any, ...]] = ContextVar("steps_now", default=())
decisions_now: ContextVar[Any] = ContextVar("decisions_now", default=None)
own_now: ContextVar[list[Any] | None] = ContextVar("own_now", default=None)


def note_own(node: Any) -> None:
    """A step of a loop has made a node whose cotangents are not to be added before its rule is
    applied: it belongs to that step."""
    own = own_now.get()
    if own is not None and not node.op.merges:
        own.append(node)


def decided(node: Any, question: str) -> Any:
    """The answer to what Python asks of an expression, such as its truth; None where no number is
    known."""
    decisions = decisions_now.get()
    return None if decisions is None else decisions.decide(node, question)
