"""The worker, seen from the notebook: it is started, given jobs, stopped in time, and replaced."""

import atexit
import json
import os
import pickle
import subprocess
import sys
import time
from threading import Event, Lock, Thread
from typing import Any

from .guard import UNENDING
from .limits import HAS_LIMIT, Limits
from .verdict import Verdict

GRACE = 0.5  # seconds after the time is over, in which the worker may still say more than that
PROGRAM = "from autodiff_edu.course.harness.worker import serve; serve()"


class NoWorker(Exception):
    """There is no second process; the text says why."""


class Worker:
    """A second process, and the pipes to it."""

    def __init__(self) -> None:
        path = os.pathsep.join([place or os.getcwd() for place in sys.path])
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"},
            start_new_session=True,  # Ctrl-C in a terminal is for the notebook alone
        )
        self.owner, self.ready = os.getpid(), False

    def judge(self, job: Any) -> tuple[bool, Verdict]:
        """May it be given another job, and the verdict. Raises NoWorker if it cannot start."""
        if not self.ready and not self.said():
            raise NoWorker("since it did not start")
        self.ready = True
        done, stopped = Event(), list[str]()
        Thread(target=self.oversee, args=(job.limits, done, stopped), daemon=True).start()
        try:
            answer = self.asked(job)
        finally:
            done.set()
        if not answer:
            why = stopped or ["it ended the process in which it ran, as an endless recursion may"]
            return False, Verdict("wrong", f"{job.name}: {why[0]}")
        fresh, *found = json.loads(answer)
        return fresh, Verdict(*found)

    def asked(self, job: Any) -> bytes:
        """The answer to a job, or nothing where the process has ended."""
        assert self.process.stdin is not None
        try:
            pickle.dump(tuple(job), self.process.stdin)
            self.process.stdin.flush()
        except OSError:
            return b""
        return self.said()

    def said(self) -> bytes:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def oversee(self, allowed: Limits, done: Event, stopped: list[str]) -> None:
        """Stop the process when its time is over, or where only its size tells what it needs."""
        end = time.perf_counter() + allowed.seconds + GRACE
        while not done.wait(0.05):
            if time.perf_counter() > end:
                stopped.append(f"no verdict after {allowed.seconds:g} seconds: {UNENDING}")
            elif not HAS_LIMIT and size(self.process.pid) > allowed.memory:
                stopped.append(f"more than {allowed.memory / 1e6:,.0f} MB of memory were needed")
            else:
                continue
            self.process.kill()
            return

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()


def size(process: int) -> int:
    """The bytes of memory that a process has now."""
    import psutil

    try:
        return psutil.Process(process).memory_info().rss
    except psutil.Error:
        return 0


class Supervisor:
    """Keeps one worker for the checks of this process."""

    def __init__(self) -> None:
        self.worker: Worker | None = None
        self.renew()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.renew)
        atexit.register(self.dismiss)

    def renew(self) -> None:
        """Begin with a lock that is free: in the child of a fork no other thread holds it."""
        self.lock = Lock()

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
                self.worker = Worker()
            except OSError:
                raise NoWorker("since none can be started here") from None
        return self.worker

    def dismiss(self) -> None:
        if self.worker is not None and self.worker.owner == os.getpid():
            self.worker.stop()
        self.worker = None


SUPERVISOR = Supervisor()
