"""Run an answer, cell by cell, in a process of its own that is stopped where a cell does not end.

Time is CPU time, of the process and of all that it starts; the start of the process does not count.

A cell that is stopped, or ends the process, is left out, and the rest runs anew without it: one
answer that does not end costs the points of its task, and no others.
"""

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any, NamedTuple

from ..harness.clock import Clock, oversight
from ..harness.cpu_time import Tree, end
from ..harness.starter import anew

GRACE = 2.0  # seconds of CPU time after the end, in which a check may still say more than that
LINE = 1_000_000  # bytes of what is said of a cell
MEMORY = 4_000_000_000  # bytes of addresses; a check has limits of its own below that
RUNNER = "autodiff_edu.course.grading.runner"


class Outcome(NamedTuple):
    """What became of a cell: the class of its error or "", and in words."""

    kind: str = ""
    words: str = ""
    printed: str = ""
    changed: tuple[str, ...] = ()


class Limits(NamedTuple):
    """How much CPU time cells may use, how long they may wait, and the seed of what checks draw."""

    cell: float = 60.0  # of one cell, and of one check
    total: float = 600.0
    seed: int = 1
    wait: float = 60.0  # seconds of real time with nearly no CPU time


Cells = Sequence[tuple[bool, str]]  # of each: is it a student's, and its source
Start = Callable[..., Any]  # starts a process, as `Starter.start` does
ANEW: Start = partial(anew, RUNNER)


def run(cells: Cells, limits: Limits, start: Start = ANEW) -> list[Outcome]:
    """What became of each cell.

    Parameters
    ----------
    cells : sequence of tuple
        (is it a student's, its source) for each.
    limits : Limits
        How much time they may use.
    start : callable, optional
        Starts the process for them.

    Returns
    -------
    list of Outcome
        One for each.
    """
    skipped: dict[int, Outcome] = {}
    left = limits.total
    while True:
        sources = [(a, "" if k in skipped else s) for k, (a, s) in enumerate(cells)]
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            attempt = Attempt(sources, limits, left)
            found = list(attempt.outcomes(start, folder))
        left = attempt.left
        if len(found) == len(cells):
            return [skipped.get(k, outcome) for k, outcome in enumerate(found)]
        ran = [k for k in range(len(found) + attempt.ready) if k not in skipped]
        if ran:  # the last of them; an earlier one may have spoiled the process for a later
            skipped[ran[-1]] = attempt.why
        if not ran or left < 0:
            why = Outcome("Stopped", too_long(limits)) if ran else attempt.why
            rest = [why] * (len(cells) - len(found))
            return [skipped.get(k, o) for k, o in enumerate([*found, *rest])]


class Attempt:
    """One process with all cells."""

    def __init__(self, cells: Cells, limits: Limits, left: float):
        self.cells, self.limits, self.left = cells, limits, left
        self.ready = False
        self.why = Outcome("Ended", "the process for the cells did not start")

    def outcomes(self, start: Start, folder: str) -> Iterator[Outcome]:
        """The outcome of each cell; fewer than there are where it had to be stopped."""
        own = {"AUTODIFF_EDU_SEED": str(self.limits.seed), "MPLBACKEND": "Agg"}
        process = start(folder, **own, IPYTHONDIR=folder)
        wanted = {"memory": MEMORY, "seconds": self.limits.cell, "wait": self.limits.wait}
        message = json.dumps(wanted | {"cells": self.cells}).encode() + b"\n"
        try:
            process.stdin.write(message)
            process.stdin.flush()
            if not self.line(process, Clock(Tree(process.pid), inf, self.limits.wait)):
                return
            self.ready = True
            self.why = Outcome("Ended", "this cell ended the process in which it ran")
            for _ in self.cells:
                line = self.outcome(process)
                if not line:
                    return
                yield read(line)
        except (OSError, ValueError):  # it ended, or a student wrote into our pipe
            return
        finally:
            end(process)
            with suppress(OSError):  # it ended before it had read the cells
                process.stdin.close()
            process.stdout.close()

    def outcome(self, process: Any) -> bytes:
        """What the process says of a cell, within the time of a cell and what is left of all."""
        meter = Tree(process.pid)
        seconds, left = self.limits.cell, max(self.left, 0.0)
        clock = Clock(meter, min(seconds, left), self.limits.wait, GRACE * (seconds < left))
        line = self.line(process, clock)
        self.left -= meter.used()
        if self.left < 0:
            self.why = Outcome("Stopped", too_long(self.limits))
        return line

    def line(self, process: Any, clock: Clock) -> bytes:
        """What the process says next, or nothing if it is ended since its time is over."""
        stopped: list[str] = []

        def stop(why: str) -> None:
            stopped.append(why)
            end(process)

        with oversight(clock, stop):
            line = process.stdout.readline(LINE)
        if not stopped:
            return line
        work = "this cell" if self.ready else "the start of the process"
        self.why = Outcome("Stopped", f"{work} did not end {stopped[0]}")
        return b""


def too_long(limits: Limits) -> str:
    return f"all together used more than {limits.total:g} seconds of CPU time"


def read(line: bytes) -> Outcome:
    """An outcome as the process wrote it. Raises ValueError for anything else."""
    said = json.loads(line)
    if not isinstance(said, dict) or set(said) != set(Outcome._fields):
        raise ValueError("not ours")
    kept = {key: str(value) for key, value in said.items() if key != "changed"}
    return Outcome(**kept, changed=tuple(map(str, said["changed"])))
