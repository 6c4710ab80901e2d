"""Many objects at once: while they are made, the cyclic collector waits."""

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident

from .methods import hook

_paused: set[int] = set()  # by these threads


@hook("uncollected")
@contextmanager
def uncollected() -> Iterator[None]:
    """Pause the collector while many nodes are built, five times faster at a million, or while
    modules are loaded. What was made counts as old then, so that it is not looked through at
    once."""
    was_on = gc.isenabled()
    try:
        if was_on:
            _paused.add(get_ident())
        gc.disable()
        yield
    finally:
        try:
            if was_on and not gc.get_freeze_count():
                make_old()
        finally:
            if was_on:
                gc.enable()
                _paused.discard(get_ident())


def make_old() -> None:
    """Count all objects as old. Ctrl-C between the two calls leaves none of them frozen."""
    try:
        gc.freeze()
    finally:
        gc.unfreeze()


def renew() -> None:
    """In the child of a fork: go on collecting where a thread paused that is not here."""
    if _paused - {get_ident()}:
        _paused.intersection_update({get_ident()})
        gc.enable()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=renew)
