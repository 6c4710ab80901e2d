"""Grading a class: right scores for right and wrong answers, and no file that makes it fail."""

import codecs
import csv
import html
import io
import json
import math
import random
import time
from concurrent.futures import ThreadPoolExecutor
from subprocess import PIPE

import psutil
import pytest

from autodiff_edu.course.grading import run as grading_run
from autodiff_edu.course.grading import score
from autodiff_edu.course.grading.exercise import best, read_exercise
from autodiff_edu.course.grading.marks import Mark, Result
from autodiff_edu.course.grading.report import as_csv, as_html, as_text
from autodiff_edu.course.grading.run import Limits, NotStarted, Outcome, run
from autodiff_edu.course.grading.score import distinct, grade
from autodiff_edu.course.grading.submission import answers, read_submission
from autodiff_edu.course.harness.starter import Starter, python
from tests.course.grading.classes import (
    CLASS,
    DOUBLE,
    NO_NOTEBOOKS,
    RIGHT,
    SPACED,
    THREE,
    answer,
    changed,
    instructor,
)
from tests.helpers.depth import draws, some
from tests.helpers.held import held


@pytest.fixture(scope="module")
def exercise(tmp_path_factory):
    path = tmp_path_factory.mktemp("instructor") / "doubling.ipynb"
    path.write_text(instructor(), "utf-8")
    return read_exercise(path)


KINDS = [*[*CLASS][:7], *some([*CLASS][7:], 4, turn=3)]  # the first seven have tests of their own
WAITING = {"sleeping", "halting"}  # kinds that use no CPU time, which others may use meanwhile


@pytest.fixture(scope="module")
def results(exercise, one_server, tmp_path_factory):
    """The results of a class, by the kind of answer."""
    folder = tmp_path_factory.mktemp("class")
    for kind in KINDS:
        (folder / f"{kind}.ipynb").write_text(CLASS[kind][0], "utf-8")

    def graded(kinds):
        paths = [folder / f"{kind}.ipynb" for kind in kinds]
        return zip(kinds, grade(paths, [exercise], Limits(cell=0.2, total=60, wait=2), jobs=2))

    rest = [kind for kind in KINDS if kind not in {*WAITING, "hanging"}]
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as pool:
        patch.setattr(grading_run, "GRACE", 0.1)
        by_kind = dict(graded(["hanging"]))  # it has no check that may say more than its clock
        patch.setattr(grading_run, "GRACE", 1)
        for part in pool.map(graded, ([*WAITING], rest)):
            by_kind |= part
    return {kind: by_kind[kind] for kind in KINDS}


@pytest.mark.each("kind", KINDS)
def test_the_points_of_each_kind_of_answer(kind, results):
    _, double, three, words = CLASS[kind]
    result = results[kind]
    assert result.name == kind and result.exercise == "doubling"
    told = as_text([result]) + "\n".join(mark.words for mark in result.marks)
    assert [mark.points for mark in result.marks] == [double, three], told
    assert all(part in told for part in words.split(" | ")), told
    assert result.of == 3 and result.points == double + three


@pytest.mark.each("kind", SPACED)
def test_space_behind_lines_changes_no_cell(kind, exercise, tmp_path):
    """What an editor does is no change of the exercise."""

    def respaced(cells, _):
        for cell in cells:
            cell["source"] = SPACED[kind]("".join(cell["source"]))

    path = tmp_path / "spaced.ipynb"
    path.write_text(changed(respaced), "utf-8")
    _, remarks = answers(read_submission(kind, path), exercise)
    assert not remarks


def test_only_what_is_missing_is_told(results):
    assert as_text([results["right"]]) == "right: 3 of 3"
    first, second, *_ = as_text([results["wrong"]]).splitlines()
    assert (first, second[:26]) == ("wrong: 1 of 3", "    double-check: wrong. t")
    assert [mark.kind for mark in results["wrong"].marks] == ["wrong", "right"]


def test_what_was_stopped_is_marked_so_and_not_as_wrong(results):
    cut = {n: [m.task for m in r.cut if m.kind == "stopped"] for n, r in results.items()}
    tasks = {name: stopped for name, stopped in cut.items() if stopped}
    first, second = ["double-check"], ["three-check"]
    assert tasks.pop("halting") == first + second
    assert tasks == {"hanging": second, "sleeping": second, "computing": first}
    page = as_html([results["hanging"]])
    assert "<td>∞ 0</td>" in page and "three-check: stopped, 0 of 1" in page
    assert "hanging,doubling,2,0,2,3,three-check was stopped\n" in as_csv([results["hanging"]])


