"""A grader with a process of its own, as a person starts it in a folder.

Until a new Python has loaded what it and its fork server need, it takes two seconds of CPU time. So
by default a grader, and its server, are forks of one process that has loaded all. With --all
(tests/helpers/depth.py) each is a new Python.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
from contextlib import suppress

from autodiff_edu.command.app import commands
from autodiff_edu.course.grading import score
from autodiff_edu.course.grading.run import RUNNER
from autodiff_edu.course.harness.starter import Starter
from tests.helpers.depth import is_short

__import__(RUNNER)


def start(folder, *words):
    """A grader that works in a folder, used as those of `subprocess` are."""
    return Forked(folder, words) if is_short() else anew(folder, words)


def anew(folder, words):
    program = (sys.executable, "-m", "autodiff_edu", *words)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    here = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(program, cwd=folder, env=here, preexec_fn=hears_interrupts, **pipes)


def hears_interrupts():
    """As in a terminal: who runs in the background of a shell ignores them, with all children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Forked:
    """A fork. It writes into a file, which is read when it has ended."""

    def __init__(self, folder, words):
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([__name__])
        self.printed = folder / "printed"
        self.process = context.Process(target=work, args=(self.printed, words))
        self.process.start()
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.join()

    @property
    def returncode(self):
        return self.process.exitcode

    def poll(self):
        return self.returncode

    def send_signal(self, number):
        os.kill(self.pid, number)

    def communicate(self):
        """What it has printed at its end, and no errors: they are printed, too."""
        self.process.join()
        return self.printed.read_text("utf-8"), None


def work(printed, words):
    """Be the command `autodiff-edu` with these words."""
    os.chdir(printed.parent)
    with open(printed, "wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    score.Starter = Loaded
    commands(words)


class Loaded(Starter):
    """Its server is a fork of this process."""

    def __init__(self, module, keeper):
        super().__init__(module, keeper)
        self.fork()

    def close(self):
        """End the server, and wait until it has ended its forks."""
        super().close()
        with suppress(ChildProcessError):
            os.wait()
