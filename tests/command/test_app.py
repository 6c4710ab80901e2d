"""The words of the command line: what is printed, what is written, and how it refuses."""

import glob
import importlib.util
import json
import platform
import re
import shutil
import subprocess
import sys
from importlib.metadata import version

import pytest
from click.testing import CliRunner

from autodiff_edu.command import doctor
from autodiff_edu.command.app import commands
from autodiff_edu.command.lectures import copy_lectures, home, instructor_notebooks
from dev import ROOT
from tests.course.grading.classes import RIGHT, instructor
from tests.helpers.depth import some

pytestmark = pytest.mark.usefixtures("one_server")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    """A grading has its journal there."""
    monkeypatch.chdir(tmp_path)


def typed(*words, **options):
    return CliRunner().invoke(commands, [str(word) for word in words], **options)


@pytest.mark.each(
    "text",
    ["__import__('os')", "x.__class__", "(" * 3000, "9**9**9**9", "x" * 10_000_000],
    ids=lambda text: repr(text[:16]),
)
def test_a_hostile_formula_from_a_pipe_is_refused_in_a_sentence(text):
    done = typed("show", "-", input=text)
    assert done.exit_code == 1 and not done.stdout
    assert done.stderr.startswith("Error: ") and done.stderr.count("\n") == 1


HOSTILE = {
    "imports": b"__import__('os')",
    "attributes": b"x.__class__.__mro__",
    "10 MB": b"x+" * 5_000_000 + b"x",
    "10 MB of brackets": b"(" * 10_000_000,
    "10 MB of no text": bytes(range(256)) * 40_000,
    "deep": b"(" * 900 + b"x" + b")" * 900,
    "deeper": b"-" * 1900 + b"x",
    "huge powers": b"9**9**9**9**9",
    "a huge power": b"x**(10**9)",
    "many parts": b"+".join([b"sin(x*y)"] * 200),
}
SECONDS = "import resource; print(sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]))"


def seconds_of(formula):
    """Seconds of the processor's time that `show -` takes in a process of its own."""
    run = f"import subprocess, sys; subprocess.run({[sys.executable, '-m', 'autodiff_edu']!r} + "
    code = run + f"['show', '-'], input=sys.stdin.buffer.read(), capture_output=True); {SECONDS}"
    done = subprocess.run([sys.executable, "-c", code], input=formula, capture_output=True)
    return float(done.stdout)


@pytest.fixture(scope="module")
def start():
    pytest.importorskip("resource")
    return min(seconds_of(b"x") for _ in range(2))


@pytest.mark.parametrize("kind", some(HOSTILE, 8, turn=3))
def test_a_hostile_formula_ends_within_a_second_of_its_start(kind, start):
    assert any(seconds_of(HOSTILE[kind]) < start + 1 for _ in range(2))


def test_bytes_that_are_no_text_are_refused():
    done = typed("show", "-", input=bytes(range(128, 256)))
    assert done.exit_code == 1 and done.stderr.startswith("Error: this is no formula")


def test_a_formula_that_begins_with_a_minus():
    assert "    -2 * x\n" in typed("show", "-x**2").stdout
    assert "    -2 * x\n" in typed("show", "--", "-x**2").stdout


def test_files_are_written_and_a_place_that_is_none_is_an_error(tmp_path):
    done = typed("show", "x*x", "--svg", tmp_path / "a.svg", "--html", tmp_path / "a.html")
    assert done.exit_code == 0 and len(list(tmp_path.iterdir())) == 2
    done = typed("show", "x*x", "--svg", tmp_path / "none" / "a.svg")
    assert done.exit_code == 1 and "cannot be written: No such file" in done.stderr


def test_open_shows_the_page_in_a_browser(monkeypatch):
    shown = []
    monkeypatch.setattr("webbrowser.open", shown.append)
    assert typed("show", "x*x", "--open").exit_code == 0
    assert shown[0].startswith("file:") and shown[0].endswith("formula.html")


def test_help_and_version_load_nothing_heavy():
    code = "import sys, autodiff_edu.command.app; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"IPython", "nbformat", "scipy", "matplotlib", "graphviz", "autodiff_edu.course"}
    assert not heavy & set(done.stdout.split())
    for word in ("show", "lectures", "release", "check", "doctor"):
        assert f"  {word} " in typed("--help").stdout


