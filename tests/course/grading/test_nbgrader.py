"""nbgrader's own commands take our exercises: generate, autograde, feedback.

It is the extra `nbgrader`, and no part of the usual environment: there this file is left out.

    python3 dev.py test --nbgrader
"""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from dev import ROOT

pytest.importorskip("nbgrader")
NAME = "05_reverse_mode"
SOLVED = ROOT / "notebooks" / "exercises" / f"{NAME}.ipynb"
WRONG = "def backward(tape, values):\n    return {name: 1.0 for name, *_ in tape}"


@pytest.fixture(scope="module")
def class_folder(tmp_path_factory):
    """A class of two: anna's answer is ours, ben has one function wrong."""
    folder = tmp_path_factory.mktemp("nbgrader")
    (folder / "nbgrader_config.py").write_text("c = get_config()\n", "utf-8")
    (folder / "source" / "week5").mkdir(parents=True)
    shutil.copy(SOLVED, folder / "source" / "week5")
    nbgrader(folder, "generate_assignment", "week5")
    released = folder / "release" / "week5" / f"{NAME}.ipynb"
    for student, cells in (("anna", {}), ("ben", {"backward": WRONG})):
        place = folder / "submitted" / student / "week5"
        place.mkdir(parents=True)
        (place / released.name).write_text(answered(released, cells), "utf-8")
    nbgrader(folder, "autograde", "week5")
    nbgrader(folder, "generate_feedback", "week5")
    nbgrader(folder, "export")
    return folder


def nbgrader(folder, *words):
    own = {"PYTHONPATH": str(ROOT), "AUTODIFF_EDU_SEED": "1", "OPENBLAS_NUM_THREADS": "1"}
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    command = [sys.executable, "-m", "nbgrader", *words]
    subprocess.run(command, cwd=folder, env=os.environ | own | {"PATH": path}, check=True)


def answered(released, cells):
    """The released notebook with our solutions, but for some cells."""
    notebook, ours = (json.loads(path.read_text("utf-8")) for path in (released, SOLVED))
    sources = {c["metadata"]["nbgrader"]["grade_id"]: "".join(c["source"]) for c in ours["cells"]}
    for cell in notebook["cells"]:
        stated = cell["metadata"]["nbgrader"]
        if stated["solution"]:
            source = cells.get(stated["grade_id"], sources[stated["grade_id"]])
            cell["source"] = re.sub(r"^ *### (BEGIN|END) SOLUTION\n?", "", source, flags=re.M)
    return json.dumps(notebook)


def test_solutions_and_hidden_tests_are_cut(class_folder):
    text = (class_folder / "release" / "week5" / f"{NAME}.ipynb").read_text("utf-8")
    assert "BEGIN SOLUTION" not in text and "trials=120" not in text


def test_scores_are_those_of_our_own_command(class_folder):
    header, *rows = (class_folder / "grades.csv").read_text("utf-8").splitlines()
    names = header.split(",")
    scores = [dict(zip(names, row.split(","), strict=True)) for row in rows]
    assert {s["student_id"]: float(s["raw_score"]) for s in scores} == {"anna": 13, "ben": 10}
    assert {float(s["max_score"]) for s in scores} == {13}


def test_feedback_is_written_and_shows_hidden_tests(class_folder):
    """So the guide for instructors warns."""
    page = class_folder / "feedback" / "ben" / "week5" / f"{NAME}.html"
    assert "check_sweep" in page.read_text("utf-8") and "120" in page.read_text("utf-8")
