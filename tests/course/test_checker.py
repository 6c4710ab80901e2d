"""Checks run in a second process, within limits, and leave nothing behind in this one."""

import contextlib
import functools
import inspect
import io
import itertools
import json
import math
import operator
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import numpy as np
import psutil
import pytest

import autodiff_edu as ad
from autodiff_edu import course
from autodiff_edu.course import Wrong, check_found, check_function, limited
from autodiff_edu.course.harness import clock, supervisor
from autodiff_edu.course.harness.cpu_time import end
from autodiff_edu.course.harness.feedback import Ended, Stopped
from autodiff_edu.course.harness.limits import Limits, limits
from autodiff_edu.course.harness.starter import FORKS, python
from autodiff_edu.course.harness.supervisor import SUPERVISOR
from tests.course.grading.classes import CHILDREN
from tests.helpers.depth import some
from tests.helpers.held import held

COUNT = 0


def is_three(found):
    return found == 3


def three():
    return 3


def check(student, holds=is_three):
    check_found(student, holds, "three")


def process():
    return SUPERVISOR.worker and SUPERVISOR.worker.process.pid


# ---- one worker, kept and replaced


def test_it_runs_elsewhere_and_says_the_same(capsys):
    def where():
        print("here is", os.getpid())
        return 3

    check(where)
    said = capsys.readouterr().out
    assert said == f"here is {process()}\nwhere: three\n" and process() != os.getpid()


@pytest.mark.each("answer", [3, None, "three", [three], np.ones(2), ad.scalar("x")])
def test_an_answer_that_is_no_function_is_told_what_to_write(answer):
    says = "the answer must be a function, and is .*: write it with def, .* without a call"
    with pytest.raises(Wrong, match=says):
        check(answer)
    with pytest.raises(Wrong, match=says):
        check_function(answer, lambda x: 2 * x, lambda rng: (rng.normal(),))


class Three:
    def __call__(self):
        return 3


@pytest.mark.each("answer", [Three(), functools.partial(max, 3, 2)])
def test_an_answer_without_a_name_is_judged_as_any(answer, capsys):
    check(answer)
    assert capsys.readouterr().out == "the answer: three\n"
    double = functools.partial(operator.mul, 2)
    check_function(double, lambda x: 2 * x, lambda rng: (rng.normal(),), trials=3)
    with pytest.raises(Wrong):
        check_function(answer, lambda x: 2 * x, lambda rng: (rng.normal(),), trials=3)


def test_one_process_serves_for_many_checks():
    check(three)
    before = process()
    with pytest.raises(Wrong):
        check(lambda: 4)
    check(three)
    assert process() == before


def test_globals_stay_as_they_are():
    def counts():
        global COUNT
        COUNT += 1
        return COUNT + 2

    for _ in range(2):
        check(counts)
    assert COUNT == 0


@pytest.mark.each(
    "spoil",
    [
        lambda: setattr(math, "pi", 3),
        lambda: setattr(np, "exp", np.sin),
        lambda: setattr(course, "check_found", None),
        lambda: os.chdir("/"),
        lambda: sys.setrecursionlimit(500),
    ],
)
def test_a_process_that_is_not_as_it_was_is_replaced(spoil):
    def spoiler():
        spoil()
        return 3

    check(three)
    before = process()
    check(spoiler)
    assert process() != before
    check(three)


def test_a_process_that_dies_is_replaced():
    def dies():
        os.kill(os.getpid(), 9)

    with pytest.raises(Wrong, match="^dies: it ended the process in which it ran"):
        check(dies)
    check(three)


@pytest.mark.skipif(not FORKS, reason="its parent is this process")
def test_an_answer_that_ends_its_parent_harms_no_other(capsys):
    def ends():
        os.kill(os.getppid(), signal.SIGKILL)
        return 3

    SUPERVISOR.dismiss()
    with pytest.raises(Ended, match="ends: it ended the process in which it ran"):
        check(ends)
    check(three)
    assert capsys.readouterr().out == "three: three\n"


@pytest.mark.each("forged", [[True, "right", "", ""], ["", True, "right", "", ""], 3, {}])
def test_a_forged_verdict_is_none(forged, capsys):
    """Whoever finds the pipe of the worker writes there what it would say."""

    def forges():
        for number in range(3, 32):
            with contextlib.suppress(OSError):
                os.write(number, json.dumps(forged).encode() + b"\n")
        return 4

    with pytest.raises(Ended, match="forges: it wrote into the pipe of the check"):
        check(forges)
    check(three)
    assert capsys.readouterr().out == "three: three\n"


