"""Whatever answers do, and whatever ends the grader: no result is lost, and nothing is left behind.

A class of all kinds of answers is graded twice: once without a break; and once by a grader that is
ended by kill -9, and by another that goes on. Both give the same table.
"""

import csv
import io
import json
import os
import random
import signal
import sys
from importlib.metadata import distributions

import psutil
import pytest
from click.testing import CliRunner

from autodiff_edu.command.app import commands
from tests.course.grading import grader
from tests.course.grading.classes import CHILDREN, instructor
from tests.course.grading.hostile import write_class
from tests.helpers.depth import draws, some

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the processes of Linux")
PATIENCE = 600  # seconds in which a process ends on the busiest machine
NUMBER = draws(80, least=8)  # so many are handed in: all kinds of answers, or every second


class Place:
    """A folder with a class, in which a person types."""

    def __init__(self, folder):
        self.folder, self.pids = folder, folder / "pids"
        self.pids.mkdir()
        (folder / "answers").mkdir()
        (folder / "exercise.ipynb").write_text(instructor(), "utf-8")
        self.points = write_class(folder / "answers", NUMBER, self.pids)

    def start(self, *words, of=("answers",)):
        """A grader of the class, or of these answers."""
        words = ("check", *of, "--exercise", "exercise.ipynb", "--csv", "class.csv", *words)
        return grader.start(self.folder, *words)

    def graded(self, *words, **of):
        """What a grader printed, its exit code, and the table."""
        with self.start(*words, **of) as job:
            said, _ = job.communicate()
        table = (self.folder / "class.csv").read_text("utf-8-sig")
        return said, job.returncode, {row["name"]: row for row in rows(table)}

    def journal(self):
        """The lines of the journal that are whole."""
        path = self.folder / "grading.jsonl"
        text = path.read_text("utf-8") if path.exists() else ""
        return [json.loads(line) for line in text.splitlines() if line.endswith("}")]

    def survivors(self):
        """The processes of answers that are still there."""
        found = [int(path.stem) for path in self.pids.glob("*.pid")]
        return [p for p in map(process, found) if p and is_of(p, self.folder)]


def rows(table):
    return csv.DictReader(io.StringIO(table))


def process(number):
    try:
        found = psutil.Process(number)
        return found if found.status() != psutil.STATUS_ZOMBIE else None
    except psutil.NoSuchProcess:
        return None


def is_of(process, folder):
    """Numbers are used again: is this one as old as the folder at most?"""
    try:
        return process.create_time() >= folder.stat().st_ctime - 3600 and "python" in process.name()
    except psutil.NoSuchProcess:
        return False


def installed():
    return sorted((d.metadata["Name"], d.version) for d in distributions())


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    """The class, what the grader said without a break, and the exit code."""
    before, place = installed(), Place(tmp_path_factory.mktemp("class"))
    said, code, table = place.graded()
    assert installed() == before
    return place, said, code, table


def test_each_answer_has_its_points_whatever_the_others_do(once):
    place, said, code, table = once
    points = {name: row["points"] for name, row in table.items()}
    assert points == {n: str(p) if p is not None else "" for n, p in place.points.items()}, said
    odd = sum(p is None for p in place.points.values())
    assert code == 1 and f"{odd} not graded: " in said


def test_no_process_of_an_answer_outlives_the_grading(once):
    place, *_ = once
    assert len(list(place.pids.glob("*.pid"))) > CHILDREN and not place.survivors()


def test_no_command_of_a_system_is_run(once):
    place, said, *_ = once
    assert not (place.pids / "touched").exists()
    assert "calls `%pip install no-such-package-1`, which was not run" in said


def test_what_ended_its_process_is_told_so(once):
    *_, table = once
    for name, row in table.items():
        ended = "double-check was ended" in row["remarks"]
        assert ended == ("kills its parent" in name and row["points"] == "1"), row


@pytest.mark.each("seed", range(draws(5)))
def test_after_kill_9_another_grader_goes_on_and_nothing_is_lost(seed, once, tmp_path):
    place, _, code, whole = once
    table = {name: whole[name] for name in some(whole, 2, turn=1)}
    answers = [f"answers/{name}.ipynb" for name in table]
    after = random.Random(seed).randrange(len(answers) - 2)
    (place.folder / "grading.jsonl").unlink()
    with place.start(of=answers) as first:
        while sum("key" in line for line in place.journal()) < after and first.poll() is None:
            psutil.wait_procs([psutil.Process(first.pid)], 0.02)
        family = psutil.Process(first.pid).children(recursive=True)
        assert first.poll() is None
        os.kill(first.pid, signal.SIGKILL)
    before = [line for line in place.journal() if "key" in line]
    assert len(before) >= after
    assert psutil.wait_procs(family, PATIENCE)[1] == [] and not place.survivors()
    said, code_too, table_too = place.graded("--resume", of=answers)
    assert (code_too, table_too) == (code, table), said
    lines = [line for line in place.journal() if "key" in line]
    assert lines[: len(before)] == before
    final = [line["key"] for line in before if line["final"]]
    assert not {line["key"] for line in lines[len(before) :]} & set(final)
    assert not place.survivors()


def test_a_journal_without_an_end_is_not_overwritten(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "exercise.ipynb").write_text(instructor(), "utf-8")
    (tmp_path / "a.ipynb").touch()
    words = ["check", "a.ipynb", "--exercise", "exercise.ipynb"]
    text = '{"begin": "a"}\n{"key": "a", "final": true, "resu'
    journal = tmp_path / "grading.jsonl"
    journal.write_text(text, "utf-8")
    done = CliRunner().invoke(commands, words)
    assert done.exit_code == 1 and "Add --resume to go on with it" in done.stderr
    assert journal.read_text("utf-8") == text
    journal.write_text("my diary", "utf-8")
    done = CliRunner().invoke(commands, [*words, "--resume"])
    assert done.exit_code == 1 and "is no journal of a grading" in done.stderr
    assert journal.read_text("utf-8") == "my diary"
    done = CliRunner().invoke(commands, [*words, "--journal", "/dev/null"])  # /dev/full has no end
    assert done.exit_code == 1 and "/dev/null is no journal of a grading" in done.stderr


def test_a_person_may_interrupt_it_and_has_what_is_known(once):
    place, *_, table = once
    (place.folder / "grading.jsonl").unlink(missing_ok=True)
    with place.start() as job:
        while sum("key" in line for line in place.journal()) < 2:
            psutil.wait_procs([psutil.Process(job.pid)], 0.02)
        job.send_signal(signal.SIGINT)
        said, _ = job.communicate()
    assert job.returncode == 130, said
    assert f"of {NUMBER} are graded: --resume grades the rest" in said
    known = {row["name"]: row for row in rows((place.folder / "class.csv").read_text("utf-8-sig"))}
    assert 2 <= len(known) < NUMBER
    assert all(table[name] == row for name, row in known.items() if "ended" not in row["remarks"])
    assert not place.survivors()
