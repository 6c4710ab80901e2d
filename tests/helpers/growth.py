"""Work that grows no faster than what it is done on, told by two lengths and their ratio.

Processor time: what else the machine does hardly counts. A disturbed reading is taken again, on new
objects, since the old ones may remember.
"""

import gc
import time

TIMES = 4  # the longer is so many times as long
BOUND = 8  # linear work takes 4 times as long, quadratic 16 times
BLUR = 0.02  # seconds: what takes less says nothing about its growth
ATTEMPTS = 3


def seconds(work, what):
    """Processor time of one run, without the collector, whose turns come at any moment."""
    gc.disable()
    try:
        begun = time.process_time()
        work(what)
        return time.process_time() - begun
    finally:
        gc.enable()


def assert_linear(work, make, length):
    """`work(make(length, attempt))` takes the time of linear work."""
    readings = []
    for attempt in range(ATTEMPTS):
        little, much = (seconds(work, make(n, attempt)) for n in (length // TIMES, length))
        readings.append(much / max(little, BLUR))
        if readings[-1] < BOUND:
            return
    raise AssertionError(f"{TIMES} times the length takes {min(readings):.0f} times the time")
