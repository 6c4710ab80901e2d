"""The exercises as they are kept: student versions in step, checks that tell right from wrong.

The cells of an exercise are run here as they are, with wrong solutions in place of ours: those of
exercise NN are MUTANTS in mutants/mutants_NN.py.
"""

import ast
import contextlib
import json
import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pytest

from autodiff_edu.course import Unsolved, Wrong, limited
from autodiff_edu.course.harness.limits import USUAL
from autodiff_edu.course.harness.student import student_version
from autodiff_edu.course.harness.verdict import Verdict
from dev import ROOT, notebooks
from tests.helpers.depth import some

EXERCISES = ROOT / "notebooks" / "exercises"
NAMES = sorted(path.name for path in EXERCISES.glob("*.ipynb"))
SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", re.DOTALL)
every_exercise = pytest.mark.each("name", NAMES)


def mutants(name):
    """The wrong solutions of one exercise notebook, by task."""
    module = f"tests.course.mutants.mutants_{name[:2]}"
    return import_module(module).MUTANTS if find_spec(module) else {}


@cache
def code(path):
    """(grade_id, points or None, source) for each code cell."""
    cells = [c for c in json.loads(path.read_text("utf-8"))["cells"] if c["cell_type"] == "code"]
    roles = [c["metadata"]["nbgrader"] for c in cells]
    return [
        (r["grade_id"], r.get("points"), "".join(c["source"]))
        for r, c in zip(roles, cells, strict=True)
    ]


def cells(path):
    """The source of each code cell by its grade_id."""
    return {grade_id: source for grade_id, _, source in code(path)}


def run(path):
    """Run the cells in one namespace."""
    space = {"__name__": "__main__"}
    for _, _, source in code(path):
        with contextlib.redirect_stdout(None):
            exec(source, space)


@cache
def spaces(name):
    """The names of the student's notebook above each cell, to its last task: none is solved."""
    space, above = {"__name__": "__main__"}, {}
    *_, last = (task for exercise, task in TASKS if exercise == name)
    for grade_id, _, source in code(EXERCISES / "student" / name):
        above[grade_id] = dict(space)
        if grade_id == last:
            break
        with contextlib.redirect_stdout(None), contextlib.suppress(Unsolved):
            exec(source, space)
    return above


def before(name, task):
    """The names of the student's notebook above a task: the tasks before it are unsolved."""
    return spaces(name)[task]


def objection(name, task, solution):
    """What the visible check says to this solution of a task; nothing, if it is content."""
    return answered(name, task, solution).message


def answered(name, task, solution):
    """The verdict of the visible check on this solution of a task, with what it draws."""
    check, verdicts = cells(EXERCISES / "student" / name)[f"{task}-check"], [Verdict("right")]
    space, deliver = dict(before(name, task)), Verdict.deliver
    with contextlib.redirect_stdout(None), pytest.MonkeyPatch.context() as patch:
        patch.setattr(Verdict, "deliver", lambda self: verdicts.append(self) or deliver(self))
        exec(solution, space)
        try:
            exec(check, space)
        except Unsolved:
            raise
        except Wrong as wrong:
            return verdicts[-1]._replace(kind="wrong", message=str(wrong))
    return verdicts[-1]


TASKS = [(name, i) for name in NAMES for i, _, c in code(EXERCISES / name) if SOLUTION.search(c)]


# ---- the student versions


def test_there_is_a_student_version_of_each():
    assert NAMES == sorted(path.name for path in EXERCISES.glob("student/*.ipynb"))


@every_exercise
def test_the_student_version_is_in_step(name):
    kept = (EXERCISES / "student" / name).read_bytes()
    assert kept == student_version((EXERCISES / name).read_text("utf-8")).encode()


