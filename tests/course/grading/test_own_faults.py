"""A fault of the grader's is an error, and never a score: without a grade there are no points."""

import errno
import subprocess
import sys

import pytest
from click.testing import CliRunner

from autodiff_edu.command.app import commands
from autodiff_edu.course.grading import run as grading_run
from autodiff_edu.course.grading import score
from autodiff_edu.course.grading.exercise import read_exercise
from autodiff_edu.course.grading.journal import Journal
from autodiff_edu.course.grading.report import as_csv, as_html, as_text
from autodiff_edu.course.grading.run import Limits, NotStarted
from autodiff_edu.course.grading.score import Grading, grade
from autodiff_edu.course.harness import starter
from autodiff_edu.course.harness.starter import FORKS, Starter
from tests.course.grading.classes import DOUBLE, RIGHT, THREE, answer, instructor
from tests.course.grading.hostile import LEAVES, PARENT
from tests.helpers.depth import some

pytestmark = pytest.mark.usefixtures("one_server")
linux = pytest.mark.skipif(sys.platform != "linux", reason="the limits of Linux")
REFUSES = """
import resource
def setrlimit(*args): raise ValueError("current limit exceeds maximum limit")
resource.setrlimit = setrlimit
"""
LARGE = """
import time
import numpy as np
big = [np.ones(10**7) for _ in range(13)]
time.sleep(3600)  # until it is seen
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with an exercise and an answer that is right."""
    (tmp_path / "exercise.ipynb").write_text(instructor(), "utf-8")
    (tmp_path / "anna.ipynb").write_text(RIGHT, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def exercise(place):
    return read_exercise(place / "exercise.ipynb")


@linux
def test_a_system_that_refuses_limits_costs_no_points(place, exercise, own_servers, monkeypatch):
    """As macOS does. There the size is watched from outside."""
    (place / "sitecustomize.py").write_text(REFUSES, "utf-8")
    (place / "ben.ipynb").write_text(answer(double=LARGE + DOUBLE, three=THREE), "utf-8")
    monkeypatch.syspath_prepend(str(place))  # for all Pythons that are started, too
    monkeypatch.setattr(grading_run, "MEMORY", 1_000_000_000)
    anna, ben = grade([place / "anna.ipynb", place / "ben.ipynb"], [exercise])
    assert anna.points == 3, as_text([anna])
    assert ben.points == 1 and "more than 1,000 MB of memory" in as_text([ben])


@linux
def test_a_hard_limit_costs_no_points(place):
    words = f"{sys.executable} -m autodiff_edu check anna.ipynb --exercise exercise.ipynb"
    done = subprocess.run(
        ["bash", "-c", f"ulimit -v 3500000; {words}"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "anna: 3 of 3\n"), done.stderr


SETTINGS = {"PYTHONOPTIMIZE": "1", "PYTHONWARNINGS": "error", "PYTHONINSPECT": "1",
            "PYTHONDEVMODE": "1", "PYTHONNOUSERSITE": "1"}  # fmt: skip


def test_settings_of_python_change_no_points(place, exercise, own_servers, monkeypatch):
    """Without asserts every answer is right; where a warning is an error, none may be."""
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    (place / "ben.ipynb").write_text(answer(double=DOUBLE, three="def three():\n    return 4"))
    anna, ben = grade([place / "anna.ipynb", place / "ben.ipynb"], [exercise])
    assert [mark.points for mark in (*anna.marks, *ben.marks)] == [2, 1, 2, 0]


@pytest.mark.each("forks", some([False, FORKS], 2))
def test_a_runner_that_cannot_start_is_an_error_and_not_a_score(
    forks, place, own_servers, monkeypatch
):
    monkeypatch.setattr(starter, "FORKS", forks)
    monkeypatch.setattr(score, "RUNNER", "no_such_module")
    words = ["check", "anna.ipynb", "--exercise", "exercise.ipynb", "--csv", "class.csv"]
    done = CliRunner().invoke(commands, words)
    assert done.exit_code == 1 and not done.stdout and not (place / "class.csv").exists()
    assert "nothing is graded: the process for the cells did not start" in done.stderr
    monkeypatch.undo()
    monkeypatch.chdir(place)
    done = CliRunner().invoke(commands, [*words, "--resume"])
    assert (done.exit_code, done.stdout) == (0, "anna: 3 of 3\n")


def test_an_answer_for_which_no_process_starts_has_no_points_and_not_0(
    place, exercise, monkeypatch
):
    """The first answer runs; when the second comes, the machine can start no more."""
    (place / "ben.ipynb").write_text(answer(double="", three=THREE), "utf-8")
    start, begun = Grading.start, []

    def once(self, *args, **own):
        if begun:
            raise NotStarted("the process for the cells did not start")
        begun.append(0)
        return start(self, *args, **own)

    monkeypatch.setattr(Grading, "start", once)
    results = grade([place / "anna.ipynb", place / "ben.ipynb"], [exercise])
    assert [result.graded for result in results] == [True, False]
    said = as_text(results).splitlines()
    assert said[1:] == ["ben: not graded", "    the process for the cells did not start"]
    assert "\nben,,,,,,the process for" in as_csv(results)
    assert "<h2>ben: not graded</h2>" in as_html(results)


def test_what_cannot_be_kept_ends_the_grading_and_is_told(place, monkeypatch):
    """The disk is full after the first results, which are shown; later all are graded."""
    write, lines = Journal.write, []

    def full(self, **said):
        lines.append(said)
        if len(lines) > 5:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(self, **said)

    for k in range(3):
        (place / f"{k}.ipynb").write_text(RIGHT + " " * k, "utf-8")
    monkeypatch.setattr(Journal, "write", full)
    words = ["check", ".", "--exercise", "exercise.ipynb", "--csv", "class.csv", "--jobs", "2"]
    done = CliRunner().invoke(commands, words)
    assert done.exit_code == 1 and "the journal cannot be written: No space left" in done.stderr
    shown = done.stdout.splitlines()
    assert 1 <= len(shown) < 5 and f"{len(shown)} of 5 are graded: --resume" in done.stderr
    assert all(line.endswith(": 3 of 3") for line in shown), done.stdout
    monkeypatch.undo()
    monkeypatch.chdir(place)
    done = CliRunner().invoke(commands, [*words, "--resume"])
    assert (done.exit_code, done.stdout.count(": 3 of 3\n")) == (0, 5), done.output


def test_a_machine_that_starts_no_process_gives_no_score(place, exercise, own_servers, monkeypatch):
    def none(*args, **own):
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(Starter, "start", none)
    with pytest.raises(NotStarted, match="no process for the cells: Resource temporarily"):
        grade([place / "anna.ipynb"], [exercise])


@pytest.mark.skipif(sys.platform == "win32", reason="a process that forks")
def test_where_nothing_forks_a_keeper_stands_between(place, exercise, monkeypatch):
    """As on macOS: an answer that ends its parent does not end the grader; nothing is left."""
    monkeypatch.setattr(starter, "FORKS", False)
    text = answer(double=LEAVES.replace("{place}", str(place)) + PARENT + DOUBLE, three=THREE)
    (place / "ben.ipynb").write_text(text, "utf-8")
    work = Grading([place / "ben.ipynb"], ["ben"], [exercise], Limits(), print, Journal())
    result = work.one(0)  # and not once more, alone
    work.close()
    assert [mark.kind for mark in result.marks] == ["ended", "right"], as_text([result])
    left = [int(path.stem) for path in place.glob("*.pid")]
    assert left and not [number for number in left if is_running(number)]


def is_running(number):
    import psutil

    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
