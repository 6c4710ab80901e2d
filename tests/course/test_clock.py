"""The clock of checks, cells and answers: CPU time, of a process and of all that it starts."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from threading import Thread
from types import SimpleNamespace

import psutil
import pytest

from autodiff_edu.course.harness import clock as clock_module
from autodiff_edu.course.harness.clock import LOOKS, Clock
from autodiff_edu.course.harness.cpu_time import Own, Tree, end, processors
from tests.helpers.depth import draws, some

# ---- the clock, with a day of its own


class Day:
    """A time that passes when it is told to, and a meter of work that gets a share of it."""

    def __init__(self, share=0.0):
        self.now, self.work, self.share = 1000.0, 0.0, share

    def used(self):
        return self.work

    def waiting(self):
        return "does it sleep?"

    def passes(self, seconds):
        self.now += seconds
        self.work += seconds * self.share


@pytest.fixture
def day(monkeypatch):
    day = Day()
    monkeypatch.setattr(clock_module, "time", SimpleNamespace(monotonic=lambda: day.now))
    return day


def until_over(day, clock, hours=3):
    """Look as often as the clock says. Return the reason, when, and how many looks it took."""
    looks = 0
    while day.now < 1000 + 3600 * hours:
        day.passes(clock.pause())
        looks += 1
        if reason := clock.over():
            return reason, day.now - 1000, looks
    return "", day.now - 1000, looks


@pytest.mark.each("share", [4, 1, 0.5, 0.1, 0.01, 0.002])
def test_work_ends_when_its_cpu_time_is_used_whatever_its_share_of_a_processor(day, share):
    day.share = share
    reason, _, looks = until_over(day, Clock(day, 8, 60))
    assert reason.startswith("after 8 seconds of CPU time: is there a loop that does not end")
    assert 8 < day.work < 8 + max(0.1, 6 * share)
    assert looks < 10 + (day.now - 1000) / 4.9


@pytest.mark.each("share", [0, 0.0001, 0.0015])
@pytest.mark.each("before", [0, 3, 7.9])
def test_work_that_waits_ends_after_a_minute(day, share, before):
    """Also where little is left of its time: then the looks must not come as often as before."""
    clock = Clock(day, 8, 60)
    day.work = before
    clock.over()
    day.share = share
    reason, seconds, looks = until_over(day, clock)
    assert reason == "after 60 seconds without work: does it sleep?"
    assert 60 <= seconds < 125 and looks < 30


def test_who_looks_may_be_stopped_himself(day):
    """As by Ctrl-Z, or with the lid of a laptop: the work did nothing in an hour, and is not to
    blame."""
    clock = Clock(day, 8, 60)
    for _ in range(LOOKS // 2):
        day.passes(3600)
        assert clock.over() == ""


def test_a_clock_gives_grace(day):
    day.share = 1
    clock = Clock(day, 2, 60, grace=0.5)
    day.passes(2.4)
    assert clock.over() == ""
    day.passes(0.2)
    assert clock.over().startswith("after 2 seconds")


# ---- the meters


def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_own_time_is_no_time_of_the_day():
    meter = Own()
    time.sleep(0.2)
    asleep = meter.used()
    burn(0.1)
    assert asleep < 0.1 <= meter.used() < 0.2 + asleep
    subprocess.run([sys.executable, "-c", "sum(range(3 * 10**6))"])
    assert meter.used() > 0.11  # with that of a child that ended


FAMILY = """
import json, os, signal, sys, time
def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
def member(plan):
    burn(plan["burns"])
    for child in plan["children"]:
        if not os.fork():
            member(child)
            os.kill(os.getpid(), signal.SIGSTOP)  # until its last work has been looked at
            os._exit(0)
        if child["waits"]: os.wait()
    burn(plan["burns"])
    if plan["stays"]: time.sleep(3600)
