"""Programs that begin alike, each in a process of its own: a fork of one that has begun.

To start Python and to load the package takes a third of a second of CPU time, to fork takes five
milliseconds. A fork has loaded what the programs begin with, and nothing that another of them does.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Run = Callable[[str], "subprocess.CompletedProcess[str]"]
SERVER = """
import os, sys
exec(sys.argv[1])
for line in sys.stdin:
    program, *files = eval(line)
    child = os.fork()
    if not child:
        for number, file in enumerate(files, 1):
            os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        exec(program)
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""  # which imports nothing that Python has not at its start


@contextmanager
def forks(beginning: str, folder: Path, **options: Any) -> Iterator[Run]:
    """A function that runs a program after this beginning; what it prints goes through a folder.

    On systems other than Linux libraries may fail in a fork: there each program starts anew.
    """
    python = [sys.executable, "-c"]

    def anew(program: str) -> "subprocess.CompletedProcess[str]":
        whole = f"import os, sys\n{beginning}\n{program}"
        return subprocess.run([*python, whole], capture_output=True, text=True, **options)

    if sys.platform != "linux":
        yield anew
        return
    files = [str(folder / name) for name in ("stdout", "stderr")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, **options}
    with subprocess.Popen([*python, SERVER, beginning], **pipes) as server:

        def forked(program: str) -> "subprocess.CompletedProcess[str]":
            print(repr((program, *files)), file=server.stdin, flush=True)
            code = int(server.stdout.readline())
            texts = [Path(file).read_text("utf-8") for file in files]
            return subprocess.CompletedProcess(program, code, *texts)

        yield forked
        server.stdin.close()
