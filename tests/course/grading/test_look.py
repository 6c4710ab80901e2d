"""Notes for the instructor: no honest answer has one, each known way to deceive the grader has."""

import copy
import json
import time

import pytest

from autodiff_edu.command.lectures import instructor_notebooks
from autodiff_edu.course.grading.equal_texts import LONG, digests, plain, with_equal_texts
from autodiff_edu.course.grading.exercise import Cell, read_exercise
from autodiff_edu.course.grading.feedback_page import feedback
from autodiff_edu.course.grading.journal import Journal
from autodiff_edu.course.grading.look import imported, notes, tree, uses
from autodiff_edu.course.grading.marks import Mark, Result, as_json, from_json
from autodiff_edu.course.grading.report import as_csv, as_html, as_text
from autodiff_edu.course.grading.score import grade
from tests.course.grading.classes import DOUBLE, THREE, answer, changed, instructor
from tests.course.right_answers import RIGHT
from tests.helpers.depth import is_short, some

pytestmark = pytest.mark.usefixtures("one_server")
DEEP = 1_000 if is_short() else 10_000
WAYS = {  # to full points that nobody sees in the table, and what the note names
    "import autodiff_edu, pathlib\nlist(pathlib.Path(autodiff_edu.__file__).parent.rglob('*'))":
        "import pathlib",
    "text = open('/site-packages/x.ipynb').read()": "open",
    "exec(compile('1', '', 'exec'))": "exec",
    "import os\nos.write(3, b'{}')": "import os",
    "from os import write": "import os.write",
    "from autodiff_edu.course.harness.supervisor import SUPERVISOR\nSUPERVISOR.judge = print":
        "import autodiff_edu.course.harness.supervisor.SUPERVISOR",
    "course.harness.supervisor.SUPERVISOR.judge = lambda job: 1": ".SUPERVISOR",
    "course.check_sweep = print": "course.check_sweep = …",
    "get_ipython().input_transformers_cleanup.append(lambda lines: [])": "get_ipython",
    "import sys\nsys._getframe(3).f_locals['order']": "._getframe",
    "(x for x in ()).gi_frame.f_back": ".gi_frame",
    "().__class__.__base__.__subclasses__()": ".__subclasses__",
    "import gc\ngc.get_objects()": "import gc",
    "import subprocess as s": "import subprocess",
    "__builtins__": "__builtins__",
    "import importlib, ctypes": "import ctypes",
    "import random\nrandom._os.system('ls')": "._os",
    "from statistics import sys as s": "import statistics.sys",
    "import numpy as np\nnp.genfromtxt('/site-packages/x.ipynb', dtype=str)": ".genfromtxt",
    "import autodiff_edu.command.lectures": "import autodiff_edu.command.lectures",
    "import operator\noperator.attrgetter('f_b' + 'ack')": ".attrgetter",
    "getattr(f, '__cl' + 'osure__')": "getattr",
    "'{0.__globals__}'.format(f)": "__globals__",
    "match f:\n    case object(__closure__=c): pass": ".__closure__",
    "class Three(float):\n    def __eq__(self, other): return True": "def __eq__",
    "class Three(float):\n    __lt__ = lambda self, other: True": "__lt__",
    "type('Three', (float,), dict(__eq__=f))": "__eq__",
    "import scipy as s\ns.linalg.expm = f": "s.linalg.expm = …",
    "for course.check_sweep in [print]: pass": "course.check_sweep = …",
    "%time import os": "import os",
    "%timeit -n 1 -r 1 open('x')": "open",
    "s = %run x.py": "%run",
    "!ls\nx = !ls\nimport os": "import os",
    "import asyncio\nawait asyncio.sleep(0)": "import asyncio",
}  # fmt: skip


@pytest.fixture(scope="module")
def exercises():
    return {path.stem: read_exercise(path) for path in instructor_notebooks()}


def noted(exercise, **sources):
    """The notes for cells of these names."""
    return [*notes([Cell(name, source) for name, source in sources.items()], exercise)]


@pytest.mark.each("source", WAYS)
def test_each_way_to_deceive_is_noted(source, exercises):
    """Whatever commands of IPython's own stand before it."""
    for line in ("%time", "x = %time 3", "%%time", "files = !ls", "print?"):
        text = f"{line}\ndef f():\n    return 3\n{source}"
        (note,) = noted(exercises["05_reverse_mode"], count=text)
        assert WAYS[source] in note and note.startswith("cell count has "), line


def test_our_own_answers_and_others_that_are_right_have_no_note(exercises):
    for exercise in some(exercises.values(), 3):
        assert [*notes(exercise.answers.values(), exercise)] == []
        for task, answers in RIGHT.get(exercise.name[:2], {}).items():
            assert [note for a in answers for note in noted(exercise, **{task: a})] == []


