"""Notes for the instructor: no honest answer has one, each known way to deceive the grader has."""

import json

import pytest

from autodiff_edu.command.lectures import instructor_notebooks
from autodiff_edu.course.grading.exercise import read_exercise
from autodiff_edu.course.grading.feedback_page import feedback
from autodiff_edu.course.grading.look import LONG, digests, notes, plain, uses, with_equal_texts
from autodiff_edu.course.grading.marks import Mark, Result, from_json
from autodiff_edu.course.grading.report import as_csv, as_html, as_text
from autodiff_edu.course.grading.score import grade
from tests.course.grading.classes import DOUBLE, THREE, answer, instructor
from tests.course.right_answers import RIGHT

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
}  # fmt: skip


@pytest.fixture(scope="module")
def exercises():
    return {path.stem: read_exercise(path) for path in instructor_notebooks()}


@pytest.mark.parametrize("source", WAYS)
def test_each_way_to_deceive_is_noted(source, exercises):
    (note,) = notes(
        {"count": "%time\ndef f():\n    return 3\n" + source}, exercises["05_reverse_mode"]
    )
    assert WAYS[source] in note and note.startswith("cell count has ")


def test_our_own_answers_and_others_that_are_right_have_no_note(exercises):
    for exercise in exercises.values():
        ours = {name: cell.source for name, cell in exercise.answers.items()}
        assert [*notes(ours, exercise)] == []
        for task, answers in RIGHT.get(exercise.name[:2], {}).items():
            assert [note for a in answers for note in notes({task: a}, exercise)] == []


def test_what_every_program_has_is_usual():
    of_a_class = "class A:\n    def __init__(self):\n        super().__init__()\n"
    assert not uses("import math\nfrom functools import reduce\n" + of_a_class)
    assert not uses("def (") and not uses("x" * 10 + "\0")


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
    noted = {r.name: r.notes for r in with_equal_texts(results, [exercise])}
    assert noted["anna"] == ("equal text: cell double, as ben",)
    assert noted["ben"] == ("equal text: cell double, as anna",)
    assert noted["cleo"] == noted["dan"] == ()
    many = [results[0]._replace(name=str(k)) for k in range(5)]
    assert not any(r.notes for r in with_equal_texts(many, [exercise]))


def test_our_solution_word_for_word_is_noted(exercises):
    exercise = exercises["05_reverse_mode"]
    texts = tuple(digests({"order": exercise.answers["order"].source}, exercise.answers))
    (noted,) = with_equal_texts([Result("anna", exercise.name, texts=texts)], [exercise])
    assert noted.notes == ("equal text: cell order is our solution",)


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
    result = Result("n", "e", marks, ("r",), True, ("note",), (("cell", "digest"),))
    assert from_json(json.loads(json.dumps(result._asdict()))) == result
