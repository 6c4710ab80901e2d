"""Names in one cell of a student's are no matter for the check of another task; and cells of their
own, which have what an answer needs, are run.
"""

import builtins
import json
import random

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autodiff_edu.course.grading.exercise import names, read_exercise
from autodiff_edu.course.grading.report import as_text
from autodiff_edu.course.grading.score import grade
from tests.course.grading.classes import RIGHT, cell
from tests.helpers.depth import draws, some

pytestmark = pytest.mark.usefixtures("one_server")
PLAIN = [
    ("setup", "from math import prod\nimport numpy as np\nfrom autodiff_edu import course", {}),
    ("example", "numbers = [3, 1, 2]\ndef ours(f):\n    return sorted(list(f()), key=int)", {}),
    ("first", "def first():\n    ### BEGIN SOLUTION\n    return 3\n    ### END SOLUTION",
     {"solution": True, "locked": False}),
    ("first-check", "assert first() == 3", {"grade": True, "points": 1}),
    ("second",
     "def second():\n    ### BEGIN SOLUTION\n    return set(numbers)\n    ### END SOLUTION",
     {"solution": True, "locked": False}),
    ("second-check",
     "low, high = min(numbers), max(map(int, numbers))\n"
     "assert ours(second) == [1, 2, 3] and isinstance(second(), set) and prod(numbers) == 6\n"
     "course.check_found(second, lambda s: len(s) == 3 and set(range(low, high + 1)) == s, 'all')\n"
     "assert np.sum(numbers) == sum(numbers)", {"grade": True, "points": 2}),
]  # fmt: skip
OURS = ["numbers", "ours", "prod", "np", "course", "low"]
FUNCTIONS = [name for name in dir(builtins) if name.islower() and name[0] != "_"]
FIRST, SECOND = "def first():\n    return 3", "def second():\n    return {1, 2, 3}"


@pytest.fixture(scope="module")
def exercise(tmp_path_factory):
    path = tmp_path_factory.mktemp("instructor") / "names.ipynb"
    path.write_text(nbformat.writes(new_notebook(cells=[cell(*row) for row in PLAIN])), "utf-8")
    return read_exercise(path)


def graded(exercise, folder, *notebooks):
    """The results for notebooks, each a list of pairs: a name of ours or None, and the source."""
    paths = []
    for k, pairs in enumerate(notebooks):
        rows = {row[0]: row for row in PLAIN}
        cells = [
            cell(name, source if source is not None else rows[name][1], rows[name][2])
            if name
            else new_code_cell(source)
            for name, source in pairs
        ]
        paths.append(folder / f"{k}.ipynb")
        paths[-1].write_text(nbformat.writes(new_notebook(cells=cells)), "utf-8")
    return grade(paths, [exercise], jobs=2)


def written(**sources):
    return [(name, sources.get(name.replace("-", "_"))) for name, *_ in PLAIN]


def test_a_name_that_one_cell_hides_is_there_for_the_check_of_another_task(exercise, tmp_path):
    """Whatever the name is, of Python's or of ours."""
    draw = random.Random(5)
    mixed = [draw.sample(names, len(names)) for names in (FUNCTIONS, OURS)]
    chosen = ["list", "numbers", *mixed[0][: draws(10)], *mixed[1][: draws(2)]]
    notebooks = [
        written(first=f"{name} = None\n{FIRST}", second=SECOND) for name in some(chosen, 2, turn=1)
    ]
    several = "".join(f"{name} = None\n" for name in [*FUNCTIONS, "numbers", "ours", "prod"])
    notebooks.append(written(first=several + FIRST, second=SECOND))
    results = graded(exercise, tmp_path, *notebooks)
    assert {result.points for result in results} == {3}, as_text(results)


def test_names_of_their_own_stay_theirs(exercise, tmp_path):
    """A student's functions have the student's names, whatever our cells have meanwhile."""
    shadow = (
        "max = lambda: 3\nnumbers = [7]\ndef first():\n    return max() if numbers == [7] else 0"
    )
    uses = "from math import *\nlist = lambda: {1, 2, 3}\ndef second():\n    return list()"
    broken = "numbers = [5]\ndef second():\n    return set(numbers)"
    results = graded(exercise, tmp_path, written(first=shadow, second=uses),
                     written(first=FIRST, second=broken))  # fmt: skip
    assert [result.points for result in results] == [3, 1], as_text(results)


def test_cells_of_their_own_are_run_in_their_places(exercise, tmp_path):
    """Before an answer, behind it, at the top, and behind the check before; not behind the last."""
    uses = "def second():\n    return helper() | other()"
    helper, other = "def helper():\n    return {1, 2}", "def other():\n    return {3}"
    places = []
    for at in some(range(1, len(PLAIN), 2), 3, turn=1):
        notebook = [*written(first=FIRST, second=uses)]
        notebook[at:at] = [(None, helper), (None, "1 / 0"), (None, other)]
        places.append(notebook)
    behind = [*written(first=FIRST, second=uses), (None, helper), (None, other)]
    *inside, last = graded(exercise, tmp_path, *places, behind)
    assert {result.points for result in inside} == {3}, as_text(inside)
    assert last.points == 1 and "name 'helper' is not defined" in as_text([last])


def test_a_cell_of_their_own_that_fails_is_told_with_the_task_that_it_breaks(exercise, tmp_path):
    fails = [*written(first=FIRST, second="def second():\n    return helper")]
    fails[4:4] = [(None, "helper = unknown"), (None, "import os\nos._exit(0)")]
    (result,) = graded(exercise, tmp_path, fails)
    assert result.points == 1 and result.marks[1].kind == "ended"
    words = result.marks[1].words
    assert "the own cell after first-check: NameError: name 'unknown' is not defined" in words
    assert "the own cell after first-check: this cell ended the process" in words


def test_our_own_cells_that_have_no_name_are_not_the_students(tmp_path):
    """A student's version has them, too: they run once."""
    notebook = json.loads(RIGHT)
    count = "import builtins\nbuiltins.count = getattr(builtins, 'count', 0) + 1"
    notebook["cells"].insert(1, new_code_cell(count))
    notebook["cells"][-1]["source"] = "assert count == 1"
    (tmp_path / "exercise.ipynb").write_text(json.dumps(notebook), "utf-8")
    answered = tmp_path / "a.ipynb"
    answered.write_text(json.dumps(notebook), "utf-8")
    exercise = read_exercise(tmp_path / "exercise.ipynb")
    (result,) = grade([answered], [exercise])
    assert result.marks[-1].kind == "right", as_text([result])


def test_the_names_that_students_are_to_write(exercise):
    assert exercise.theirs == ["first", "second"]
    source = "%time\nimport a.b as c\nx, (y, *z) = 1, (2, 3)\nfor k in x:\n    def f(local): w = 1"
    assert names(exercise.cells[2]._replace(source=source)) == {"c", "x", "y", "z", "k", "f"}
    assert names(exercise.cells[2]._replace(source="def (")) == set()
