"""What is dropped is gone: graphs, programs, traced functions and the code that they came from.

Protects a long session, of a notebook or of a test worker, from caches without a bound. Nightly the
numbers are those of the promise: ten thousand of each within 50 MB.
"""

import gc
import importlib
import os
import subprocess
import sys
import tracemalloc

import numpy as np

import autodiff_edu as ad
from autodiff_edu.core import op
from autodiff_edu.expr import places
from autodiff_edu.functions.kept import KEPT
from dev import ROOT
from tests.helpers.depth import is_short

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
tracing = importlib.import_module("autodiff_edu.functions.traced")
LENDERS, STATES = tracing.LENDERS, tracing.STATES
MANY = 10_000 if NIGHTLY else 20 if is_short() else 100
FULL = 12 if is_short() else 40  # so many entries have the caches that are filled sooner


def compiled(k):
    x = ad.scalar("x")
    ad.function(x, ad.grad(ad.sin(x) * x + k, x))(0.5)


def of_another_shape(k):
    x = ad.vector("x", shape=k + 3)
    ad.evaluate(ad.grad(ad.sin(x).sum(), x), {x: np.ones(k + 3)})


def traced(k):
    ad.grad(lambda x: np.sin(x) * x + k)(0.5)


def traced_from_new_code(k):
    ad.grad(eval(f"lambda x: np.sin(x) * x + {k}", {"np": np}))(0.5)


def boxed(k):
    x = ad.scalar("x")
    ad.evaluate(ad.grad(ad.OpFromGraph([x], [ad.sin(x) * (k + 0.5)])(x), x), {x: 0.5})


BYTES = {  # twice what each that was built and dropped leaves in caches that are not full yet
    compiled: 400,
    of_another_shape: 1_200,
    traced: 400,
    traced_from_new_code: 2_200,
    boxed: 400,
}


def growth(work, numbers):
    """Return the bytes that are kept of what *work* builds and drops for these numbers."""
    gc.collect()
    tracemalloc.start()
    try:
        for k in numbers:
            work(k)
        assert len(LENDERS) <= KEPT  # paths that may be lent are dropped in their turn
        assert all(len(states) <= STATES for lent in LENDERS.values() for states in lent.values())
        LENDERS.clear()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def assert_nothing_is_left(work, many):
    """Build and drop so many, and see what is left. To be run in a process of its own."""
    if not NIGHTLY:  # the bounds of the caches are met sooner
        op.REMEMBERED = places.REMEMBERED = FULL
    begin = FULL + 10
    for k in range(begin):
        work(k)
    if NIGHTLY:
        assert growth(work, range(begin, begin + many)) < 50e6
    else:  # a leak is there in every round, a table that becomes larger in one of them
        rounds = [growth(work, range(k, k + many)) for k in range(begin, begin + 3 * many, many)]
        assert min(rounds) < many * BYTES[work], (work.__name__, rounds)
    assert len(places._places) <= places.REMEMBERED
    assert all(len(each._types) <= op.REMEMBERED for each in (ad.sin, ad.cos))


def test_what_is_built_and_dropped_leaves_nothing():
    """Beside other tests and what they keep, each look of the collector takes a second."""
    command = [sys.executable, "-m", "tests.whole.test_memory", str(MANY)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


if __name__ == "__main__":
    gc.collect()
    gc.freeze()  # what is imported stays, and no look of the collector at it is needed
    for each in BYTES:
        assert_nothing_is_left(each, int(sys.argv[1]))
