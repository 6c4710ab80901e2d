"""The process that kernels of notebooks are forks of: it loads what lectures import."""

import json
import os
import sys

os.environ["MPLBACKEND"] = "module:" + "//matplotlib_inline.backend_inline"  # as a kernel does

import ipykernel.debugger  # noqa: F401
import matplotlib.pyplot  # noqa: F401
import scipy.integrate  # noqa: F401
import sklearn.datasets  # noqa: F401
from ipykernel.kernelapp import IPKernelApp

import autodiff_edu.show.views.film  # noqa: F401
from autodiff_edu.course.harness.supervisor import SUPERVISOR


def serve() -> None:
    """Be the kernel of the connection that the first line of the input names."""
    connection, server = json.loads(sys.stdin.readline()), os.getppid()
    SUPERVISOR.starter.fork()  # which has loaded all, too
    IPKernelApp.launch_instance(["-f", connection, f"--IPKernelApp.parent_handle={server}"])
