"""How much a check may take: CPU time, steps, memory and printed characters.

A check takes what `limited` says at the time when it is called. Everything that a student wrote
runs within these limits, and so does all that a checker does with it.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from mmap import PAGESIZE
from typing import NamedTuple

from .clock import Clock
from .cpu_time import Own


def at_most(kind: str, most: int | None = None) -> bool:
    """Set a limit of the system for this process, such as "RLIMIT_AS", or the hard limit where that
    is lower; without a number, to what it is. Return whether the system does so: macOS refuses,
    Windows has no limits, and a container may forbid it.
    """
    try:
        import resource

        number = getattr(resource, kind)
        soft, hard = resource.getrlimit(number)
        if most is not None:
            soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(number, (soft, hard))
    except (ImportError, OSError, ValueError):
        return False
    return True


# elsewhere nobody stops an allocation: the size is watched
HAS_LIMIT = sys.platform == "linux" and at_most("RLIMIT_AS")


class Limits(NamedTuple):
    """What one check may take."""

    seconds: float = 8.0  # of CPU time
    steps: int = 10_000_000  # lines of the student's that run, and calls of any function
    memory: int = 10**9  # bytes of the process that checks, all that is loaded included
    printed: int = 2_000  # characters
    wait: float = 60.0  # seconds of real time in which it uses nearly no CPU time


class Setting(NamedTuple):
    """The limits that hold now, and the clock of the check that is under way."""

    limits: Limits
    clock: Clock | None = None
    alone: bool = False  # is there no second process, which could be stopped from outside?


USUAL = Setting(Limits())
SETTING = ContextVar("SETTING", default=USUAL)


def limits() -> Limits:
    """The limits that hold now."""
    return SETTING.get().limits


@contextmanager
def limited(**changed: float) -> Iterator[None]:
    """Within it, a check may take so much: seconds=, steps=, memory=, printed=, wait=.

    Seconds are those of CPU time, so that a busy machine does not matter. A check that uses nearly
    none for as long as `wait` seconds is ended, too. Memory is in bytes.

    Parameters
    ----------
    **changed : float
        The limits that are not the usual ones.

    Yields
    ------
    None
        Nothing.

    Examples
    --------
    >>> from autodiff_edu import course
    >>> def found():
    ...     return 3
    >>> with course.limited(seconds=5):
    ...     course.check_found(found, lambda n: n > 2, "above 2")
    found: above 2
    """
    before = SETTING.set(Setting(limits()._replace(**changed)))  # type: ignore[arg-type]
    try:
        yield
    finally:
        SETTING.reset(before)


@contextmanager
def counting_down(alone: bool) -> Iterator[None]:
    """The time begins now."""
    clock = Clock(Own(), limits().seconds, limits().wait)
    before = SETTING.set(Setting(limits(), clock, alone))
    try:
        yield
    finally:
        SETTING.reset(before)


# ---- memory


@contextmanager
def short_of_memory(allowed: int) -> Iterator[None]:
    """Raise MemoryError where this process would need more than so many bytes."""
    if not HAS_LIMIT:
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    reserved, used = sizes()
    is_set = at_most("RLIMIT_AS", reserved + max(0, allowed - used))
    try:
        yield
    finally:
        if is_set:
            resource.setrlimit(resource.RLIMIT_AS, before)


def sizes() -> tuple[int, int]:
    """The bytes of addresses that this process has, and those of memory behind them."""
    with open("/proc/self/statm") as file:
        reserved, used, *_ = file.read().split()
    return int(reserved) * PAGESIZE, int(used) * PAGESIZE


def memory_in_use() -> int:
    """The bytes of this process, or 0 where its size is watched from outside."""
    return sizes()[1] if HAS_LIMIT else 0