def test_the_table_is_one_that_a_learning_platform_reads(results):
    rows = list(csv.reader(io.StringIO(as_csv(list(results.values())))))
    tasks = ["doubling/double", "doubling/three"]
    assert rows[0] == ["name", "exercise", *tasks, "points", "of", "remarks"]
    assert rows[1] == ["right", "doubling", "2", "1", "3", "3", ""]
    assert len({len(row) for row in rows}) == 1 and len(rows) == len(KINDS) + 1


def test_no_cell_of_the_table_is_a_formula():
    marks = (Mark("t", 0, 1, "wrong", "=1"),)
    result = Result('=HYPERLINK("x")', "e", marks, ("@x",))
    _, row = csv.reader(io.StringIO(as_csv([result])))
    assert row[0].startswith("'=") and row[-1].startswith("'@")


def test_the_page_escapes_what_students_wrote(results):
    page = as_html(list(results.values()))
    assert "<script" not in page and "&lt;script&gt;alert(1)" in page
    assert page.count("<tr>") == len(KINDS) + 1 + 3 and 'scope="row"' in page
    assert "://" not in page
    message = next(m.words for m in results["wrong"].marks if m.words)
    assert "\n" in message and f"\n{html.escape(message.splitlines()[1])}\n" in page


def test_two_gradings_agree(exercise, one_server, tmp_path, monkeypatch):
    """A wrong answer that only some inputs show is told the same input; so is one that draws: in
    a process of another server, too."""
    path = tmp_path / "a.ipynb"
    draws = "import random\ndef double(x):\n    return x * x + random.random() + np.random.rand()"
    order = "raise ValueError(random.random(), np.random.rand(), *set('abcdefgh'))"
    path.write_text(answer(double=draws, three=order), "utf-8")
    (first,) = grade([path], [exercise])
    monkeypatch.setattr(score, "Starter", Starter)
    (second,) = grade([path], [exercise])
    assert first == second and all(mark.kind == "wrong" for mark in first.marks), first


# ---- time

BURN = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass\n"


def test_all_cells_together_have_their_time_and_the_start_does_not_count():
    """The start of the process needs more CPU time than they have."""
    found = run([(True, BURN), (False, "a = 3"), (True, BURN), (False, "a")], Limits(20, 0.45))
    assert [outcome.kind for outcome in found] == ["", "", "Stopped", "Stopped"]
    assert found[2].words == "all together used more than 0.45 seconds of CPU time"


def test_an_answer_that_was_stopped_is_graded_once_more_alone(exercise, one_server, tmp_path):
    """As one that a busy machine made slow: the second time, all others are done."""
    log, paths = tmp_path / "log", [tmp_path / f"{name}.ipynb" for name in "ab"]
    for path in paths:
        tells = f"import time\nopen({str(log)!r}, 'a').write({path.stem!r})\n"
        sleeps = f"time.sleep(0 if open({str(log)!r}).read().count('a') != 1 else 3600)\n"
        path.write_text(answer(double=DOUBLE, three=tells + sleeps * (path.stem == "a") + THREE))
    found = grade(paths, [exercise], Limits(wait=2), jobs=2)
    assert [result.points for result in found] == [3, 3], as_text(found)
    assert log.read_text() in ("aba", "baa")


def test_many_graders_at_once_find_right_answers_right(exercise, tmp_path):
    """Three side by side (at first two), where each gets a tenth of a processor from its first
    answer on: work of 0.3 seconds of CPU time takes three seconds, and it may use one."""
    path, slow, many = tmp_path / "a.ipynb", tmp_path / "slow", draws(3, least=2)
    tells = f"open({str(slow)!r}, 'a').write('x')\n"
    path.write_text(answer(double=DOUBLE, three=tells + BURN + THREE), "utf-8")
    ours = psutil.Process()

    def graders():
        return ours.children(recursive=True) if slow.exists() else []

    with held(graders), ThreadPoolExecutor(many) as pool:
        found = pool.map(lambda _: grade([path], [exercise], Limits(cell=1, total=60)), range(many))
    assert [result.points for (result,) in found] == [3] * many
    assert slow.read_text() == "x" * many  # none was graded twice


