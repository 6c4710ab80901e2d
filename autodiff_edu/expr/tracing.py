"""The state of a trace: the groups that are open, the steps of loops, and the numbers.

A draw within a loop belongs to its steps: symbols for these are in `steps_now`. Where numbers are
known, Python decides by them, and what it decided is in `decisions_now` (`functions/decisions.py`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

open_groups: ContextVar[tuple[str, ...]] = ContextVar("open_groups", default=())
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


@contextmanager
def group(name: str) -> Iterator[None]:
    """Name a part of a graph: what is written within is one group in pictures.

    `draw` puts a frame around each group, or one node in its place. Groups may stand in groups.
    What a derivative makes of a group is a group of its own. Values do not change.

    Parameters
    ----------
    name : str
        What the group is called in pictures.

    Yields
    ------
    None
        Nothing. As a decorator, it makes a group of what a function computes.

    Raises
    ------
    TypeError
        If the name is no text.

    See Also
    --------
    draw : Its argument `fold` says which groups are one node.

    Examples
    --------
    >>> x, w = ad.scalar("x"), ad.scalar("w")
    >>> with ad.group("layer 1"):
    ...     h = ad.tanh(w * x)
    >>> ad.draw(h, fold=True).alt
    'Graph: 2 inputs (w, x); 1 summary (layer 1); 1 output (out).'
    """
    if not isinstance(name, str) or not name.strip():
        raise TypeError(f'a group has a name: with ad.group("layer 1"): ..., not {name!r:.80}')
    token = open_groups.set((*open_groups.get(), name))
    try:
        yield
    finally:
        open_groups.reset(token)
