"""Ctrl-C, at any moment: warnings, collector and origins are afterwards as they were.

Protects the session of who stops a long loop: Python raises KeyboardInterrupt after a call, also
after the very call that changed a setting.
"""

import gc
import signal
import time

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import collector, origin
from autodiff_edu.run import entry
from tests.helpers.depth import length


class Interrupted:
    """Something one of whose methods is interrupted, once, when its work is done."""

    def __init__(self, inner, method):
        self.inner, self.method = inner, method

    def __getattr__(self, name):
        found = getattr(self.inner, name)
        if name != self.method:
            return found

        def call(*args):
            self.method = ""
            found(*args)
            raise KeyboardInterrupt

        return call


def chain(x, n):
    """A sum of n + 1 terms."""
    y = x
    for _ in range(n):
        y = y + x
    return y


def test_what_is_counted_as_old_is_not_frozen(monkeypatch):
    x = ad.scalar("x")
    y = chain(x, 100)  # of few nodes none is collected
    for method in ("disable", "get_freeze_count", "freeze", "unfreeze", "enable"):
        monkeypatch.setattr(collector, "gc", Interrupted(gc, method))
        with pytest.raises(KeyboardInterrupt):
            ad.forward_mode(y, x)
        assert gc.isenabled() and not gc.get_freeze_count(), method


def test_later_nodes_do_not_descend_from_what_was_interrupted(monkeypatch):
    x = ad.scalar("x")
    y = x * x
    with monkeypatch.context() as patched:
        patched.setattr(origin, "making", Interrupted(origin.making, "set"))
        with pytest.raises(KeyboardInterrupt):
            ad.forward_mode(y, x)
    assert "test_interrupted.py" in str((x + 1).origin)


@pytest.mark.skipif(entry.STATE is None, reason="this NumPy keeps its settings elsewhere")
def test_warnings_are_not_silent_afterwards(monkeypatch):
    x = ad.vector("x")
    f, before = ad.function(x, ad.exp(x)), np.geterr()
    monkeypatch.setattr(entry, "STATE", Interrupted(entry.STATE, "set"))
    with pytest.raises(KeyboardInterrupt):
        f(np.ones(3))
    assert np.geterr() == before


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no such timer")
def test_real_interrupts_change_no_setting():
    handler = signal.signal(signal.SIGALRM, signal.default_int_handler)
    x = ad.vector("x", shape=3)
    f, before, rng = ad.function(x, ad.exp(x)), np.geterr(), np.random.default_rng(0)
    acts = [lambda: f(np.ones(3)), lambda: ad.forward_mode(ad.sum(ad.tanh(x)), x)]
    try:
        for k in range(length(300)):
            with pytest.raises(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, rng.uniform(0.0005, 0.003))
                start = time.monotonic()
                while time.monotonic() < start + 60:
                    acts[k % 2]()
            assert np.geterr() == before and gc.isenabled() and not gc.get_freeze_count(), k
            assert origin.making.get() is None, k
    finally:
        signal.signal(signal.SIGALRM, handler)
