"""Processes that an answer leaves behind, and how they are ended: no answer outlives its grading.

A process that leaves its session, and whose parent ends, is an *orphan*. On Linux the nearest
process that asked for it adopts an orphan: the fork server does, and ends what it adopts. On other
systems orphans are found by a mark, which they have inherited in their environment.
"""

import ctypes
import os
import sys
from collections.abc import Collection
from contextlib import suppress

MARK = "AUTODIFF_EDU_ANSWER"  # a variable of all processes that an answer starts
ROUNDS = 1_000  # how often what is left is ended, and leaves orphans itself
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # of Linux's prctl


def adopt() -> None:
    """Let orphans among the descendants of this process be its children, on Linux."""
    control(PR_SET_CHILD_SUBREAPER, 1)


def end_with_parent() -> None:
    """Let this process end when its parent does, on Linux."""
    control(PR_SET_PDEATHSIG, 9)  # SIGKILL


def control(option: int, value: int) -> None:
    """Linux's prctl. Elsewhere, and where it is forbidden, nothing happens."""
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def end_children(but: Collection[int] = ()) -> None:
    """End all children of this process but these, and those that it adopts from them."""
    import psutil

    for _ in range(ROUNDS):
        processes = [p for p in psutil.Process().children() if p.pid not in but]
        if not processes:
            return
        for process in processes:
            with suppress(psutil.Error):
                process.kill()
            with suppress(ChildProcessError):
                os.waitpid(process.pid, 0)


def end_marked(mark: str) -> None:
    """End all processes with this mark."""
    import psutil

    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get(MARK) == mark:
                process.kill()
