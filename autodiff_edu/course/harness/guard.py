"""What a student's function may not do while it is checked: call the engine, recurse, never end.

Python tells a profile function of every call, whichever way the called function was imported, so
one short hook sees all three. Nothing is patched, and the hook is gone when the check is over.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import CO_GENERATOR
from types import FrameType
from typing import Any

from ...run.input_guard import InputGuard
from .feedback import Wrong

ENGINE, OURS = "autodiff_edu.", "autodiff_edu.course."


class Watch:
    """The hook. The first refusal is kept: swallowing the exception does not help."""

    def __init__(self, by_hand: bool, depth: int | None, seconds: float):
        self.by_hand, self.limit, self.seconds = by_hand, depth, seconds
        self.depth, self.end = 0, time.perf_counter() + seconds
        self.refusal: Wrong | None = None

    def see(self, frame: FrameType, event: str, _: Any) -> None:
        if frame.f_code.co_flags & CO_GENERATOR:
            return  # an exception raised while a generator is being closed would be lost
        if event == "call":
            self.enter(frame)
        elif event == "return":
            self.depth -= 1
        elif time.perf_counter() > self.end:
            self.refuse(f"no result after {self.seconds:g} seconds: is the work quadratic?")

    def enter(self, frame: FrameType) -> None:
        self.depth += 1
        if self.limit and self.depth > self.limit:
            self.refuse(f"a recursion deeper than {self.limit} calls: use a loop, and a list")
        if self.by_hand and (called := of_the_engine(frame)):
            self.refuse(f"the engine was called ({called}): derive it by hand, in plain NumPy")

    def refuse(self, why: str) -> None:
        self.refusal = Wrong(f"refused: {why}")
        raise self.refusal


def of_the_engine(frame: FrameType) -> str:
    """What of the engine is being called: one of its functions, or a program that it made."""
    module, name = frame.f_globals.get("__name__", ""), frame.f_code.co_name
    if module == f"{ENGINE}expr.lazy" and name == "__missing__":  # its first use
        return ENGINE + frame.f_locals["name"]
    if isinstance(frame.f_globals.get("accept"), InputGuard):
        return f"the generated program {name}"
    return f"{module}.{name}" * (module.startswith(ENGINE) and not module.startswith(OURS))


@contextmanager
def watched(by_hand: bool = True, depth: int | None = None, seconds: float = 30) -> Iterator[None]:
    """Raise Wrong if what runs inside calls the engine, recurses deeper or takes longer.

    Parameters
    ----------
    by_hand : bool, default: True
        Whether the engine is closed.
    depth : int, optional
        How deep it may recurse.
    seconds : float, default: 30
        How long it may take.

    Yields
    ------
    None
        Nothing.

    Raises
    ------
    Wrong
        If it is not so, with where and what is right.
    """
    watch, before = Watch(by_hand, depth, seconds), sys.getprofile()
    sys.setprofile(watch.see)
    try:
        yield
    finally:
        sys.setprofile(before)
        if watch.refusal:
            raise watch.refusal from None


def run(student: Callable[..., Any], *args: Any, **limits: Any) -> Any:
    """The student's result under watch. Raises Wrong; its own errors pass as they are."""
    with watched(**limits):
        return student(*args)
