"""Kernels of notebooks are forked: one process loads what they need, and forks each of them.

A kernel that starts anew takes a second of CPU time until it has loaded what a lecture imports. So
on Linux a *provisioner* of our own starts them, which is jupyter_client's word for what does that.
With --all (tests/helpers/depth.py) each kernel is a new process, as a reader's is.
"""

import atexit
import json
import os
from importlib.metadata import EntryPoint
from typing import Any

import psutil
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

from autodiff_edu.course.harness.starter import FORKS, Starter
from tests.helpers import depth

NAME = "forks"
STARTER = Starter("tests.helpers.kernel")
atexit.register(STARTER.close)


def install() -> None:
    """Let the kernels that this process starts be forks."""
    if FORKS and depth.is_short():
        factory = KernelProvisionerFactory.instance(default_provisioner_name=NAME)
        door = f"{__name__}:{Provisioner.__name__}"
        factory.provisioners[NAME] = EntryPoint(NAME, door, factory.GROUP_NAME)


class Provisioner(LocalProvisioner):
    """Starts a kernel as a fork."""

    async def launch_kernel(self, cmd: list[str], **options: Any) -> Any:
        """Start it, with the word of a command that is the file of its connection."""
        self.cwd = options["cwd"]
        self.process = Kernel(cmd[cmd.index("-f") + 1], self.cwd, options["env"])
        self.pid = self.pgid = self.process.pid
        return self.connection_info


class Kernel:
    """A fork, used as a process of `subprocess` is."""

    stdin = stdout = stderr = None

    def __init__(self, connection: str, folder: str, environment: dict[str, str]) -> None:
        self.fork = STARTER.start(folder, **environment)
        self.pid = self.fork.pid
        self.fork.stdin.write(json.dumps(connection).encode() + b"\n")
        self.fork.stdin.close()
        self.fork.stdout.close()

    def poll(self) -> int | None:
        """None while it runs."""
        try:
            over = psutil.Process(self.pid).status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            over = True
        return 0 if over else None

    def wait(self) -> int:
        """Wait for its end."""
        self.fork.wait()
        return 0

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)