def test_there_are_never_more_jobs_than_processors(exercise, tmp_path, monkeypatch):
    monkeypatch.setattr(score, "processors", lambda: 1)
    monkeypatch.setattr(score, "run", lambda cells, *_, **how: running_now(len(cells)))
    paths = [tmp_path / f"{k}.ipynb" for k in range(8)]
    for path in paths:
        path.write_text(RIGHT, "utf-8")
    assert {result.points for result in grade(paths, [exercise], jobs=16)} == {3}


AT_WORK: list[int] = []


def running_now(cells):
    """What becomes of cells: all is well if nobody else is at work."""
    AT_WORK.append(0)
    time.sleep(0.01)  # others would come in
    kind = "" if len(AT_WORK) == 1 else "Busy"
    AT_WORK.pop()
    return [Outcome(kind)] * cells


def test_a_process_that_does_not_start_is_no_fault_of_an_answer():
    def program(text):
        return lambda folder, **own: python(text, own, stdin=PIPE, stdout=PIPE)

    def over(*args, **own):  # it is, before the cells are written
        process = program("raise SystemExit")(*args, **own)
        process.wait()
        return process

    for start in (program("raise SystemExit"), program("print('hello')"), over):
        with pytest.raises(NotStarted, match="the process for the cells did not start"):
            run([(True, "a = 3")], Limits(), start)
    with pytest.raises(NotStarted, match="the start of the process did not end after 1 seconds"):
        run([(True, "a = 3")], Limits(wait=1), program("import time; time.sleep(3600)"))


def test_cells_that_end_the_process_at_once_take_no_time_from_the_others(
    exercise, one_server, tmp_path
):
    path = tmp_path / "a.ipynb"
    path.write_text(answer(double="import os\nos._exit(1)", three=THREE), "utf-8")
    (result,) = grade([path], [exercise], Limits(cell=60, total=60))
    assert [mark.points for mark in result.marks] == [0, 1], as_text([result])


# ---- files


@pytest.mark.each("kind", NO_NOTEBOOKS)
def test_what_is_no_notebook_is_reported(kind, exercise, one_server, tmp_path):
    path = tmp_path / f"{kind}.ipynb"
    path.write_text(NO_NOTEBOOKS[kind], "utf-8")
    """And has no points, which is not 0."""
    (result,) = grade([path], [exercise])
    assert (result.marks, result.graded) == ((), False) and result.remarks
    (alone,) = grade([path], [])
    assert (alone.marks, alone.graded) == ((), False) and alone.remarks


