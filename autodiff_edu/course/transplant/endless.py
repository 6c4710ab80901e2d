"""A loop of a page that does not end is stopped, by CPU time, with the line at which it was.

A busy machine does not matter. Where a system has no such timer, as Windows, nothing is stopped.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from ..harness.feedback import Stopped

SECONDS = 60.0  # of CPU time: all checks and lecture 05 take a fraction of it
AGAIN = 0.01  # seconds to the next try, where a page has caught the error


@contextmanager
def cpu_limit(*names: str, seconds: float = SECONDS) -> Iterator[None]:
    """Raise Stopped where the code of these files takes more CPU time than this.

    Parameters
    ----------
    *names : str
        The files whose code runs within, as messages call them.
    seconds : float, default: 60
        Of CPU time, in all.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    raised = False

    def end(_: int, frame: FrameType | None) -> None:
        nonlocal raised
        while frame is not None and frame.f_code.co_filename not in names:
            frame = frame.f_back
        if frame is None and raised:  # the error is on its way
            return
        raised = True
        why = f"it was stopped after {seconds:g} seconds of CPU time: does this loop end?"
        raise Stopped(f"{place_of(frame) or names[0]}: {why}")

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def place_of(frame: FrameType | None) -> str:
    """The file, the line and the function of a frame; empty without one."""
    if frame is None:
        return ""
    function = frame.f_code.co_name
    inside = "the file itself" if function == "<module>" else function
    return f"{frame.f_code.co_filename}, line {frame.f_lineno}, in {inside}"
