"""How much a check may take: seconds, steps, memory and printed characters.

A check takes what `limited` says at the time when it is called. Everything that a student wrote
runs within these limits, and so does all that a checker does with it.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from mmap import PAGESIZE
from typing import NamedTuple

HAS_LIMIT = sys.platform == "linux"  # elsewhere nobody stops an allocation: the size is watched


class Limits(NamedTuple):
    """What one check may take."""

    seconds: float = 8.0
    steps: int = 10_000_000  # lines of the student's that run, and calls of any function
    memory: int = 10**9  # bytes of the process that checks, all that is loaded included
    printed: int = 2_000  # characters


class Clock(NamedTuple):
    """The limits that hold now, and when the check that is under way must end."""

    limits: Limits
    end: float = float("inf")
    alone: bool = False  # is there no second process, which could be stopped from outside?


USUAL = Clock(Limits())
CLOCK = ContextVar("CLOCK", default=USUAL)


def limits() -> Limits:
    """The limits that hold now."""
    return CLOCK.get().limits


@contextmanager
def limited(**changed: float) -> Iterator[None]:
    """Within it, a check may take so much: seconds=, steps=, memory= (bytes), printed=.

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
    before = CLOCK.set(Clock(limits()._replace(**changed)))  # type: ignore[arg-type]
    try:
        yield
    finally:
        CLOCK.reset(before)


@contextmanager
def counting_down(alone: bool) -> Iterator[None]:
    """The time begins now."""
    before = CLOCK.set(Clock(limits(), time.perf_counter() + limits().seconds, alone))
    try:
        yield
    finally:
        CLOCK.reset(before)


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
    resource.setrlimit(resource.RLIMIT_AS, (reserved + max(0, allowed - used), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def sizes() -> tuple[int, int]:
    """The bytes of addresses that this process has, and those of memory behind them."""
    with open("/proc/self/statm") as file:
        reserved, used, *_ = file.read().split()
    return int(reserved) * PAGESIZE, int(used) * PAGESIZE


def memory_in_use() -> int:
    """The bytes of this process, or 0 where its size is watched from outside."""
    return sizes()[1] if HAS_LIMIT else 0
