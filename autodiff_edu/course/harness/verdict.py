"""What became of a check: the verdict, in words alone, so that it can be sent from one process to
another.
"""

import io
import linecache
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from contextvars import ContextVar
from typing import Any, NamedTuple

from .feedback import Ended, Stopped, Unsolved, Wrong
from .guard import is_installed
from .limits import counting_down, limits
from .sketch import Sketch, display, sketches

LONGEST = 4_000  # characters of a message
KINDS: dict[str, type[Wrong]] = {
    "wrong": Wrong,
    "unsolved": Unsolved,
    "stopped": Stopped,
    "ended": Ended,
}
JUDGING = ContextVar("JUDGING", default=False)  # is a check under way in this process?


class Verdict(NamedTuple):
    """Right, wrong, unsolved, stopped or ended; why; what was printed, and what is to be drawn."""

    kind: str
    message: str = ""
    printed: str = ""
    page: Sequence[Sketch] = ()

    def deliver(self) -> None:
        """Print what was printed, and raise what is to be raised."""
        print(self.printed, end="")
        display(self.page)
        if self.kind != "right":
            raise KINDS[self.kind](self.message)


def verdict(check: Callable[[], None], name: str, alone: bool) -> Verdict:
    """Run a check of the function `name`, within the limits that hold now."""
    out = Paper(limits().printed)
    with sketches() as page:
        kind, message = outcome(check, name, out, alone)
    return Verdict(kind, message, out.getvalue(), page)


def outcome(check: Callable[[], None], name: str, out: "Paper", alone: bool) -> tuple[str, str]:
    """The kind of a verdict, and its message."""
    try:
        with judging(out, alone):
            check()
        return "right", ""
    except MemoryError as error:
        words = f"{name}: more than {limits().memory / 1e6:,.0f} MB of memory would be needed"
        words = "\n  at        ".join([words, *getattr(error, "__notes__", ())])
        return "wrong", words
    except Wrong as wrong:
        kind = next((k for k, its in KINDS.items() if type(wrong) is its), "wrong")
        return kind, str(wrong)[:LONGEST]
    except (Exception, SystemExit) as error:  # of the checker, which did not expect such an answer
        words = f"{name}: this answer cannot be judged: {told(error)}"
        return "wrong", words[:LONGEST]


@contextmanager
def judging(out: io.StringIO, alone: bool) -> Iterator[None]:
    """A check is under way; what it prints is kept."""
    before = JUDGING.set(True)
    try:
        with counting_down(alone), redirect_stdout(out), redirect_stderr(out):
            yield
    finally:
        JUDGING.reset(before)


class Paper(io.StringIO):
    """Printed text, of which only the first characters are kept."""

    def __init__(self, most: int):
        super().__init__()
        self.most, self.length = most, 0

    def write(self, text: str) -> int:
        left = self.most - self.length
        self.length += len(text)
        if left > 0:
            super().write(text[:left])
            if self.length > self.most:
                super().write(f"\n... (more than {self.most:,} characters were printed)\n")
        return len(text)


def told(error: BaseException) -> str:
    """The class and the text of an error, and the student's lines that led to it."""
    steps = [(frame.f_code, number) for frame, number in traceback.walk_tb(error.__traceback__)]
    own = [line(code, n) for code, n in steps if not is_installed(code.co_filename)]
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return "\n  in        ".join([said[:LONGEST], *own[-3:]])


def line(code: Any, number: int) -> str:
    """A line of a function, as text where that is known."""
    text = linecache.getline(code.co_filename, number).strip()
    return f"{code.co_name}: {text}" if text else f"{code.co_name}, line {number}"
