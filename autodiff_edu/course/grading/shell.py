"""The notebook in which an answer runs: IPython, with two views of the names in it.

A student's cells have the names of the notebook. Our cells have the same, except that no cell of a
student's has replaced a name of ours or of Python's there: after `list = None` in one task, the
check of another still has its `list`, and the student's functions have the student's.
"""

import builtins
import warnings
from collections.abc import Iterable
from typing import Any

from IPython.core import application, completerlib, magics  # noqa: F401 - loaded before a fork
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

FOREIGN = {"pip", "conda", "mamba", "micromamba", "uv", "system", "sx", "!", "script", "sh", "bash",
           "perl", "ruby", "cmd", "python", "python2", "python3", "pypy"}  # fmt: skip
OF_NOTEBOOKS = {"matplotlib", "gui", "autosave", "connect_info", "qtconsole", "edit", "less",
                "more", "man"}  # fmt: skip
SHOWN = 60  # characters of a command


class Ours(dict):
    """The names for our cells: those of ours, then those of the student's, who hides no builtin.

    Parameters
    ----------
    own : dict
        The names for the student's cells.
    theirs : iterable of str
        The names that the student is to write: none of them is ours.
    """

    def __init__(self, own: dict[str, Any], theirs: Iterable[str]):
        super().__init__(own)  # what a notebook begins with
        self.own, self.theirs = own, set(theirs)

    def __contains__(self, name: Any) -> bool:
        return super().__contains__(name) or (name in self.own and not self.hides(name))

    def __missing__(self, name: str) -> Any:
        if self.hides(name):
            raise KeyError(name)
        return self.own[name]

    def hides(self, name: str) -> bool:
        """Would a name of the student's hide one of Python's, which it is not to do?"""
        return hasattr(builtins, name) and name not in self.theirs

    def share(self, before: dict[str, Any]) -> None:
        """Give the student's cells what our cell has defined. What is theirs is no more ours."""
        new = {k: v for k, v in self.items() if k not in before or before[k] is not v}
        self.own.update(new)
        for name in self.theirs & new.keys():
            del self[name]


class Shell(InteractiveShell):
    """IPython, as a notebook has it, without its history, and without the commands of a system."""

    refused: list[str]  # commands that were not run

    @classmethod
    def begun(cls, theirs: Iterable[str]) -> "Shell":
        """The one of this process."""
        warnings.simplefilter("ignore")
        quiet = Config(
            {"HistoryManager": {"enabled": False}, "InteractiveShell": {"colors": "NoColor"}}
        )
        shell = cls.instance(config=quiet)
        shell.refused, shell.names = [], (shell.user_ns, Ours(shell.user_ns, theirs))
        return shell

    @property
    def user_global_ns(self) -> dict[str, Any]:
        return self.user_ns

    def cell(self, source: str, is_answer: bool) -> BaseException | None:
        """Run a cell with the names of its writer. Return the error that it raised."""
        own, ours = self.names
        before = dict(ours)
        self.user_ns = own if is_answer else ours
        try:
            done = InteractiveShell.run_cell(self, source, store_history=False)
            return done.error_before_exec or done.error_in_exec
        finally:
            ours.share(before)
            self.user_ns = own

    # ---- what a notebook asks for, and has no place here

    def enable_gui(self, gui: Any = None) -> None:
        """Nothing: `%pylab inline` asks for it."""

    def ask_exit(self) -> None:
        """End the cell: `exit()` asks for it, and would end a notebook."""
        raise SystemExit("this cell asked to end the notebook")

    def refuse(self, command: str) -> None:
        """Say that a command is not run: it might change the environment of the grader."""
        command = " ".join(command.split())[:SHOWN]
        self.refused.append(command)
        print(f"`{command}` is not run where an answer is graded: it may change what is installed")

    def system(self, cmd: str) -> None:
        self.refuse(f"!{cmd}")

    system_raw = system_piped = system

    def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> Any:
        self.refuse(f"!{cmd}")
        return [] if split else ""

    def run_line_magic(self, magic_name: str, line: str, _stack_depth: int = 1) -> Any:
        if magic_name in FOREIGN:
            return self.refuse(f"%{magic_name} {line}")
        if magic_name in OF_NOTEBOOKS:
            return None
        return super().run_line_magic(magic_name, line, _stack_depth + 1)

    def run_cell_magic(self, magic_name: str, line: str, cell: str) -> Any:
        if magic_name in FOREIGN:
            return self.refuse(f"%%{magic_name} {line}")
        return super().run_cell_magic(magic_name, line, cell)
