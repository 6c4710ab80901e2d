"""In a notebook an error ends in the user's line: the frames of this package are left out.

They are in `sys.last_value.__traceback__` still: `traceback.print_exception(sys.last_value)`.
"""

import os
import sys
from sysconfig import get_paths
from types import FrameType, TracebackType
from typing import Any

from ..places import PACKAGE

FOLDERS = [get_paths()[name] + os.sep for name in ("stdlib", "platstdlib", "purelib", "platlib")]
LIBRARIES = (*FOLDERS, "<frozen", "<__array_function__")


def end_in_users_lines() -> None:
    """Say to the IPython that is running, if there is one, how it shows errors; a handler that is
    there already stays."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None and not shell.custom_exceptions:
        shell.set_custom_exc((Exception,), show)


def show(
    shell: Any, kind: Any, error: Any, traceback: TracebackType, tb_offset: Any = None
) -> None:
    """Show an error as IPython does, with the user's frames alone, and so what caused it."""
    causes: list[Any] = [error]
    while (cause := causes[-1].__cause__) is not None and cause not in causes:
        cause.__traceback__ = outside(cause.__traceback__)
        causes.append(cause)
    shell.showtraceback((kind, error, outside(traceback)), tb_offset=tb_offset)


def outside(traceback: TracebackType | None) -> TracebackType | None:
    """The traceback without the frames of this package, and of libraries that it calls."""
    parts: list[TracebackType] = []
    inside = False
    while traceback is not None:
        frame = traceback.tb_frame
        if is_ours(frame):
            inside = True
        elif not frame.f_code.co_filename.startswith(LIBRARIES):
            inside = False
        if not inside:
            parts.append(traceback)
        traceback = traceback.tb_next
    short = None
    for part in reversed(parts):
        short = TracebackType(short, part.tb_frame, part.tb_lasti, part.tb_lineno)
    return short


def is_ours(frame: FrameType) -> bool:
    """Is it of a file of this package, or of a program that the package has written?"""
    return frame.f_code.co_filename.startswith(PACKAGE) or "__name__" not in frame.f_globals


end_in_users_lines()
