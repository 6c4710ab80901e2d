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
    try:
        gc.disable()
        yield
    finally:
        try:
            if was_on and not gc.get_freeze_count():
                make_old()
        finally:
            if was_on:
                gc.enable()


def make_old() -> None:
    """Count all objects as old. Ctrl-C between the two calls leaves none of them frozen."""
    try:
        gc.freeze()
    finally:
        gc.unfreeze()
