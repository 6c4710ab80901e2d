"""A loop of a page that does not end is stopped, by CPU time, with the line at which it was.

A busy machine does not matter. Where a system has no such timer, as Windows, nothing is stopped.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from .page import Page

SECONDS = 60.0  # of CPU time: all checks and lecture 05 take a fraction of it


@contextmanager
def stopped(page: Page, seconds: float = SECONDS) -> Iterator[None]:
    """Raise Wrong where the functions of a page take more CPU time than this.

    Parameters
    ----------
    page : Page
        What runs within.
    seconds : float, default: 60
        Of CPU time, in all.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def end(_: int, frame: FrameType | None) -> None:
        while frame is not None and frame.f_code.co_filename != page.name:
            frame = frame.f_back
        place = (frame.f_code.co_name, frame.f_lineno) if frame else ("the file itself", 1)
        why = f"it was stopped after {seconds:g} seconds of CPU time: does this loop end?"
        raise page.wrong(place[0], why, place[1])

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
