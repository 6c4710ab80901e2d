"""The one clock of checks, cells and answers: it runs while they work, and not while others do.

Work is over when it has used its seconds of CPU time; or when it has waited, with nearly no CPU
time used in a minute. A process that gets a small part of a busy machine uses more than that.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Protocol

UNENDING = "is there a loop that does not end, or much more work than the task needs?"
SHARE = 0.1 / 60  # of a processor: work that uses less waits for something
LOOKS = 12  # in the time that it may wait; each counts no more, if the one who looks was stopped
SHORTEST = 0.05  # seconds between two looks


class Meter(Protocol):
    """Says how much CPU time is used: `Own` and `Tree` of `cpu_time.py`."""

    def used(self) -> float:
        """Seconds since the meter was made."""

    def waiting(self) -> str:
        """The question to ask where nearly none is used."""


class Clock:
    """How much CPU time some work may use, and how long it may wait.

    Parameters
    ----------
    meter : Meter
        How much it uses.
    seconds : float
        The CPU time that it may use.
    wait : float
        For how many seconds of real time it may use nearly none.
    grace : float, default: 0.0
        Seconds of CPU time after the end, in which the work may still say more than the clock.
    """

    def __init__(self, meter: Meter, seconds: float, wait: float, grace: float = 0.0):
        self.meter, self.seconds, self.wait, self.end = meter, seconds, wait, seconds + grace
        self.used = self.mark = self.idle = 0.0
        self.pace = 1.0  # seconds of CPU time in a second
        self.last = time.monotonic()

    def over(self) -> str:
        """The reason to end the work, in words, or "" while it may go on."""
        used, now = self.meter.used(), time.monotonic()
        self.idle += min(now - self.last, self.wait / LOOKS)
        if now > self.last:
            self.pace = (used - self.used) / (now - self.last)
        self.used, self.last = used, now
        if used - self.mark >= SHARE * self.wait:
            self.mark, self.idle = used, 0.0
        if used > self.end:
            return f"after {self.seconds:g} seconds of CPU time: {UNENDING}"
        if self.idle > self.wait:
            return f"after {self.wait:g} seconds without work: {self.meter.waiting()}"
        return ""

    def pause(self) -> float:
        """How long to wait for the next look, which costs CPU time, too: until it may be over."""
        soon = (self.end - self.used) / self.pace if self.pace > 0 else self.wait
        return min(max(SHORTEST, soon), self.wait / LOOKS)


class Watcher(Protocol):
    """A clock, or what else may end some work."""

    def over(self) -> str:
        """The reason to end it, in words, or ""."""

    def pause(self) -> float:
        """How long to wait for the next look."""


@contextmanager
def oversight(watcher: Watcher, stop: Callable[[str], None]) -> Iterator[None]:
    """Call `stop` with the reason, once the watcher has one for what runs inside."""
    done = Event()

    def look() -> None:
        while not done.wait(watcher.pause()):
            if reason := watcher.over():
                stop(reason)
                return

    thread = Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()  # afterwards nothing is stopped any more