@every_exercise
def test_the_student_version_has_no_line_of_a_solution(name):
    student = json.loads((EXERCISES / "student" / name).read_text("utf-8"))["cells"]
    assert not any(cell.get("outputs") for cell in student)
    text = "\n".join("".join(cell["source"]) for cell in student)
    assert "HIDDEN" not in text and "SOLUTION" not in text
    solutions = lines(
        "\n".join(s for _, _, c in code(EXERCISES / name) for s in SOLUTION.findall(c))
    )
    given = lines("\n".join(SOLUTION.sub("", c) for _, _, c in code(EXERCISES / name)))
    assert solutions - given and not (solutions - given) & lines(text)


def lines(text):
    return {line.strip() for line in text.splitlines()}


@pytest.mark.each("name", some(NAMES, 6, turn=1))
def test_the_student_version_runs_to_the_first_task(name):
    with pytest.raises(Unsolved, match="is not written yet: replace `raise NotImplementedError"):
        run(EXERCISES / "student" / name)


@every_exercise
def test_every_check_has_points_and_a_task_above_it(name):
    found = code(EXERCISES / name)
    solved = {grade_id for grade_id, _, source in found if SOLUTION.search(source)}
    assert {f"{grade_id}-check" for grade_id in solved} == {i for i, p, _ in found if p}


# ---- right and wrong solutions


@every_exercise
def test_the_solutions_are_run_with_the_other_notebooks(name):
    """There each must pass its checks, the hidden ones too: an error that is not kept fails."""
    assert EXERCISES / name in notebooks()
    found = json.loads((EXERCISES / name).read_text("utf-8"))["cells"]
    kept = [out["output_type"] for cell in found for out in cell.get("outputs", ())]
    assert "error" not in kept
    assert any("BEGIN HIDDEN TESTS" in "".join(cell["source"]) for cell in found)


@every_exercise
def test_every_task_has_three_mutants(name):
    tasks = [i.removesuffix("-check") for i, p, _ in code(EXERCISES / name) if p]
    given = mutants(name)
    assert {t: len(given.get(t, ())) >= 3 for t in tasks} == dict.fromkeys(tasks, True)


NUMBERS = {8: "eight seconds", 10**9: "a gigabyte"}


@every_exercise
def test_what_is_told_of_limits_is_true(name):
    text = (EXERCISES / name).read_text("utf-8")
    if "A check runs in a process of its own" in text:
        seconds, memory = NUMBERS[USUAL.limits.seconds], NUMBERS[USUAL.limits.memory]
        assert f"with {seconds} of CPU time and {memory} of memory at most" in text


@pytest.mark.each("name, task", some(TASKS, 10, turn=1))  # notebooks do all, in order
def test_a_task_can_be_done_while_those_before_it_are_not(name, task):
    assert objection(name, task, cells(EXERCISES / name)[task]) == ""


# ---- answers that do harm

HARM = {
    "loops": "while True:\n        pass",
    "explodes": "return bytearray(10**9)",
    "recurses": "return {}(*args, **how)",
    "prints": "while True:\n        print('word ' * 1000)",
    "raises": "raise KeyError('of my own')",
    "returns nothing": "return None",
    "changes what is global": "global harmed, math, np\n    harmed = math = np = None",
}


def functions(source):
    """The functions of a cell, by name, with the names of their arguments."""
    found = [part for part in ast.parse(source).body if isinstance(part, ast.FunctionDef)]
    return {f.name: [a.arg for a in f.args.args] for f in found}


@pytest.mark.each(
    "name, task, harm", some(((name, task, harm) for name, task in TASKS for harm in HARM), 60)
)
def test_an_answer_that_does_harm_is_answered(name, task, harm):
    asked = functions(cells(EXERCISES / name)[task])
    bad = [f"def {f}(*args, **how):\n    {HARM[harm].format(f)}" for f in asked]
    with limited(steps=5000, seconds=3, memory=3 * 10**8):
        message = objection(name, task, "\n".join(bad))
    assert message and len(message) < 5000
    assert "harmed" not in before(name, task) and np.__name__ == "numpy"
