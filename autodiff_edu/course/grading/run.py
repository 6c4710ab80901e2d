"""Run an answer, cell by cell, in a process of its own that is stopped where a cell does not end.

A cell that is stopped, or ends the process, is left out, and the rest runs anew without it: one
answer that does not end costs the points of its task, and no others.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Timer
from typing import Any, NamedTuple

import psutil

LINE = 1_000_000  # bytes of what is said of a cell
MEMORY = 4_000_000_000  # bytes of addresses; a check has limits of its own below that
PROGRAM = "from autodiff_edu.course.grading.runner import serve; serve()"


class Outcome(NamedTuple):
    """What became of a cell: the class of its error or "", and in words."""

    kind: str = ""
    words: str = ""
    printed: str = ""
    changed: tuple[str, ...] = ()


class Limits(NamedTuple):
    """How long one cell may take, all cells together, and the seed of what checks draw."""

    cell: float = 60.0
    total: float = 600.0
    seed: int = 1


def run(cells: Sequence[tuple[bool, str]], limits: Limits) -> list[Outcome]:
    """What became of each cell.

    Parameters
    ----------
    cells : sequence of tuple
        (is it a student's, its source) for each.
    limits : Limits
        How long they may take.

    Returns
    -------
    list of Outcome
        One for each.
    """
    skipped: dict[int, Outcome] = {}
    end = time.monotonic() + limits.total
    while True:
        sources = [(a, "" if k in skipped else s) for k, (a, s) in enumerate(cells)]
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            attempt = Attempt(sources, limits, end, folder)
            found = list(attempt)
        if len(found) == len(cells):
            return [skipped.get(k, outcome) for k, outcome in enumerate(found)]
        ran = [k for k in range(len(found) + 1) if k not in skipped]
        if ran:  # the last of them; an earlier one may have spoiled the process for a later
            skipped[ran[-1]] = attempt.why
        if not ran or time.monotonic() > end:
            why = Outcome("Stopped", too_long(limits)) if ran else attempt.why
            rest = [why] * (len(cells) - len(found))
            return [skipped.get(k, o) for k, o in enumerate([*found, *rest])]


class Attempt:
    """One process with all cells; iteration ends early where it had to be stopped."""

    def __init__(self, cells: Sequence[tuple[bool, str]], limits: Limits, end: float, folder: str):
        self.cells, self.limits, self.end, self.folder = cells, limits, end, folder
        self.why = Outcome("Ended", "this cell ended the process in which it ran")

    def __iter__(self) -> Iterator[Outcome]:
        process = started(self.folder, self.limits.seed)
        assert process.stdin is not None and process.stdout is not None
        message = json.dumps({"memory": MEMORY, "cells": self.cells}).encode() + b"\n"
        try:
            process.stdin.write(message)
            process.stdin.flush()
            for _ in self.cells:
                line = self.line(process)
                if not line:
                    return
                yield read(line)
        except (OSError, ValueError):  # it ended, or a student wrote into our pipe
            return
        finally:
            stop(process)
            process.stdin.close()
            process.stdout.close()

    def line(self, process: Any) -> bytes:
        """What the process says next, or nothing when the time of a cell is over."""
        seconds = min(self.limits.cell, max(0.0, self.end - time.monotonic()))
        timer = Timer(seconds, self.expire, (process,))
        timer.daemon = True
        timer.start()
        try:
            return process.stdout.readline(LINE)
        finally:
            timer.cancel()

    def expire(self, process: Any) -> None:
        all_over = time.monotonic() > self.end
        words = f"this cell did not end within {self.limits.cell:g} seconds"
        self.why = Outcome("Stopped", too_long(self.limits) if all_over else words)
        stop(process)


def too_long(limits: Limits) -> str:
    return f"all together took more than {limits.total:g} seconds"


def read(line: bytes) -> Outcome:
    """An outcome as the process wrote it. Raises ValueError for anything else."""
    said = json.loads(line)
    if not isinstance(said, dict) or set(said) != set(Outcome._fields):
        raise ValueError("not ours")
    kept = {key: str(value) for key, value in said.items() if key != "changed"}
    return Outcome(**kept, changed=tuple(map(str, said["changed"])))


def started(folder: str, seed: int) -> Any:
    """A process that waits for cells, in an empty folder."""
    path = os.pathsep.join([str(Path(place or ".").resolve()) for place in sys.path])
    own = {"PYTHONPATH": path, "AUTODIFF_EDU_SEED": str(seed), "MPLBACKEND": "Agg"}
    own |= {"OPENBLAS_NUM_THREADS": "1", "IPYTHONDIR": folder, "PYTHONIOENCODING": "utf-8"}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=os.environ | own,
        start_new_session=True,  # so that what it starts can be stopped with it
    )


def stop(process: Any) -> None:
    """End a process, and what it started: its children, and where there are groups its own."""
    try:
        children = psutil.Process(process.pid).children(recursive=True)
    except psutil.Error:
        children = []
    for child in children:
        try:
            child.kill()
        except psutil.Error:  # it has ended
            pass
    if hasattr(os, "killpg"):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
    process.kill()
    process.wait()