def test_no_line_of_the_help_is_cut():
    assert "..." not in typed("--help").stdout.partition("Commands:")[2]


def test_lectures_are_copied_once(tmp_path):
    first = copy_lectures(tmp_path)
    assert {c.words for c in first} == {"copied"} and len(first) > 30
    first[0].path.write_text("mine")
    again = {c.path: c.words for c in copy_lectures(tmp_path)}
    assert again.pop(first[0].path).startswith("kept") and set(again.values()) == {"there already"}
    solved = {path.name for path in instructor_notebooks()}
    assert {path.name for path in (tmp_path / "exercises").iterdir()} == solved


def test_instructors_get_the_solutions(tmp_path):
    copy_lectures(tmp_path, instructor=True)
    texts = [path.read_text("utf-8") for path in (tmp_path / "exercises").glob("*.ipynb")]
    assert all("### BEGIN SOLUTION" in text for text in texts) and texts


def test_a_release_does_not_overwrite_its_source(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(instructor(), "utf-8")
    done = typed("release", path, "-o", tmp_path)
    assert done.exit_code == 1 and "would be overwritten" in done.stderr
    assert typed("release", path, "-o", tmp_path / "out").exit_code == 0
    text = (tmp_path / "out" / "a.ipynb").read_text("utf-8")
    assert "BEGIN" not in text and '"editable": false' in text


def test_a_release_to_a_place_that_is_none_is_an_error(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(instructor(), "utf-8")
    done = typed("release", path, "-o", path / "out")
    assert done.exit_code == 1 and "cannot be written: Not a directory" in done.stderr


def test_two_releases_do_not_become_one_file(tmp_path):
    paths = [tmp_path / name / "a.ipynb" for name in ("one", "two")]
    for path in paths:
        path.parent.mkdir()
        path.write_text(instructor(), "utf-8")
    done = typed("release", *paths, "-o", tmp_path / "out")
    assert done.exit_code == 1 and "2 files have the name a.ipynb" in done.stderr


def test_a_release_of_what_has_been_released_is_told(tmp_path):
    path, first = tmp_path / "a.ipynb", tmp_path / "first"
    path.write_text(instructor(), "utf-8")
    assert "student's version" not in typed("release", path, "-o", first).stderr
    done = typed("release", first / "a.ipynb", "-o", tmp_path / "second")
    assert done.exit_code == 0 and "is it a student's version?" in done.stderr


def test_no_answer_and_no_other_output_is_overwritten(tmp_path):
    """A shell writes the names of all notebooks for `--csv answers/*.ipynb`."""
    paths = [tmp_path / name for name in ("anna.ipynb", "ben.ipynb")]
    for path in paths:
        path.write_text(RIGHT, "utf-8")
    done = typed("check", "--csv", *paths)
    assert done.exit_code == 2 and "is a notebook, and would be overwritten" in done.stderr
    assert paths[0].read_text("utf-8") == RIGHT
    one = tmp_path / "one"
    done = typed("check", *paths, "--csv", one, "--html", one)
    assert done.exit_code == 1 and "one is named twice" in done.stderr and not one.exists()
    done = typed("show", "x", "--svg", one, "--html", one)
    assert done.exit_code == 1 and "one is named twice" in done.stderr and not one.exists()


def test_the_commands_of_the_page_for_instructors_can_be_typed_in_their_order(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "book" / "teaching.md").read_text("utf-8")
    commands = re.findall(r"^autodiff-edu ((?:lectures|release|check) .*)$", page, re.MULTILINE)
    assert {words.split()[0] for words in commands} == {"lectures", "release", "check"}
    for words in commands:
        if words.startswith("check"):
            shutil.copytree("released", "answers")
        parts = [str(part) for word in words.split() for part in globbed(word)]
        done = typed(*parts)
        assert done.exit_code == 0 and "student's version" not in done.stderr, done.stderr
    assert "0 of 13" in done.stdout and (tmp_path / "class.csv").exists()


def globbed(word):
    """What a shell makes of a word."""
    return sorted(glob.glob(word)) or [word]


@pytest.mark.each("text", ["", "[]", RIGHT + "x"], ids=["empty", "list", "cut"])
def test_what_is_no_exercise_is_told(text, tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(text, "utf-8")
    done = typed("release", path, "-o", tmp_path / "out")
    assert done.exit_code == 1 and "is no exercise" in done.stderr
    done = typed("check", path, "--exercise", path)
    assert done.exit_code == 1 and done.stderr.startswith("Error: ")


def test_a_file_that_is_not_ours_is_graded_as_nothing(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text("hello", "utf-8")
    done = typed("check", path, "--csv", tmp_path / "c.csv")
    assert done.exit_code == 1 and "a: not graded\n    the file is no notebook" in done.stdout
    assert (
        (tmp_path / "c.csv").read_text("utf-8-sig").startswith("name,exercise,points,of,remarks\n")
    )


@pytest.mark.each("seconds", ["-1", "0", "1e300"])
def test_cells_have_some_seconds(seconds, tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text("hello", "utf-8")
    done = typed("check", path, "--seconds", seconds)
    assert done.exit_code == 2 and "is not in the range 1<=x<=86400" in done.stderr


@pytest.mark.each("missing", ["nbformat", "IPython"])
def test_what_grading_lacks_is_told(missing, tmp_path, monkeypatch):
    path, found = tmp_path / "a.ipynb", importlib.util.find_spec
    path.write_text(instructor(), "utf-8")
    hidden = lambda name, *more: None if name == missing else found(name, *more)
    monkeypatch.setattr(importlib.util, "find_spec", hidden)
    commands = [("check", path), ("release", path, "-o", tmp_path / "out")]
    for words in commands[: 1 + (missing == "nbformat")]:
        done = typed(*words)
        told = f'{missing} is not here: pip install "autodiff-edu[course]" brings it\n'
        assert done.exit_code == 1 and done.stderr == f"Error: the package {told}"


def test_a_folder_among_the_files_is_reported_and_one_that_is_missing_is_told_first(tmp_path):
    (tmp_path / "a.ipynb").mkdir()
    done = typed("check", tmp_path / "a.ipynb")
    assert done.exit_code == 1 and "a: not graded\n    the file cannot be read" in done.stdout
    done = typed("check", tmp_path / "a.ipynb", "--csv", tmp_path / "none" / "c.csv")
    assert done.exit_code == 1 and "cannot be written" in done.stderr and not done.stdout


def test_letters_that_no_file_can_hold_are_replaced(tmp_path):
    path, notebook = tmp_path / "a.ipynb", json.loads(RIGHT)
    notebook["cells"] = [c for c in notebook["cells"] if "solution" in str(c["metadata"])][:2]
    notebook["cells"][1]["metadata"]["nbgrader"]["grade_id"] = "\ud800"
    notebook["cells"][1]["source"] = "\ud800"
    path.write_text(json.dumps(notebook), "utf-8")
    done = typed("check", path, "--csv", tmp_path / "c.csv", "--html", tmp_path / "c.html")
    assert done.exit_code == 1 and "1 not graded: a" in done.stderr, done.exception
    assert "a: not graded" in done.stdout and (tmp_path / "c.html").stat().st_size > 500


# ---- doctor


def test_the_doctor_finds_all_that_works_here_and_names_the_versions():
    """Who asks for help sends these lines."""
    done = typed("doctor")
    assert done.exit_code == 0
    assert all(line.startswith("works ") for line in done.stdout.splitlines())
    for package in ("autodiff-edu", "numpy", "scipy", "matplotlib", "libcst", "scikit-learn"):
        assert f"{package} {version(package)}" in done.stdout
    for words in (platform.python_version(), platform.platform(), doctor.processor()):
        assert words in done.stdout


def test_the_doctor_says_what_to_install(monkeypatch):
    found = doctor.packages("lectures", ["nbformat", "no_such_thing"], "pip install it")
    assert not found.works and found.words == "no_such_thing is missing: pip install it"
    monkeypatch.setattr(doctor, "pictures", lambda: 1 / 0)
    found = doctor.Finding("pictures", False, "division by zero")
    assert doctor.tried("pictures", doctor.pictures) == found


def test_a_wheel_has_its_lectures_beside_the_course(tmp_path, monkeypatch):
    packed = tmp_path / "notebooks"
    shutil.copytree(home() / "exercises", packed / "exercises")
    monkeypatch.setattr("autodiff_edu.command.lectures.PACKED", packed)
    assert home() == packed
    monkeypatch.setattr("autodiff_edu.command.lectures.PACKED", tmp_path / "none")
    monkeypatch.setattr("autodiff_edu.command.lectures.CHECKOUT", tmp_path / "none")
    with pytest.raises(FileNotFoundError, match="has no lectures"):
        home()


OLD = """
import sys
import theano
import theano.tensor as T

print sys.argv[1:], 7 / 2
x = T.dscalar("x")
print theano.function([x], T.grad(x ** 2, x))(3.0)
"""


def test_an_old_script_runs_with_its_own_arguments(tmp_path):
    script = tmp_path / "old.py"
    script.write_text(OLD)
    done = typed("theano", script, "--show", "5")
    assert done.exit_code == 0 and done.stdout == "['--show', '5'] 3\n6.0\n"
    assert "# old.py in Python 3" in typed("theano", "--show", script).stdout


def test_an_old_script_is_printed_with_modern_names(tmp_path):
    script = tmp_path / "old.py"
    script.write_text(OLD)
    done = typed("theano", "--modernise", script)
    assert 'x = ad.scalar("x")' in done.stdout
    assert "renamed:" in done.stderr and script.read_text() == OLD
    script.write_bytes(b"\xff\xfe print 'x")
    done = typed("theano", "--modernise", script)
    assert done.exit_code == 1 and done.stderr.startswith("Error: ")


def test_an_error_in_an_old_script_is_its_own(tmp_path):
    script = tmp_path / "wrong.py"
    script.write_text("import theano\nraise ValueError('mine')")
    done = typed("theano", script)
    assert isinstance(done.exception, ValueError) and "theano" not in sys.modules
    assert typed("theano", tmp_path / "none.py").exit_code == 2


def test_slides_are_written(tmp_path):
    pytest.importorskip("sphinx_revealjs")
    path = home() / "05_reverse_mode.ipynb"
    assert (
        typed("slides", tmp_path / "s", path).output == f"{tmp_path / 's/05_reverse_mode.html'}\n"
    )
    assert (tmp_path / "s" / "static" / "reveal.js").is_file()


def test_slides_of_what_is_no_notebook_are_refused(tmp_path):
    pytest.importorskip("sphinx_revealjs")
    path = tmp_path / "a.ipynb"
    for text in ("", "[]", "{}", '{"cells": [{}]}'):
        path.write_text(text, "utf-8")
        done = typed("slides", tmp_path / "s", path)
        assert done.exit_code == 1 and done.stderr == f"Error: {path} is no notebook with cells\n"


def test_slides_that_cannot_be_made_say_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = typed("slides", tmp_path)
    assert done.exit_code == 1 and "autodiff-edu[slides]" in done.stderr


def test_a_handout_has_the_lectures_without_outputs(tmp_path):
    assert typed("lectures", tmp_path, "--handout").exit_code == 0
    for path in tmp_path.glob("*.ipynb"):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        assert not any(cell.get("outputs") for cell in cells)
    assert "there already" in typed("lectures", tmp_path, "--handout").stdout
    assert "kept: it differs from ours" in typed("lectures", tmp_path).stdout


@pytest.mark.each(("needed", "code", "word"), [(True, 1, "MISSING "), (False, 0, "not here")])
def test_the_exit_code_of_the_doctor_tells_whether_the_course_works(
    needed, code, word, monkeypatch
):
    found = [doctor.Finding("one", True, ""), doctor.Finding("two", False, "install it", needed)]
    monkeypatch.setattr(doctor, "findings", lambda: found)
    done = typed("doctor")
    assert done.exit_code == code
    assert done.stdout == f"works    one: \n{word} two: install it\n"


def test_the_doctor_grades_a_notebook_and_names_the_machine(monkeypatch):
    assert "a notebook that is right has its point" in doctor.grading()
    monkeypatch.setattr(doctor, "TASK", (doctor.TASK[0], ("t", "1 / 0", doctor.TASK[1][2])))
    finding = doctor.tried("grading", doctor.grading)
    assert not finding.works and "ZeroDivisionError" in finding.words
    assert all(
        word in doctor.machine() for word in ("autodiff-edu", "processors", sys.platform[1:4])
    )
