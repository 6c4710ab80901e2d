"""How much CPU time a process uses with all that it starts, and how all of that is ended.

On a busy machine an answer takes long and yet needs no more CPU time. So this is what is limited.
"""

import os
import signal
import time
from contextlib import suppress
from typing import Any

WAITING = "does it sleep, or wait for input or for another process?"


class Own:
    """The CPU time of this process and of its children that ended, from now on."""

    def __init__(self) -> None:
        self.before = 0.0
        self.before = self.used()

    def used(self) -> float:
        """Seconds. A browser has no children."""
        children = os.times()[2:4] if hasattr(os, "times") else ()
        return time.process_time() + sum(children) - self.before

    def waiting(self) -> str:
        """The question to ask where it uses none."""
        return WAITING


class Tree:
    """The CPU time of another process and of all that it starts, from now on.

    The time of a process that ended has two traces: its parent has it, if it waited for the end,
    and it was seen before. The larger sum is taken.
    """

    def __init__(self, number: int, has_children: bool = True):
        import psutil

        self.error, self.stopped = psutil.Error, psutil.STATUS_STOPPED
        try:
            self.root = psutil.Process(number)
        except psutil.Error:
            raise ProcessLookupError(f"process {number} has ended") from None
        self.seen: dict[Any, float] = {}  # the own seconds of each process at the last look
        self.ended = self.before = self.most = 0.0
        self.before = self.total([self.root, *self.children()] if has_children else [self.root])
        self.ended = self.before - sum(self.seen.values())  # that of processes before our time

    def used(self) -> float:
        """Seconds. It never falls."""
        self.most = max(self.most, self.total(self.processes()) - self.before)
        return self.most

    def lap(self) -> float:
        """The seconds until now, from where it goes on to count: none falls between two laps."""
        used = self.used()
        self.before, self.most = self.before + used, 0.0
        return used

    def waiting(self) -> str:
        """The question to ask where it uses none."""
        processes = self.processes()
        if any(self.is_stopped(process) for process in processes):
            return "is its process stopped, by a signal?"
        ours = session(self.root.pid)  # processes that help it have sessions of their own
        started = sum(session(process.pid) == ours for process in processes) - 1
        return f"does it wait for {started} processes that it started?" if started > 1 else WAITING

    def is_stopped(self, process: Any) -> bool:
        try:
            return process.status() == self.stopped
        except self.error:
            return False

    def size(self) -> int:
        """The bytes of memory of all of them."""
        sizes = []
        for process in self.processes():
            with suppress(self.error):  # it has ended
                sizes.append(process.memory_info().rss)
        return sum(sizes)

    def total(self, processes: list[Any]) -> float:
        """The seconds of these processes, and of all that ended."""
        alive: dict[Any, float] = {}
        by_parents = 0.0
        for process in processes:
            try:
                times = process.cpu_times()
            except self.error:  # it has ended
                continue
            alive[process] = times.user + times.system
            by_parents += times.children_user + times.children_system
        self.seen |= alive
        by_us = self.ended + sum(own for p, own in self.seen.items() if p not in alive)
        return sum(alive.values()) + max(by_parents, by_us)

    def processes(self) -> list[Any]:
        """The process, its children, and those seen before that have lost their parents."""
        family = dict.fromkeys([self.root, *self.children()])
        return [*family, *(p for p in self.seen if p not in family and p.is_running())]

    def children(self) -> list[Any]:
        try:
            return self.root.children(recursive=True)
        except self.error:
            return []

    def kill(self) -> None:
        """End all, the first one first: it may wait for its children, and would go on."""
        for process in [self.root, *self.children()]:
            with suppress(self.error):  # it has ended
                process.kill()


def session(number: int) -> int | None:
    """The session of a process, where there are sessions, or None if it has ended."""
    with suppress(ProcessLookupError):
        return os.getsid(number) if hasattr(os, "getsid") else 0
    return None


def end(process: Any) -> None:
    """End a process, and what it started: its children, and where there are groups its own."""
    with suppress(ImportError, ProcessLookupError):
        Tree(process.pid, has_children=False).kill()
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "process_cpu_count"):  # since Python 3.13
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
