"""How the processes of checks and answers are started: anew, or forked from one that is ready.

To start Python and to load the package takes a third of a second of CPU time, to fork takes five
milliseconds. So on Linux a *fork server* loads all, once, and forks whenever it is asked to. It has
one thread, and runs nothing that a student wrote: its forks are as good as new processes. On other
systems each process starts anew: Windows has no forks, and on macOS libraries may fail in them.
"""

import gc
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir
from threading import Lock
from typing import Any

from .cpu_time import end
from .identity import initialize
from .orphans import adopt, end_children, end_with_parent

FORKS = sys.platform == "linux"
PATIENCE = 60.0  # seconds of silence, after which a process is started without the server
LONGEST = 1 << 16  # bytes of a message
# Variables of Python's that change no result. Others do: under PYTHONOPTIMIZE no assert fails.
INNOCENT = {"PYTHONHOME", "PYTHONUTF8", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"}
KEEPER = """
import os, subprocess, sys, time
parent, child = os.getppid(), subprocess.Popen([sys.executable, "-c", sys.argv[1]])
while child.poll() is None:
    time.sleep(0.2)
    if os.getppid() != parent:
        os.killpg(0, 9)
"""  # starts a program, and stands between it and its starter, which the program may want to end


class Starter:
    """Starts processes that run the function `serve` of a module.

    Parameters
    ----------
    module : str
        Its name.
    keeper : bool, default: False
        Whether a process that starts anew is a child of a keeper, and not of this process. One that
        a server forks is a child of the server.
    """

    def __init__(self, module: str, keeper: bool = False) -> None:
        self.module, self.keeper, self.lock = module, keeper, Lock()
        self.server: Server | None = None

    def start(self, folder: str | None = None, **own: str) -> Any:
        """A process with pipes as input and output, in a folder and with variables of its own.

        Raises OSError if none can be started. A server that fails is replaced at the next start.
        """
        for _ in range(2 * FORKS):
            with self.lock, suppress(OSError):
                self.server = self.server or Server(self.module)
                return self.server.fork(folder, own)
            self.close()
        return anew(self.module, folder, self.keeper, **own)

    def fork(self, *pipes: Any) -> None:
        """Let a fork of this process, which has loaded all, be the server: without these pipes."""
        if FORKS:
            self.server = Server(self.module, pipes)

    def close(self) -> None:
        """End the server."""
        with self.lock:
            if self.server:
                self.server.close()
            self.server = None


def anew(
    module: str, folder: str | None = None, keeper: bool = False, **own: str
) -> subprocess.Popen:
    """A process that loads all itself."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    begins = f"from {initialize.__module__} import initialize; initialize()"
    program = f"from {module} import serve; {begins}; serve()"
    if keeper:
        return python(KEEPER, own, program, cwd=folder, **pipes)
    return python(program, own, cwd=folder, **pipes)


def python(program: str, own: dict[str, str], *words: str, **options: Any) -> subprocess.Popen:
    """A Python that finds what this one finds, in a session of its own: Ctrl-C is not for it. Sets
    have one order in all, so that an answer is judged alike each time."""
    path = os.pathsep.join([str(Path(place or ".").resolve()) for place in sys.path])
    common = {"PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", "OPENBLAS_NUM_THREADS": "1"}
    usual = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON") or k in INNOCENT}
    return subprocess.Popen(
        [sys.executable, "-c", program, *words],
        env=usual | common | {"PYTHONHASHSEED": "0"} | own,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        **options,
    )


# ---- the server, and its forks, seen from here


class Server:
    """A process that forks, and the line to it: a new Python, or a fork of this process."""

    def __init__(self, module: str, without: tuple[Any, ...] | None = None) -> None:
        self.lock, self.process = Lock(), None
        self.line, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
        self.line.settimeout(PATIENCE)
        with theirs:
            if without is None:
                program = f"from {__name__} import forks; forks({module!r})"
                self.process = python(program, {}, stdin=theirs, stdout=subprocess.DEVNULL)
            elif not os.fork():
                try:
                    os.setsid()
                    for pipe in (self.line, *without):
                        pipe.close()
                    forks(module, theirs)
                finally:
                    os._exit(0)

    def fork(self, folder: str | None, own: dict[str, str]) -> "Forked":
        """A fork of it. Raises OSError if it has ended, or does not answer."""
        (theirs, stdin), (stdout, ours) = os.pipe(), os.pipe()
        pipes = os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb")
        try:
            return Forked(self, self.ask({"folder": folder, "own": own}, theirs, ours), *pipes)
        except OSError:
            for pipe in pipes:
                pipe.close()
            raise
        finally:
            os.close(theirs)
            os.close(ours)

    def ask(self, order: dict[str, Any], *pipes: int) -> int:
        """Its answer. Raises OSError if there is none."""
        with self.lock:
            socket.send_fds(self.line, [json.dumps(order).encode()], pipes)
            answer = self.line.recv(LONGEST)
        if not answer:
            raise ConnectionError("the fork server has ended")
        return int(answer)

    def close(self) -> None:
        """End it. A fork of this process ends since the line does."""
        self.line.close()
        if self.process:
            end(self.process)


class Forked:
    """A process that a server has forked, used as those of `subprocess` are."""

    def __init__(self, server: Server, number: int, stdin: Any, stdout: Any) -> None:
        self.server, self.pid, self.stdin, self.stdout = server, number, stdin, stdout
        self.ended = False  # once it has, its number may be that of another process

    def kill(self) -> None:
        """End it at once."""
        if not self.ended:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def is_orphan(self) -> bool:
        """Has its server ended? One to which the end was sent says nothing more."""
        try:
            return self.server.ask({"ping": True}) != 0
        except OSError:
            return True

    def wait(self) -> None:
        """Wait until it is gone: after `kill`, since its server waits, too."""
        if not self.ended:
            with suppress(OSError):
                self.server.ask({"wait": self.pid})
        self.ended = True


# ---- in the server, and in its forks


def forks(module: str, line: socket.socket | None = None) -> None:
    """Load a module, and fork whenever the line asks for it: `serve` of the module runs there.

    A fork that has ended leaves nothing behind, and the end of the line is that of all forks. Of
    those that are alive then, folders are removed that are temporary: others are somebody's own.
    """
    program, alive = import_module(module), dict[int, str | None]()
    if line is None:  # it is a new Python
        line = socket.socket(fileno=os.dup(0))
        gc.collect()  # and freeze nothing: frozen things keep expr/collector.py from pausing
    adopt()
    while message := received(line):
        order, pipes = message
        if "wait" in order:
            number = os.waitpid(order["wait"], 0)[0]
            alive.pop(number, None)
            end_children(but=alive)
        elif "ping" in order:
            number = 0
        elif not (number := os.fork()):
            line.close()
            begin(pipes[0], pipes[1], order["folder"], order["own"])
            program.serve()
            os._exit(0)
        else:
            alive[number] = order["folder"]
        for pipe in pipes:
            os.close(pipe)
        line.send(b"%d" % number)
    end_children()
    for folder in filter(None, alive.values()):
        if Path(folder).resolve().is_relative_to(Path(gettempdir()).resolve()):
            rmtree(folder, ignore_errors=True)


def received(line: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """The next order with its pipes, or None at the end of the line."""
    try:
        message, pipes, *_ = socket.recv_fds(line, LONGEST, 2)
    except OSError:
        return None
    return (json.loads(message), pipes) if message else None


def begin(stdin: int, stdout: int, folder: str | None, own: dict[str, str]) -> None:
    """Be like a process that was started anew, in a folder and with variables of its own; but end
    with the server: who ends it, ends itself."""
    os.setsid()
    os.dup2(stdin, 0)
    os.dup2(stdout, 1)
    os.close(stdin)
    os.close(stdout)
    if folder:
        os.chdir(folder)
    os.environ.update(own)
    initialize()
    end_with_parent()
