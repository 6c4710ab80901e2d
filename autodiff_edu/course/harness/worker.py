"""The process in which checks run: it reads a job, judges, writes the verdict, and waits.

What a student's function does to names, modules and memory is done here, and stays here. Whatever
is left behind ends with this process: `fresh` says whether the next check may use it.
"""

import json
import linecache
import os
import pickle
import sys
import threading
from typing import Any, BinaryIO

import numpy as np

from .guard import is_own
from .limits import Limits, limited, memory_in_use, short_of_memory
from .verdict import Verdict, verdict

READY = b"ready\n"
WATCH = b"ready, and its memory has no limit\n"  # said where it is to be watched from outside
SPARE = 100_000_000  # bytes that a check may leave behind, since libraries keep some
SHARED = {"builtins", "math", "numpy", "numpy.linalg", "numpy.random"}  # modules that students know
SHARED |= {".".join(__name__.split(".")[:k]) for k in (1, 2)}  # autodiff_edu, and its course


def serve() -> None:
    """Judge jobs until there are none."""
    jobs, verdicts = private(0, "rb"), private(1, "wb")
    send(verdicts, READY)
    while said := next_job(jobs):
        mark, *job = said
        before = surroundings()
        found = judged(*job)
        fresh = unchanged(before)
        send(verdicts, json.dumps([mark, fresh, *found]).encode() + b"\n")


def private(descriptor: int, mode: str) -> Any:
    """The pipe behind standard input or output, where no print and no input() can reach it. Forks
    of this process do not have it: else it would have no end while one of them goes on."""
    pipe = os.fdopen(os.dup(descriptor), mode)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=pipe.close)
    with open(os.devnull, mode) as nothing:
        os.dup2(nothing.fileno(), descriptor)
    return pipe


def send(pipe: BinaryIO, line: bytes) -> None:
    pipe.write(line)
    pipe.flush()


def next_job(jobs: BinaryIO) -> tuple[Any, ...] | None:
    """(mark, name, limits, path, sources, work), or None at the end."""
    try:
        return pickle.load(jobs)
    except EOFError:
        return None


def judged(name: str, limits: Limits, path: list[str], sources: dict, work: bytes) -> Verdict:
    """The verdict on one job. The check comes as bytes, since reading them is a part of it."""
    sys.path[:] = path
    for file, lines in sources.items():
        linecache.cache[file] = len(lines), None, lines, file

    def check() -> None:
        checker, args, how = pickle.loads(work)
        checker(*args, **how)

    with limited(**limits._asdict()), short_of_memory(limits.memory):
        return verdict(check, name, alone=False)


# ---- is everything as it was?


def surroundings() -> Any:
    """What a student's function should leave as it is."""
    own = [name for name, m in list(sys.modules.items()) if is_own(m)]
    alive = threading.active_count(), has_children()
    state = os.getcwd(), sys.getrecursionlimit(), alive, np.geterr(), own
    return state, [dict(vars(sys.modules[name])) for name in sorted(SHARED)], memory_in_use()


def has_children() -> bool:
    """Did a check leave a process behind?"""
    if not hasattr(os, "waitid"):
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def unchanged(before: Any) -> bool:
    """Modules may get names, as they are loaded; names may not get other values."""
    state, modules, memory = surroundings()
    kept = [
        all(now.get(name) is value for name, value in then.items())
        for then, now in zip(before[1], modules, strict=True)
    ]
    return state == before[0] and all(kept) and memory < before[2] + SPARE