def test_bytes_that_are_no_text(exercise, tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_bytes(bytes(range(256)) * 10)
    (result,) = grade([path], [exercise])
    assert "no notebook (UnicodeDecodeError)" in result.remarks[0]
    (gone,) = grade([tmp_path / "gone.ipynb"], [exercise])
    assert "cannot be read" in gone.remarks[0]


@pytest.mark.each("coding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
@pytest.mark.each("ends", ["\n", "\r\n"])
def test_editors_may_have_saved_it(coding, ends, exercise, tmp_path):
    text = json.dumps(json.loads(RIGHT), indent=1, ensure_ascii=False).replace("\n", ends)
    mark = codecs.BOM_UTF16_BE if coding == "utf-16-be" else b""
    path = tmp_path / "an answer of 'Zoë' & co.ipynb"
    path.write_bytes(mark + text.encode(coding))
    usual = tmp_path / "usual.ipynb"
    usual.write_text(RIGHT, "utf-8")
    taken, remarks = answers(read_submission("zoë", path), exercise)
    assert not remarks and (taken, remarks) == answers(read_submission("u", usual), exercise)


def test_what_an_answer_starts_ends_with_it(exercise, one_server, tmp_path):
    """Also a process that has left the group of its parent."""
    path, told = tmp_path / "a.ipynb", tmp_path / "told"
    starts = (
        f"import subprocess, sys\nprogram = [sys.executable, '-c', 'import time; time.sleep(60)']\n"
        f"p = subprocess.Popen(program, start_new_session=True)\n"
        f"open({str(told)!r}, 'w').write(str(p.pid))\n"
    )
    path.write_text(answer(double=starts + "def double(x): return 2 * x"), "utf-8")
    (result,) = grade([path], [exercise])
    started = int(told.read_text())
    assert result.marks[0].points == 2 and not running(started)


def running(number):
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_random_damage_to_a_notebook_is_never_fatal(tmp_path):
    """Parts of the JSON are replaced by other kinds of values; characters are cut out."""
    draw, path = random.Random(3), tmp_path / "a.ipynb"
    for _ in range(draws(150)):
        notebook = json.loads(RIGHT)
        damage(notebook, draw)
        text = json.dumps(notebook)
        cut = draw.randrange(len(text)) if draw.random() < 0.3 else len(text)
        path.write_text(text[:cut], "utf-8")
        given = read_submission("a", path)
        assert all(isinstance(s, str) for cell in given.cells for s in (cell.name, cell.source))


def damage(value, draw):
    """Replace one value somewhere inside."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not keys:
        return
    key = draw.choice(keys)
    if isinstance(value[key], (dict, list)) and draw.random() < 0.8:
        damage(value[key], draw)
    else:
        value[key] = draw.choice([None, 3, "x", [], {}, [[]], {"grade_id": 3}, True, 1e300])


def test_each_file_is_graded_by_the_exercise_whose_cells_it_has(exercise):
    other = exercise._replace(name="other", cells=exercise.cells[-2:])
    assert best({"three"}, [exercise, other]).name == "other"
    assert best({"double", "three"}, [other._replace(cells=()) for _ in ()] + [exercise])
    assert best({"seven"}, [exercise, other]) is None and best(set(), []) is None


def test_names_of_files(tmp_path):
    paths = [tmp_path / "anna.ipynb", tmp_path / "ben.ipynb"]
    assert distinct(paths) == ["anna", "ben"]
    paths = [tmp_path / "anna" / "05.ipynb", tmp_path / "ben" / "05.ipynb"]
    assert distinct(paths) == ["anna", "ben"]
    paths = [tmp_path / "a" / "x.ipynb", tmp_path / "a" / "y.ipynb", tmp_path / "b" / "x.ipynb"]
    assert distinct(paths) == ["a/x", "a/y", "b/x"]
    assert distinct(paths[:1]) == ["x"] and distinct([paths[0]] * 2) == ["x", "x"]
    assert distinct(paths[:1], tmp_path) == ["a"] and distinct(paths[:2], tmp_path) == [
        "a/x",
        "a/y",
    ]
    assert distinct([], tmp_path) == distinct([]) == []


def test_an_exercise_without_tasks_is_an_error(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    with pytest.raises(ValueError, match="no cells to be written"):
        read_exercise(path)


def name(cells, number, **stated):
    cells[number]["metadata"]["nbgrader"].update(stated)


FAULTS = {
    "names": (lambda c: name(c, 3, grade_id="double"), "names one cell; .* has double"),
    "tasks": (lambda c: name(c, 4, grade_id="double-check"), "names one cell; .* has double-check"),
    "number": (lambda c: name(c, 3, grade_id=3), "a grade_id is a name, .* not 3"),
    "none": (lambda c: name(c, 3, grade_id=None), "a grade_id is a name, .* not None"),
    "nan": (lambda c: name(c, 4, points=math.nan), "three-check has nan .* a number, 0 or more"),
    "negative": (lambda c: name(c, 4, points=-3), "three-check has -3 .* a number, 0 or more"),
    "words": (lambda c: name(c, 4, points="many"), "has 'many' for its points"),
    "nothing": (lambda c: name(c, 4, points=None), "has None for its points"),
    "list": (lambda c: c[3]["metadata"].update(nbgrader=[1]), r"metadata is \[1\] for"),
    "marker": (lambda c: c[4].update(source="### BEGIN HIDDEN TESTS\n"), "has no partner"),
}


@pytest.mark.each("kind", FAULTS)
def test_what_is_wrong_with_an_exercise_is_told_before_a_class_is_graded(kind, tmp_path):
    change, says = FAULTS[kind]
    notebook, path = json.loads(instructor()), tmp_path / "doubling.ipynb"
    change(notebook["cells"])
    path.write_text(json.dumps(notebook), "utf-8")
    with pytest.raises(ValueError, match=f"doubling.ipynb is no exercise: (.|\n)*{says}"):
        read_exercise(path)


def test_an_exercise_that_is_no_text_is_named(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(ValueError, match="a.ipynb is no exercise: 'utf-8' codec"):
        read_exercise(path)
