"""The worker, seen from the notebook: it is started, given jobs, stopped in time, and replaced."""

import atexit
import json
import os
import pickle
from contextlib import nullcontext, suppress
from math import inf
from secrets import token_hex
from threading import Lock
from typing import Any, NamedTuple

from .clock import Clock, oversight
from .cpu_time import Tree, end
from .limits import HAS_LIMIT, limits
from .starter import Forked, Starter
from .verdict import Verdict

GRACE = 0.5  # seconds of CPU time after the end, in which the worker may still say more than that
MODULE = "autodiff_edu.course.harness.worker"


class NoWorker(Exception):
    """There is no second process; the text says why."""


class Worker:
    """A second process, and the pipes to it."""

    def __init__(self, process: Any) -> None:
        self.process = process
        self.owner, self.ready = os.getpid(), False

    def judge(self, job: Any) -> tuple[bool, Verdict]:
        """May it be given another job, and the verdict. Raises NoWorker if it cannot start."""
        self.start()
        stopped: list[Verdict] = []
        mark = token_hex()  # stands in the answer, and no student's function knows it

        def stop(kind: str, why: str) -> None:
            stopped.append(Verdict(kind, f"{job.name}: {why}"))
            end(self.process)

        meter = self.meter()
        clock = Clock(meter, job.limits.seconds, job.limits.wait, GRACE)
        size = Size(meter, job.limits.memory)
        by_size = nullcontext() if HAS_LIMIT else oversight(size, lambda why: stop("wrong", why))
        with by_size, oversight(clock, lambda why: stop("stopped", f"no verdict {why}")):
            answer = self.asked(mark, job)
        if stopped:
            return False, stopped[0]
        if not answer or isinstance(self.process, Forked) and self.process.is_orphan():
            ended = "it ended the process in which it ran, as an endless recursion may"
            return False, Verdict("ended", f"{job.name}: {ended}")
        try:
            said, fresh, *found = json.loads(answer)
        except (TypeError, ValueError):
            said = ""
        if said != mark:
            return False, Verdict("ended", f"{job.name}: it wrote into the pipe of the check")
        return fresh, Verdict(*found)

    def start(self) -> None:
        """Wait until it is ready: the time of its start is not that of a check."""
        if not self.ready:
            with oversight(Clock(self.meter(), inf, limits().wait), lambda _: end(self.process)):
                self.ready = bool(self.said())
        if not self.ready:
            raise NoWorker("since it did not start")

    def meter(self) -> Tree:
        """Says how much CPU time it uses. It begins a check without children."""
        try:
            return Tree(self.process.pid, has_children=False)
        except (ImportError, ProcessLookupError) as error:
            raise NoWorker(f"since its CPU time cannot be read ({error})") from None

    def asked(self, mark: str, job: Any) -> bytes:
        """The answer to a job, or nothing where the process has ended."""
        try:
            pickle.dump((mark, *job), self.process.stdin)
            self.process.stdin.flush()
        except OSError:
            return b""
        return self.said()

    def said(self) -> bytes:
        return self.process.stdout.readline()

    def stop(self) -> None:
        end(self.process)
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):  # it ended before it had read all
                pipe.close()


class Size(NamedTuple):
    """The bytes of memory that a process may have, with all that it starts."""

    tree: Tree
    most: int

    def over(self) -> str:
        """The reason to end it, if it has more."""
        more = self.tree.size() > self.most
        return f"more than {self.most / 1e6:,.0f} MB of memory were needed" * more

    def pause(self) -> float:
        """How long to wait for the next look: memory grows fast."""
        return 0.05


class Supervisor:
    """Keeps one worker for the checks of this process."""

    def __init__(self) -> None:
        self.worker: Worker | None = None
        self.renew()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.renew)
        atexit.register(self.close)

    def renew(self) -> None:
        """Begin with a lock that is free: in the child of a fork no other thread holds it."""
        self.lock, self.starter = Lock(), Starter(MODULE)

    def judge(self, job: Any) -> Verdict:
        """The worker's verdict. Raises NoWorker where there can be none."""
        with self.lock:
            worker, kept = self.hired(), False
            try:
                kept, found = worker.judge(job)
            finally:
                if not kept:  # stopped, spoiled, or interrupted by the student
                    self.dismiss()
        if not kept:
            self.hired()  # the next one starts while the student reads
        return found

    def hired(self) -> Worker:
        if self.worker is None or self.worker.owner != os.getpid():
            try:
                self.worker = Worker(self.starter.start())
            except OSError:
                raise NoWorker("since none can be started here") from None
        return self.worker

    def dismiss(self) -> None:
        if self.worker is not None and self.worker.owner == os.getpid():
            self.worker.stop()
        self.worker = None

    def close(self) -> None:
        """End the worker, and what starts the next one."""
        self.dismiss()
        self.starter.close()


SUPERVISOR = Supervisor()
