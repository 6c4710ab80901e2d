"""Run an answer, cell by cell, in a process of its own that is stopped where a cell does not end.

Time is CPU time, of the process and of all that it starts; the start of the process does not count.

A cell that is stopped, or ends the process, is left out, and the rest runs anew without it: one
answer that does not end costs the points of its task, and no others.
"""

import json
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from math import inf
from secrets import token_hex
from typing import Any, NamedTuple

from ..harness import starter
from ..harness.clock import Clock, oversight
from ..harness.cpu_time import Tree, end
from ..harness.identity import SEED, USER
from ..harness.orphans import MARK, end_marked
from ..harness.supervisor import Size
from ..harness.worker import READY, WATCH

GRACE = 2.0  # seconds of CPU time after the end, in which a check may still say more than that
LINE = 1_000_000  # bytes of what is said of a cell
MEMORY = 4_000_000_000  # bytes of addresses; a check has limits of its own below that
RUNNER = "autodiff_edu.course.grading.runner"
# pip and uv look for the Python of this name, and end, however an answer calls them
NO_PACKAGES = dict.fromkeys(("PIP_PYTHON", "UV_PYTHON"), "(none where an answer is graded)")


class Outcome(NamedTuple):
    """What became of a cell: the class of its error or "", and in words."""

    kind: str = ""
    words: str = ""
    printed: str = ""
    changed: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()  # of a system, which were not run


class NotStarted(Exception):
    """The process for the cells did not start, which is no fault of an answer's."""


class Limits(NamedTuple):
    """How much CPU time cells may use, how long they may wait, the seed of what checks draw, and as
    whom they run."""

    cell: float = 60.0  # of one cell, and of one check
    total: float = 600.0
    seed: int = 1
    wait: float = 60.0  # seconds of real time with nearly no CPU time
    user: str = ""  # as whom they run, if it is not the one who grades


Cells = Sequence[tuple[bool, str]]  # of each: is it a student's, and its source
Start = Callable[..., Any]  # starts a process, as `Starter.start` does
ANEW: Start = partial(starter.anew, RUNNER)


def run(
    cells: Cells, limits: Limits, start: Start = ANEW, theirs: Collection[str] = ()
) -> list[Outcome]:
    """What became of each cell.

    Parameters
    ----------
    cells : sequence of tuple
        (is it a student's, its source) for each.
    limits : Limits
        How much time they may use.
    start : callable, optional
        Starts the process for them.
    theirs : collection of str, default: ()
        The names that a student is to write. All others that our cells use stay ours.

    Returns
    -------
    list of Outcome
        One for each.

    Raises
    ------
    NotStarted
        If the process for them does not start, twice.
    """
    skipped: dict[int, Outcome] = {}
    left = limits.total
    while True:
        sources = [(a, "" if k in skipped else s) for k, (a, s) in enumerate(cells)]
        attempt, outcomes = attempted(sources, limits, start, theirs, left)
        left = attempt.left
        if len(outcomes) == len(cells):
            return [skipped.get(k, outcome) for k, outcome in enumerate(outcomes)]
        ran = [k for k in range(len(outcomes) + 1) if k not in skipped]
        if ran:  # the last of them; an earlier one may have spoiled the process for a later
            skipped[ran[-1]] = attempt.why
        if not ran or left < 0:
            why = Outcome("Stopped", too_long(limits)) if ran else attempt.why
            rest = [why] * (len(cells) - len(outcomes))
            return [skipped.get(k, o) for k, o in enumerate([*outcomes, *rest])]


def attempted(
    cells: Cells, limits: Limits, start: Start, theirs: Collection[str], left: float
) -> tuple["Attempt", list[Outcome]]:
    """One attempt, and its outcomes. A process that does not start is tried once more: an answer
    that runs at the same time may have ended what starts it."""
    for _ in range(2):
        attempt, outcomes = Attempt(cells, limits, left), []
        try:
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                outcomes = list(attempt.outcomes(start, folder, theirs))
        except OSError as error:  # there are too many processes, or no place for files
            attempt.why = Outcome("Ended", f"no process for the cells: {error.strerror}")
        if attempt.ready:
            return attempt, outcomes
    raise NotStarted(attempt.why.words)


