"""Processes that begin while other threads are busy: a child never waits for a thread that it has
not got, and its shared values are those of one moment."""

import functools
import gc
import json
import multiprocessing
import os
import random
import sys
import threading

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import cached_property, collector, shared, uncollected
from tests.helpers.depth import some

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
PATIENCE = 60.0  # seconds; only a failure takes as long


def in_a_child(work):
    """What *work* returns in a child that is forked now. A child that waits for ever is ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writer, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(writer)
    timer = threading.Timer(PATIENCE, os.kill, (child, 9))
    timer.start()
    with os.fdopen(reader, "rb") as pipe:
        words = pipe.read()
    timer.cancel()
    os.waitpid(child, 0)
    assert words, "the child waits for a thread that it has not got"
    return json.loads(words)


class Halt:
    """Stops one thread at the k-th value that it writes, until it is told to go on."""

    def __init__(self, monkeypatch, k):
        self.there, self.go, self.left = threading.Event(), threading.Event(), k
        self.thread, found = None, shared.Shared.value
        write = lambda w, value: (self.stop(), found.fset(w, value))[0]
        monkeypatch.setattr(shared.Shared, "value", property(found.fget, write))

    def stop(self):
        if threading.current_thread() is self.thread:
            self.left -= 1
            if self.left < 0:
                self.there.set()
                self.go.wait()

    def start(self, work):
        self.thread = threading.Thread(target=work, daemon=True)
        self.thread.start()
        self.there.wait(PATIENCE)


@forks
@pytest.mark.parametrize("seed", some(range(6), 4))
def test_a_child_of_a_process_whose_thread_changes_values(seed, monkeypatch):
    """The thread is stopped between two writes. In its child every function runs, and all values
    are those of before the step or of after it."""
    draw = random.Random(seed)
    names = [f"w{k}" for k in range(draw.randint(2, 5))]
    values = [ad.shared(np.zeros(3), name) for name in names]
    order = draw.sample(values, len(values))
    step = ad.function([], [], updates=[(w, w + 1) for w in order])
    one = ad.function([], values[0].sum(), updates=[(values[-1], values[-1] + 1)])
    halt = Halt(monkeypatch, draw.randrange(len(values)))
    halt.start(step)

    def work():
        before = [w.get_value()[0] for w in values]
        step()
        one()
        values[0].set_value(np.full(3, 7.0))
        total = ad.evaluate(sum(values[1:], values[0]).sum())
        return before, [w.get_value()[0] for w in values], float(total)

    before, after, total = in_a_child(work)
    halt.go.set()
    halt.thread.join()
    assert before in ([0.0] * len(values), [1.0] * len(values))
    wanted = [7.0, *[b + 1 for b in before[1:-1]], before[-1] + 2]
    assert after == wanted and total == 3 * sum(wanted)
    assert [w.get_value()[0] for w in values] == [1.0] * len(values)  # the parent lost nothing


@forks
def test_a_fork_within_a_step_goes_on_in_the_child():
    """The thread that forks is there in the child, and holds what it held."""
    w, found = ad.shared(1.0, "w"), []

    class Forks(ad.Op):
        def infer_type(self, x):
            return x

        def perform(self, x):
            found.append(in_a_child(lambda: [float(w.get_value()), threading.active_count()]))
            return x

    other = ad.shared(0.0, "other")
    ad.function([], [], updates=[(w, Forks()(w) + 1), (other, other + 1)])()
    assert found == [[1.0, 1]] and [w.get_value(), other.get_value()] == [2.0, 1.0]


@forks
def test_a_fork_while_another_thread_draws_a_picture():
    gate, there = threading.Event(), threading.Event()
    from autodiff_edu.show.diagram import layout

    def busy():
        with layout.one_at_a_time:
            there.set()
            gate.wait()

    thread = threading.Thread(target=busy, daemon=True)
    thread.start()
    there.wait(PATIENCE)
    threading.Timer(0.01, gate.set).start()
    x = ad.scalar("x")
    assert in_a_child(lambda: len(ad.draw(x * x + 3).svg)) > 100


@forks
def test_a_fork_while_another_thread_has_paused_the_collector():
    gate, there = threading.Event(), threading.Event()

    def busy():
        with uncollected():
            there.set()
            gate.wait()

    thread = threading.Thread(target=busy, daemon=True)
    thread.start()
    there.wait(PATIENCE)
    with uncollected():
        in_child = in_a_child(lambda: [gc.isenabled(), len(collector._paused)])
    gate.set()
    thread.join()
    assert in_child == [True, 0] and gc.isenabled() and not collector._paused


@forks
def test_a_fork_while_another_thread_checks_an_answer():
    """The lock of a check is free in the child, which has a worker of its own."""
    from autodiff_edu.course.harness.supervisor import SUPERVISOR

    thread = threading.Thread(target=SUPERVISOR.lock.acquire)
    thread.start()
    thread.join()
    try:
        assert in_a_child(lambda: SUPERVISOR.lock.acquire(blocking=False))
    finally:
        SUPERVISOR.lock.release()


def rounds(w, count):
    """What a child computes of a shared value that comes to it."""
    step = ad.function([], w.sum(), updates=[(w, w + 1)])
    slope = ad.grad(lambda x: (x * x).sum())
    return [float(step()) for _ in range(count)], slope(w.get_value()).tolist()


def sent(pipe, w, count):
    pipe.send(rounds(w, count))


METHODS = [*["fork", "forkserver"] * (sys.platform == "linux"), "spawn"]


@pytest.mark.parametrize("method", some(METHODS, 6))
def test_processes_of_every_kind_begin_while_a_thread_is_busy(method):
    w, end = ad.shared(np.zeros(2), "w"), threading.Event()
    step = ad.function([], [], updates=[(w, w + 1)])
    thread = threading.Thread(target=lambda: [step() for _ in iter(end.is_set, True)], daemon=True)
    thread.start()
    context = multiprocessing.get_context(method)
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=sent, args=(theirs, w, 3), daemon=True)
    process.start()
    theirs.close()
    there = ours.poll(PATIENCE)
    end.set()
    thread.join()
    assert there, "the child waits for a thread that it has not got"
    sums, slopes = ours.recv()
    process.join()
    assert np.diff(sums).tolist() == [2.0, 2.0] and slopes == [sums[0] + 6] * 2


def test_no_value_that_is_computed_once_waits_for_that_of_another_object():
    """As `functools.cached_property` does on Python 3.11, while a graph is compiled."""

    class Slow:
        def __init__(self, other=None):
            self.other = other

        @cached_property
        def value(self):
            if self.other is None:
                return 1
            found = []
            thread = threading.Thread(target=lambda: found.append(self.other.value), daemon=True)
            thread.start()
            thread.join(PATIENCE)
            return sum(found) + 1

    slow = Slow(Slow())
    assert slow.value == 2 and vars(slow)["value"] == 2 and Slow.value.func(Slow()) == 1
    for module in [m for name, m in list(sys.modules.items()) if name.startswith("autodiff_edu.")]:
        for cls in [v for v in vars(module).values() if isinstance(v, type)]:
            for name, kept in vars(cls).items():
                if isinstance(kept, functools.cached_property):
                    assert type(kept) is cached_property, f"{module.__name__}.{cls.__name__}.{name}"
