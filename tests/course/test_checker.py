"""Checks run in a second process, within limits, and leave nothing behind in this one."""

import contextlib
import functools
import io
import math
import operator
import os
import subprocess
import sys
import time

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import course
from autodiff_edu.course import Wrong, check_found, check_function, limited
from autodiff_edu.course.harness import supervisor
from autodiff_edu.course.harness.supervisor import SUPERVISOR

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


@pytest.mark.parametrize("answer", [3, None, "three", [three], np.ones(2), ad.scalar("x")])
def test_an_answer_that_is_no_function_is_told_what_to_write(answer):
    says = "the answer must be a function, and is .*: write it with def, .* without a call"
    with pytest.raises(Wrong, match=says):
        check(answer)
    with pytest.raises(Wrong, match=says):
        check_function(answer, lambda x: 2 * x, lambda rng: (rng.normal(),))


class Three:
    def __call__(self):
        return 3


@pytest.mark.parametrize("answer", [Three(), functools.partial(max, 3, 2)])
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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("student", [loops, loops_in_c, sleeps])
def test_time_has_a_limit(student):
    with limited(seconds=0.3), pytest.raises(Wrong, match=r"no (result|verdict) after 0.3 seconds"):
        check(student)


def test_steps_have_a_limit():
    with limited(steps=5000), pytest.raises(Wrong, match="no result after 5,000 steps"):
        check(loops)


@pytest.mark.parametrize("student", [explodes, grows])
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

    with limited(seconds=0.3), pytest.raises(Wrong, match="three: no verdict after 0.3 seconds"):
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


def test_the_usual_limits_are_ten_seconds_and_a_gigabyte():
    """The one test that waits: an answer that takes both at full length."""
    for student in (sleeps, grows):
        start = time.perf_counter()
        with pytest.raises(Wrong):
            check(student)
        assert time.perf_counter() - start < 10


def test_an_answer_that_nobody_expects_is_told(capsys):
    def odd():
        return None

    says = "odd: this answer cannot be judged: TypeError: .*\n  in        <lambda>: .*found > 2"
    with pytest.raises(Wrong, match=says):
        check(odd, lambda found: found > 2)


# ---- without a second process


@pytest.fixture
def alone(monkeypatch):
    def refuse(*args, **how):
        raise OSError

    SUPERVISOR.dismiss()
    monkeypatch.setattr(subprocess, "Popen", refuse)


def loops_on_one_line():
    while True: pass  # fmt: skip


def generates():
    return sum(1 for _ in iter(int, 1))


@pytest.mark.parametrize("student", [loops, loops_on_one_line, generates])
def test_steps_and_time_are_limited_without_it(alone, student, capsys):
    for limit in ({"steps": 5000}, {"seconds": 0.2}):
        with limited(**limit), pytest.raises(Wrong, match="no result after"):
            check(student)
    assert "(checked without a second process, since none can be started" in capsys.readouterr().out
    assert sys.gettrace() is None


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
    monkeypatch.setattr(supervisor, "PROGRAM", "raise SystemExit")
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
