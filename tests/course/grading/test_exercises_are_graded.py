"""Our exercises, graded: each right answer gets its points, and each wrong one gets none.

Protects students: what the check in a notebook says is what the grade says.
"""

import json
import re

import pytest

from autodiff_edu.course.grading.exercise import read_exercise
from autodiff_edu.course.grading.score import grade
from tests.course.right_answers import RIGHT
from tests.course.test_exercises import EXERCISES, NAMES, TASKS, cells, mutants
from tests.helpers.depth import some

SOME = some(NAMES, 22, turn=2)  # 03, or all
MARKERS = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.MULTILINE)


def submission(name, answers):
    """The student's notebook with these answers, by task."""
    notebook = json.loads((EXERCISES / "student" / name).read_text("utf-8"))
    for cell in notebook["cells"]:
        task = cell["metadata"].get("nbgrader", {}).get("grade_id")
        cell["source"] = answers.get(task, cell["source"])
    return json.dumps(notebook)


@pytest.mark.each("name", SOME)
def test_right_answers_get_all_points_and_wrong_ones_none(name, one_server, tmp_path):
    ours = {t: MARKERS.sub("", cells(EXERCISES / name)[t]) for n, t in TASKS if n == name}
    others = {task: answers[0] for task, answers in RIGHT.get(name[:2], {}).items()}
    wrong = {task: mutants(name)[task][-1] for task in ours}
    kinds = {"ours": ours, "right": ours | others, "wrong": wrong}
    for kind, answers in kinds.items():
        (tmp_path / f"{kind}.ipynb").write_text(submission(name, answers), "utf-8")
    paths = [tmp_path / f"{kind}.ipynb" for kind in kinds]
    for result in grade(paths, [read_exercise(EXERCISES / name)], jobs=1):
        right = result.name != "wrong"
        assert [(m.task, m.points) for m in result.marks] == [
            (m.task, m.of if right else 0) for m in result.marks
        ]
        assert len(result.marks) == len(ours)