class Attempt:
    """One process with all cells."""

    def __init__(self, cells: Cells, limits: Limits, left: float):
        self.cells, self.limits, self.left = cells, limits, left
        self.ready = self.is_watched = False
        self.mark = token_hex()  # stands in each line of ours, which no answer can know
        self.why = Outcome("Ended", "the process for the cells did not start")

    def outcomes(self, start: Start, folder: str, theirs: Collection[str]) -> Iterator[Outcome]:
        """The outcome of each cell; fewer than there are where it had to be stopped."""
        own = {SEED: str(self.limits.seed), "MPLBACKEND": "Agg", **NO_PACKAGES}
        own |= {USER: self.limits.user} if self.limits.user else {}
        orphans = token_hex()
        process = start(folder, **own, **{MARK: orphans}, IPYTHONDIR=folder)
        order: dict[str, Any] = {"cells": self.cells, "theirs": [*theirs], "mark": self.mark}
        order |= {"memory": MEMORY, "seconds": self.limits.cell, "wait": self.limits.wait}
        try:
            process.stdin.write(json.dumps(order).encode() + b"\n")
            process.stdin.flush()
            word = self.line(process, Tree(process.pid), inf)
            if word not in (READY, WATCH):
                return
            self.ready, self.is_watched = True, word == WATCH
            self.why = Outcome("Ended", "this cell ended the process in which it ran")
            meter = Tree(process.pid)
            for _ in self.cells:
                line = self.outcome(process, meter)
                if not line:
                    return
                yield read(line, self.mark)
        except OSError:  # it ended
            return
        except (KeyError, TypeError, ValueError):
            words = "this cell wrote into the pipe of the grader, which ended the process"
            self.why = Outcome("Ended", words)
        finally:
            end(process)
            if not starter.FORKS:
                end_marked(orphans)
            with suppress(OSError):  # it ended before it had read the cells
                process.stdin.close()
            process.stdout.close()

    def outcome(self, process: Any, meter: Tree) -> bytes:
        """What the process says of a cell, within the time of a cell and what is left of all."""
        seconds, left = self.limits.cell, max(self.left, 0.0)
        line = self.line(process, meter, min(seconds, left), GRACE * (seconds < left))
        self.left -= meter.lap()
        if self.left < 0:
            self.why = Outcome("Stopped", too_long(self.limits))
        return line

    def line(self, process: Any, tree: Tree, seconds: float, grace: float = 0.0) -> bytes:
        """What the process says next, or nothing if it is ended since its time is over."""
        stopped: list[Outcome] = []
        work = "this cell" if self.ready else "the start of the process"

        def stop(why: Outcome) -> None:
            stopped.append(why)
            end(process)

        def over(why: str) -> None:
            stop(Outcome("Stopped", f"{work} did not end {why}"))

        clock = Clock(tree, seconds, self.limits.wait, grace)
        large = oversight(Size(tree, MEMORY), lambda why: stop(Outcome("MemoryError", why)))
        with large if self.is_watched else nullcontext(), oversight(clock, over):
            line = process.stdout.readline(LINE)
        if not stopped:
            return line
        self.why = stopped[0]
        return b""


def too_long(limits: Limits) -> str:
    return f"all together used more than {limits.total:g} seconds of CPU time"


def read(line: bytes, mark: str) -> Outcome:
    """An outcome as the process wrote it. Raises ValueError for anything else."""
    said = json.loads(line)
    if not isinstance(said, dict) or said.pop("mark", None) != mark:
        raise ValueError("not ours")
    lists: Any = {key: tuple(said.pop(key)) for key in ("changed", "commands")}
    return Outcome(**said, **lists)