def test_what_every_program_has_is_usual():
    of_a_class = (
        "class A:\n    def __init__(self):\n        super().__init__()\n        self.x = 3\n"
    )
    plain = "import math, re\nfrom functools import reduce\n%matplotlib inline\nre.compile('')\n"
    plain += "from IPython.display import display\n%load_ext autoreload\n"
    for source in (plain + of_a_class, "def (", "x" * 10 + "\0", "(" * 10 * DEEP, "%pip install x"):
        assert not uses(tree(source), imported([tree(source)]))


def test_the_look_has_an_end(exercises):
    """Whatever is nested as deep as a cell is long, and what is hidden in it is found."""
    nested = [
        "%time " * DEEP + "open",
        "a" + ".b" * DEEP + " = 3",
        "(" * DEEP,
        "-" * DEEP + "1",
    ]
    before = time.process_time()
    for text in nested:
        found = noted(exercises["05_reverse_mode"], count=text)
        assert all(len(note) < 500 for note in found) and bool(found) == ("open" in text), text[:9]
    assert time.process_time() - before < 20


def test_each_cell_of_a_student_is_looked_at(tmp_path):
    """Also two of their own in one place, and two with one name."""
    path = tmp_path / "doubling.ipynb"
    path.write_text(instructor(), "utf-8")

    def more(cells, by_name):
        own = [{**copy.deepcopy(by_name["setup"]), "metadata": {}} for _ in range(3)]
        twins = [copy.deepcopy(by_name["double"]) for _ in range(2)]
        for k, one in enumerate([*own, *twins]):
            one["source"] = f"import {HARMFUL[k]}"
        cells[1:1] = [*own, *twins]

    (tmp_path / "anna.ipynb").write_text(changed(more), "utf-8")
    (result,) = grade([tmp_path / "anna.ipynb"], [read_exercise(path)])
    assert result.points == 3 and len(result.notes) == len(HARMFUL)
    assert all(f"import {name}" in note for name, note in zip(HARMFUL, result.notes))


HARMFUL = ["gc", "inspect", "ctypes", "os", "sys"]


def test_a_journal_cannot_leave_a_note_out(tmp_path):
    """An answer may write into it, and end the grader."""
    path = tmp_path / "doubling.ipynb"
    path.write_text(instructor(), "utf-8")
    (tmp_path / "anna.ipynb").write_text(answer(double="import os\n" + DOUBLE), "utf-8")
    words = [tmp_path / "anna.ipynb"], [read_exercise(path)]
    first = grade(*words, journal=Journal(tmp_path / "log"))
    assert "notes" not in (tmp_path / "log").read_text("utf-8")
    again = grade(*words, journal=Journal(tmp_path / "log"))
    assert first == again and again[0].notes == ("cell double has import os: look at it",)


LONGER = "def double(x):\n" + "".join(f"    y{k} = x + {k}  # say {k}\n" for k in range(30))


def test_long_answers_that_are_equal_and_rare_are_noted_and_others_are_not(tmp_path):
    """Comments and space do not matter; what half of the class has is from a lecture."""
    path = tmp_path / "doubling.ipynb"
    path.write_text(instructor(), "utf-8")
    exercise = read_exercise(path)
    assert len(plain(LONGER)) > LONG > len(plain(DOUBLE))
    own = LONGER.replace("    ", "  ").replace("# say", "# I say")
    texts = {"anna": LONGER, "ben": own, "cleo": LONGER + "    return x", "dan": DOUBLE}
    results = [
        Result(name, "doubling", texts=tuple(digests({"double": text}, exercise.answers)))
        for name, text in texts.items()
    ]
    found = {r.name: r.notes for r in with_equal_texts(results, [exercise])}
    assert found["anna"] == ("equal text: cell double, as ben",)
    assert found["ben"] == ("equal text: cell double, as anna",)
    assert found["cleo"] == found["dan"] == ()
    many = [results[0]._replace(name=str(k)) for k in range(5)]
    assert not any(r.notes for r in with_equal_texts(many, [exercise]))


def test_our_solution_word_for_word_is_noted(exercises):
    exercise = exercises["05_reverse_mode"]
    texts = tuple(digests({"order": exercise.answers["order"].source}, exercise.answers))
    (found,) = with_equal_texts([Result("anna", exercise.name, texts=texts)], [exercise])
    assert found.notes == ("equal text: cell order is our solution",)


def test_notes_are_for_the_instructor_alone(tmp_path):
    path = tmp_path / "doubling.ipynb"
    path.write_text(instructor(), "utf-8")
    text = answer(double="import os\n" + DOUBLE, three=THREE)
    (tmp_path / "anna.ipynb").write_text(text, "utf-8")
    (result,) = grade([tmp_path / "anna.ipynb"], [read_exercise(path)])
    assert result.points == 3 and result.notes == ("cell double has import os: look at it",)
    assert "import os" in as_text([result]) and "import os" in as_html([result])
    assert "import os" not in as_csv([result]) + "".join(feedback([result]).values())


def test_a_result_is_the_same_after_it_was_written_as_json():
    marks = (Mark("a", 1, 2, "wrong", "w"), Mark("b", 2, 2, "right"))
    result = Result("n", "e", marks, ("r",), True)
    assert from_json(json.loads(json.dumps(as_json(result)))) == result