sys.stdin.readline()
member(json.loads(sys.argv[1]))
print("done", flush=True)
sys.stdin.readline()
"""


def family(draw, depth=0):
    """A process that burns some time, and its children, for some of which it waits."""
    waits = draw.random() < 0.6
    children = [family(draw, depth + 1) for _ in range(draw.randrange(4 - depth))]
    stays = depth > 0 and not waits and draw.random() < 0.5
    return {"burns": draw.random() / 10, "waits": waits, "stays": stays, "children": children}


def burned(plan):
    return 2 * plan["burns"] + sum(map(burned, plan["children"]))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.each("seed", some(range(draws(5, least=4)), 5, turn=3))
def test_all_of_a_family_count_those_that_ended_too(seed):
    """Each second of a process, its children and theirs is counted once: of those that are waited
    for, that stay, and that are never waited for."""
    plan = family(random.Random(seed))
    process = subprocess.Popen(
        [sys.executable, "-c", FAMILY, json.dumps(plan)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    meter = Tree(process.pid)
    try:
        start, wanted = meter.used(), burned(plan)
        process.stdin.write("go\n")
        process.stdin.flush()
        done = Thread(target=process.stdout.readline)
        done.start()
        while done.is_alive() or busy(process.pid):
            ready = in_state(process.pid, psutil.STATUS_STOPPED)
            meter.used()
            for child in ready:
                child.send_signal(signal.SIGCONT)
            time.sleep(0.003)
        ticks = 0.01 * (1 + sum(1 for _ in members(plan)))  # a system counts hundredths of a second
        assert 0.8 * wanted - ticks < meter.used() - start < 1.3 * wanted + ticks + 0.05
    finally:
        end(process)
        process.stdin.close()
        process.stdout.close()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs SIGSTOP")
def test_what_is_used_between_two_laps_is_in_one_of_them():
    """A cell begins when the one before it has ended, and not when somebody looks at it."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
    try:
        hold(process.pid)
        whole, meter, laps = Tree(process.pid), Tree(process.pid), []
        process.send_signal(signal.SIGCONT)
        while whole.used() < 0.2 or len(laps) < 3:
            laps.append(meter.lap())
        hold(process.pid)
        assert sum(laps) + meter.lap() == pytest.approx(whole.used())
        assert meter.used() == 0
    finally:
        end(process)


def hold(number):
    """Stop a process, and wait until it is stopped."""
    process = psutil.Process(number)
    process.send_signal(signal.SIGSTOP)
    while process.status() != psutil.STATUS_STOPPED:
        time.sleep(0.001)


def busy(number):
    """Is a child of this process at work, or does it wait to be looked at?"""
    return in_state(number, psutil.STATUS_RUNNING, psutil.STATUS_STOPPED)


def in_state(number, *states):
    """The children of a process, and theirs, that are in one of these states."""
    found = []
    for child in psutil.Process(number).children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # it has ended meanwhile
            found += [child] * (child.status() in states)
    return found


def members(plan):
    for child in plan["children"]:
        yield child
        yield from members(child)


def test_time_before_the_meter_was_made_is_not_counted():
    program = "import os\nif not os.fork():\n sum(range(10**7))\n os._exit(0)\nos.wait()\n"
    program += "print(1, flush=True)\ninput()"
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    process.stdout.readline()
    try:
        whole, late = Tree(process.pid, has_children=False), Tree(process.pid)
        assert whole.used() < 0.05 and late.used() < 0.05
    finally:
        end(process)
        assert late.used() < 0.05  # and of a process that is gone
        process.stdin.close()
        process.stdout.close()


STARTS = """
import os, subprocess, sys
sleep = [sys.executable, "-c", "print(1, flush=True); import time; time.sleep(3600)"]
ready = [subprocess.Popen(sleep, stdout=subprocess.PIPE, start_new_session=k < 2) for k in range(5)]
for process in ready: process.stdout.readline()
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not hasattr(os, "getsid"), reason="needs sessions")
@pytest.mark.each("early", [True, False])
def test_what_a_process_waits_for_is_told_whenever_the_meter_was_made(early):
    """On a busy machine an answer may have started all before somebody looks. Two of the five have
    sessions of their own, as helpers of ours."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    command = [sys.executable, "-c", STARTS]
    process = subprocess.Popen(command, start_new_session=True, **pipes)
    try:
        meter = Tree(process.pid) if early else None
        process.stdout.readline()
        meter = meter or Tree(process.pid)
        assert meter.waiting() == "does it wait for 3 processes that it started?"
    finally:
        end(process)
        process.stdin.close()
        process.stdout.close()


def test_a_process_that_is_gone_has_no_meter():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    with pytest.raises(ProcessLookupError):
        Tree(process.pid)
    end(process)


def test_there_is_a_processor():
    assert 1 <= processors() <= os.cpu_count()
