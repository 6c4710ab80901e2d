"""An instructor's walk: the wheel, an empty environment, lectures, a release, and a class graded.

Protects the course outside this folder: that the wheel has all that is taught, that its commands
need nothing but the extra `course`, and that right answers get all points and others do not.
"""

import csv
import json
import sys
import sysconfig
import zipfile

import pytest

import autodiff_edu as ad
import dev
from tests.book.test_first_ten_minutes import call, environment_python, installed
from tests.helpers.depth import is_short

EXERCISE = "02_three_ways.ipynb"  # whose checks take the least time
ANSWERS = {  # name: (cells that are not ours, points)
    "anna": ({}, 12),
    "ben": ({"fourth": "def fourth(f, x, h):\n    return (f(x + h) - f(x)) / h"}, 11),
    "cleo": (None, 0),
    "dan": ({"complex": "def complex_step(f, x:\n    return f(x)"}, 10),
    "eva": ({"kink": "def kink():\n    while True:\n        pass"}, 10),
}
CLASS = {name: answer for name, answer in ANSWERS.items() if name != "eva" or not is_short()}


@pytest.fixture(scope="module")
def place(tmp_path_factory, wheel):
    """A folder with an environment, in which the wheel is installed with what the course needs."""
    return installed(tmp_path_factory.mktemp("instructor"), wheel, "pictures,course")


@pytest.fixture(scope="module")
def typed(place):
    """Runs a command as a person types it, and gives what it prints."""
    name = "autodiff-edu.exe" if dev.WINDOWS else "autodiff-edu"
    program = environment_python(place).with_name(name)

    def run(*words):
        return call(program, *words, cwd=place, capture_output=True).stdout

    return run


@pytest.fixture(scope="module")
def copied(typed):
    """What is said of the lectures that are copied to the folder `work`."""
    return typed("lectures", "work")


def test_the_version_is_told_once(typed, wheel):
    assert typed("--version").strip() == f"autodiff-edu, version {ad.__version__}"
    assert wheel.name == f"autodiff_edu-{ad.__version__}-py3-none-any.whl"


def test_the_wheel_has_what_slides_are_made_of(wheel):
    """MathJax among it, with its licence; Reveal is a package of the extra `slides`."""
    names = set(zipfile.ZipFile(wheel).namelist())
    static = dev.ROOT / "autodiff_edu" / "course" / "slides" / "static"
    ours = [path for path in static.rglob("*") if path.is_file()]
    assert {path.relative_to(dev.ROOT).as_posix() for path in ours} <= names
    assert "autodiff_edu/course/slides/static/mathjax/LICENSE-mathjax" in names


def test_slides_are_written_there(place, copied):
    """The packages of the extra `slides` are those of this environment."""
    pytest.importorskip("sphinx_revealjs")
    extra = {"PYTHONPATH": sysconfig.get_path("purelib")}
    program = (environment_python(place), "-m", "autodiff_edu")
    lecture = place / "work" / "05_reverse_mode.ipynb"
    call(*program, "slides", "slides", lecture, cwd=place, more=extra, capture_output=True)
    page = (place / "slides" / "05_reverse_mode.html").read_text("utf-8")
    assert page.count("<section") > 10 and (place / "slides" / "static" / "deck.js").exists()


def test_a_formula_is_shown_there(typed, place):
    assert "    (2 * x) + 1\n" in typed("show", "x*x + x - 2", "--svg", "f.svg", "--html", "f.html")
    assert (place / "f.svg").read_text("utf-8").startswith("<svg")
    assert (place / "f.html").read_text("utf-8").startswith("<!doctype html>")


def test_lectures_are_copied_and_what_a_person_wrote_is_kept(typed, place, copied):
    assert "00_tour.ipynb: copied\n" in copied
    names = {path.name for path in (dev.ROOT / "notebooks").glob("*.ipynb")}
    assert {path.name for path in (place / "work").glob("*.ipynb")} == names
    mine = place / "work" / "exercises" / EXERCISE
    assert "BEGIN SOLUTION" not in mine.read_text("utf-8")
    mine.write_text("{}", "utf-8")
    told = typed("lectures", "work")
    assert "kept: it differs from ours" in told and "there already" in told
    assert mine.read_text("utf-8") == "{}"


def test_a_class_is_graded(typed, place):
    typed("lectures", "solved", "--instructor")
    solved = place / "solved" / "exercises" / EXERCISE
    typed("release", str(solved), "-o", "released")
    released = place / "released" / EXERCISE
    assert "BEGIN SOLUTION" not in released.read_text("utf-8")
    for name, (cells, _) in CLASS.items():
        (place / name).mkdir()
        text = handed_in(released, solved, cells)
        (place / name / EXERCISE).write_text(text, "utf-8")
    files = [f"{name}/{EXERCISE}" for name in CLASS]
    told = typed("check", *files, "--seconds", "1", "--csv", "class.csv", "--html", "class.html")
    assert all(f"{name}: {points} of 12" in told for name, (_, points) in CLASS.items()), told
    of_dan = told[told.index("dan: 10 of 12") :]
    assert "\n    complex-check: wrong. complex: SyntaxError" in of_dan
    assert ("\n    kink-check: stopped. kink" in of_dan) == ("eva" in CLASS)
    rows = list(csv.DictReader((place / "class.csv").open(encoding="utf-8-sig")))
    assert {row["name"]: int(row["points"]) for row in rows} == {
        n: p for n, (_, p) in CLASS.items()
    }
    assert rows[1]["02/fourth"] == "0" and rows[1]["02/kink"] == "2"
    page = (place / "class.html").read_text("utf-8")
    table, tasks = page.split("<h2>Tasks</h2>")
    assert table.count('<th scope="row">') == len(CLASS) and "not written" in table
    assert '<th scope="row">02/fourth</th>' in tasks


def handed_in(released, solved, cells):
    """The student's notebook with our solutions, but for these cells; None: nothing is written."""
    notebook, ours = (json.loads(path.read_text("utf-8")) for path in (released, solved))
    sources = {roles(c)["grade_id"]: c["source"] for c in ours["cells"] if roles(c)["solution"]}
    for cell in notebook["cells"]:
        if cells is not None and (name := roles(cell)["grade_id"]) in sources:
            cell["source"] = cells.get(name, sources[name])
    return json.dumps(notebook)


def roles(cell):
    return cell["metadata"]["nbgrader"]


def test_the_module_is_the_command(place):
    python = environment_python(place)
    told = call(python, "-m", "autodiff_edu", "doctor", cwd=place, capture_output=True).stdout
    assert "works    checks of exercises" in told and "works    lectures:" in told
    assert sys.version.split()[0] in told
