"""What a student's function may not do while it is checked: call the engine or a checker, recurse,
never end.

Python tells a trace function of every call, whichever way the called function was imported, and of
every line of the functions that are to be followed: the student's own. So one short hook sees all
three. Nothing is patched, and the hook is gone when the check is over.
"""

import os
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from inspect import CO_GENERATOR
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from .clock import UNENDING, Clock
from .cpu_time import Own
from .feedback import Stopped, Wrong
from .limits import SETTING

ENGINE, OURS = "autodiff_edu.", "autodiff_edu.course."
PROGRAMS = f"{ENGINE}run."
CHECKERS = f"{OURS}lectures."
OFFERED = {"values_on", "play", "<lambda>"}  # of the checkers; and what can be called as an object
PLACES = {*sysconfig.get_paths().values(), str(Path(__file__).parents[2])}
# By both names where one is a link, as a home folder is on many hubs.
INSTALLED = (*PLACES, *{os.path.realpath(place) for place in PLACES}, "<frozen ")
OFTEN = 256  # steps from one look at the clock to the next

LIBRARIES: dict[int, CodeType] = {}  # code of other libraries, which may always be called

Hook = Callable[[FrameType, str, Any], Any]


class Watch:
    """The hook. The first refusal is kept: swallowing the exception does not help."""

    def __init__(self, by_hand: bool, depth: int | None, seconds: float | None):
        limits, clock, self.closely = SETTING.get()
        self.by_hand, self.deepest, self.most = by_hand, depth, limits.steps
        self.clocks = [clock] if clock else []
        if seconds or not clock:
            self.clocks.append(Clock(Own(), seconds or limits.seconds, limits.wait))
        self.depth = self.steps = self.due = 0
        self.refusal: Wrong | None = None
        self.hook: Hook = self.follow  # made once

    def enter(self, frame: FrameType, event: str, _: Any) -> Hook | None:
        """A function is called. Its lines are followed if a student wrote it."""
        self.steps += 1
        if self.steps > self.due:
            self.look()
        code = frame.f_code
        if id(code) in LIBRARIES:
            return None
        if self.by_hand and not code.co_flags & CO_GENERATOR:
            # an exception raised while a generator is being closed would be lost
            if called := of_the_engine(frame):
                self.refuse(f"the engine was called ({called}): derive it by hand, in plain NumPy")
            if called := of_a_checker(frame):
                self.refuse(f"a part of the check was called ({called}): write it yourself")
        if is_installed(code.co_filename):
            if not frame.f_globals.get("__name__", ENGINE).startswith(ENGINE):
                LIBRARIES[id(code)] = code
            return None
        frame.f_trace_opcodes = self.closely  # not every loop goes from line to line
        self.depth += 1
        if self.deepest and self.depth > self.deepest:
            self.refuse(f"a recursion deeper than {self.deepest} calls: use a loop, and a list")
        return self.hook

    def follow(self, frame: FrameType, event: str, _: Any) -> Hook:
        """One line, or the end of the call. This runs more often than anything else here."""
        if event in ("line", "opcode"):
            self.steps += 1
            if self.steps > self.due:
                self.look()
        elif event == "return":
            self.depth -= 1
        return self.hook

    def look(self) -> None:
        """Has it been enough?"""
        self.due = self.steps + OFTEN
        if self.steps > self.most:
            self.refuse(f"no result after {self.most:,} steps: {UNENDING}", Stopped)
        for clock in self.clocks:
            if reason := clock.over():
                self.refuse(f"no result {reason}", Stopped)

    def refuse(self, why: str, kind: type[Wrong] = Wrong) -> None:
        self.refusal = kind(f"refused: {why}")
        raise self.refusal


@cache
def is_installed(file: str) -> bool:
    """Is this file a part of Python, of a library, or of this package, and not the student's?"""
    return file.startswith(INSTALLED)


def is_own(module: Any) -> bool:
    """Is this a file of the student's?"""
    file = getattr(module, "__file__", None)
    return bool(file) and not is_installed(file)


def of_the_engine(frame: FrameType) -> str:
    """What of the engine is being called: one of its functions, or a program that it made."""
    module, name = frame.f_globals.get("__name__", ""), frame.f_code.co_name
    if module == f"{ENGINE}core.seams" and name == "__missing__":  # its first use
        return ENGINE + frame.f_locals["name"]
    if str(getattr(frame.f_globals.get("accept"), "__module__", "")).startswith(PROGRAMS):
        return f"the generated program {name}"
    called = f"{module}.{name}"
    return called * (module.startswith(ENGINE) and not module.startswith(OURS))


def of_a_checker(frame: FrameType) -> str:
    """What of a lecture's checkers is being called by the student's own code: they know what is
    right."""
    module, name = frame.f_globals.get("__name__", ""), frame.f_code.co_name
    if not module.startswith(CHECKERS) or name in OFFERED or name.startswith("__"):
        return ""
    caller = frame.f_back
    return name * (caller is not None and not is_installed(caller.f_code.co_filename))


@contextmanager
def watched(
    by_hand: bool = True, depth: int | None = None, seconds: float | None = None
) -> Iterator[None]:
    """Raise Wrong if what runs inside calls the engine, recurses deeper or takes longer.

    With the engine the checkers of the lectures are closed, too.

    Parameters
    ----------
    by_hand : bool, default: True
        Whether the engine is closed.
    depth : int, optional
        How deep it may recurse.
    seconds : float, optional
        How much CPU time it may use; by default, as much as the check.

    Yields
    ------
    None
        Nothing.

    Raises
    ------
    Wrong
        If it is not so, with where and what is right.
    """
    watch, before = Watch(by_hand, depth, seconds), sys.gettrace()
    sys.settrace(watch.enter)
    try:
        yield
    finally:
        sys.settrace(before)
        if watch.refusal:
            raise watch.refusal from None


def run(student: Callable[..., Any], *args: Any, **limits: Any) -> Any:
    """The student's result under watch. Raises Wrong; its own errors pass as they are."""
    with watched(**limits):
        return student(*args)