def test_a_process_that_dies_before_it_has_read_all_is_replaced():
    """A part of the job is still on its way, as on a busy machine."""
    check(three)
    process = SUPERVISOR.worker.process
    process.stdin.write(b"x")
    end(process)
    SUPERVISOR.dismiss()
    check(three)


def test_a_student_who_stops_the_check_is_obeyed(monkeypatch):
    def interrupt(self):
        raise KeyboardInterrupt

    check(three)
    before = process()
    monkeypatch.setattr(supervisor.Worker, "said", interrupt)
    with pytest.raises(KeyboardInterrupt):
        check(three)
    monkeypatch.undo()
    check(three)
    assert process() != before


def test_a_check_within_a_check_is_not_sent_again():
    def gradient(x):
        return 2 * x

    course.check_gradient(gradient, lambda x: (x * x).sum(), lambda rng: (rng.normal(size=2),))


def test_files_of_a_student_are_sent_as_they_are_now(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # it is by the second
    for value in (3, 4):
        (tmp_path / "mine.py").write_text(f"def helper(): return {value}\ndef f(): return helper()")
        sys.modules.pop("mine", None)
        import mine  # type: ignore[import-not-found]

        check(mine.f, lambda found, value=value: found == value)
    sys.modules.pop("mine")


# ---- limits


def loops():
    while True:
        pass


def loops_in_c():
    return sum(range(10**13))


def sleeps():
    time.sleep(100)


def explodes():
    return np.ones(10**10)


def grows():
    found = [0]
    while True:
        found += found


def stops_itself():
    os.kill(os.getpid(), signal.SIGSTOP)


def has_sleeping_children():
    for _ in range(CHILDREN):
        if not os.fork():
            time.sleep(3600)
    os.wait()


def has_a_busy_child():
    if not os.fork():
        sum(range(10**13))
    os.wait()


def starts_one_child_after_another():
    while True:
        subprocess.run([sys.executable, "-c", "sum(range(10**6))"])


UNENDING = r"no (result|verdict) after 0.1 seconds of CPU time: is there a loop that does not end"
WAITING = "no verdict after 2 seconds without work: "
WITHOUT_END = {
    loops: UNENDING,
    loops_in_c: UNENDING,
    has_a_busy_child: UNENDING,
    starts_one_child_after_another: UNENDING,
    sleeps: WAITING + "does it sleep, or wait for input or for another process",
    stops_itself: WAITING + "is its process stopped, by a signal",
    has_sleeping_children: WAITING + f"does it wait for {CHILDREN} processes that it started",
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.each("student", some(WITHOUT_END, 3))
def test_an_answer_that_does_not_end_is_ended_with_all_that_it_started(student):
    seconds = 60 if WITHOUT_END[student].startswith(WAITING) else 0.1
    says = f"^{student.__name__}: (refused: )?{WITHOUT_END[student]}"
    check(three)
    worker = psutil.Process(process())
    with limited(seconds=seconds, wait=2), pytest.raises(Stopped, match=says):
        check(student)
    assert process() != worker.pid or not worker.children()


def test_a_worker_with_a_tenth_of_a_processor_has_its_time():
    """Its work needs 0.2 seconds of CPU time, which take two seconds here. It may use one."""

    def works():
        end = time.process_time() + 0.2
        while time.process_time() < end:
            sum(range(10_000))
        return 3

    check(three)
    with held([psutil.Process(process())].copy), limited(seconds=1):
        check(works)


def test_a_worker_that_left_a_process_behind_is_replaced():
    def leaves():
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        return 3

    check(three)
    worker = psutil.Process(process())
    check(leaves)
    assert process() != worker.pid and not worker.is_running()


def test_steps_have_a_limit():
    with limited(steps=5000), pytest.raises(Wrong, match="no result after 5,000 steps"):
        check(loops)


@pytest.mark.each("student", [explodes, grows])
def test_memory_has_a_limit(student):
    says = "^(explodes|grows): more than 200 MB of memory would be needed\n  at "
    with limited(memory=2 * 10**8), pytest.raises(Wrong, match=says):
        check(student)
    check(three)


def test_memory_is_watched_where_it_has_no_limit(monkeypatch):
    monkeypatch.setattr(supervisor, "HAS_LIMIT", False)
    with limited(memory=10**7), pytest.raises(Wrong, match="more than 10 MB of memory were needed"):
        check(sleeps)


def test_what_a_checker_does_with_an_answer_is_limited_too():
    def busy(found):
        return all(k >= 0 for k in range(10**12))

    with limited(seconds=0.1), pytest.raises(Stopped, match="three: no verdict after 0.1 seconds"):
        check(three, busy)
    with limited(memory=2 * 10**8), pytest.raises(Wrong, match="three: more than 200 MB"):
        check(three, lambda found: np.ones(10**10))


def test_printed_text_is_cut(capsys):
    def prints():
        for _ in range(10_000):
            print("word " * 100)
        return 3

    check(prints)
    assert len(capsys.readouterr().out) < 2100


def test_the_usual_limits_are_eight_seconds_of_cpu_time_a_minute_and_a_gigabyte():
    assert limits() == Limits(8.0, 10**7, 10**9, 2000, 60.0)
    with pytest.raises(Wrong, match="grows: more than 1,000 MB of memory"):
        check(grows)


def test_an_answer_that_nobody_expects_is_told(capsys):
    def odd():
        return None

    says = "odd: this answer cannot be judged: TypeError: .*\n  in        <lambda>: .*found > 2"
    with pytest.raises(Wrong, match=says):
        check(odd, lambda found: found > 2)


# ---- without a second process


def loops_on_one_line():
    while True: pass  # fmt: skip


def generates():
    return sum(1 for _ in iter(int, 1))


@pytest.mark.each("student", [loops, loops_on_one_line, generates])
def test_steps_and_time_are_limited_without_it(alone, student, capsys):
    for limit in ({"steps": 5000}, {"seconds": 0.1}):
        with limited(**limit), pytest.raises(Stopped, match="no result after"):
            check(student)
    assert "(checked without a second process, since none can be started" in capsys.readouterr().out
    assert sys.gettrace() is None


def test_waiting_is_limited_without_it(alone, monkeypatch):
    """As if each look at the clock came after a sleep of an hour."""
    hours = SimpleNamespace(monotonic=map((3600).__mul__, itertools.count()).__next__)
    monkeypatch.setattr(clock, "time", hours)
    with pytest.raises(Stopped, match="no result after 60 seconds without work: does it sleep"):
        check(loops)


def test_without_psutil_no_process_is_watched(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "psutil", None)
    SUPERVISOR.dismiss()
    check(three)
    with limited(seconds=0.1), pytest.raises(Stopped, match="no result after 0.1 seconds"):
        check(loops)
    assert "since its CPU time cannot be read" in capsys.readouterr().out


def test_the_checkers_own_work_is_limited_without_it(alone):
    def busy(found):
        def number():
            return 0

        return sum(iter(number, 1))

    with limited(steps=5000), pytest.raises(Wrong, match="no result after"):
        check(three, busy)


def test_what_cannot_be_sent_is_checked_here(capsys):
    lines = (k for k in [3])

    def reads():
        return next(lines)

    check(reads)
    said = capsys.readouterr().out
    assert "since this answer cannot be sent to one (cannot pickle 'generator'" in said


def test_a_worker_that_does_not_start_is_done_without(monkeypatch, capsys):
    SUPERVISOR.dismiss()
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    ends = functools.partial(python, "raise SystemExit", {}, **pipes)
    monkeypatch.setattr(SUPERVISOR.starter, "start", ends)
    check(three)
    assert "since it did not start" in capsys.readouterr().out


# ---- chance


def test_a_class_is_graded_with_equal_inputs_where_a_seed_is_said(monkeypatch):
    def shown(x):
        print(x, end=" ")
        return x

    def seen(**how):
        with io.StringIO() as out, contextlib.redirect_stdout(out):
            check_function(shown, lambda x: x, lambda rng: (rng.normal(),), **how)
            return out.getvalue()

    monkeypatch.setenv("AUTODIFF_EDU_SEED", "3")
    first, again, hidden, own = seen(trials=3), seen(trials=3), seen(trials=4), seen(seed=3)
    assert first == again
    assert len({first, hidden, own}) == 3 and not hidden.startswith(first[:8])
    monkeypatch.setenv("AUTODIFF_EDU_SEED", "4")
    assert seen(trials=3) != first
    monkeypatch.delenv("AUTODIFF_EDU_SEED")
    assert seen(trials=3) != seen(trials=3)


@pytest.mark.each("name", [name for name in dir(course) if name.startswith("check_")])
def test_every_check_that_draws_takes_the_seed_of_a_class(name):
    """`seeded` looks for it among the options that a check names itself."""
    check = inspect.unwrap(getattr(course, name))
    options = inspect.signature(check).parameters
    passed_on = any(p.kind is p.VAR_KEYWORD for p in options.values())
    if passed_on or {"inputs", "trials"} & {*options} or "default_rng" in inspect.getsource(check):
        assert "seed" in check.__kwdefaults__
