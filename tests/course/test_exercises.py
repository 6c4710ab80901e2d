"""The exercises as they are kept: student versions in step, checks that tell right from wrong.

The cells of an exercise are run here as they are, with wrong solutions in place of ours: those of
exercise NN are MUTANTS in mutants_NN.py.
"""

import contextlib
import json
import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec

import pytest

from autodiff_edu.course import Unsolved, Wrong
from autodiff_edu.course.harness.student import student_version
from dev import ROOT, notebooks

EXERCISES = ROOT / "notebooks" / "exercises"
NAMES = sorted(path.name for path in EXERCISES.glob("*.ipynb"))
SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", re.DOTALL)
every_exercise = pytest.mark.parametrize("name", NAMES)


def mutants(name):
    """The wrong solutions of one exercise notebook, by task."""
    module = f"tests.course.mutants_{name[:2]}"
    return import_module(module).MUTANTS if find_spec(module) else {}


MUTANTS = [(name, task, m) for name in NAMES for task, ms in mutants(name).items() for m in ms]


@cache
def code(path):
    """(grade_id, points or None, source) for each code cell."""
    cells = [c for c in json.loads(path.read_text("utf-8"))["cells"] if c["cell_type"] == "code"]
    roles = [c["metadata"]["nbgrader"] for c in cells]
    return [
        (r["grade_id"], r.get("points"), "".join(c["source"]))
        for r, c in zip(roles, cells, strict=True)
    ]


def run(cells):
    """Run the cells in one namespace."""
    space = {}
    for _, _, source in cells:
        with contextlib.redirect_stdout(None):
            exec(source, space)


def run_check(cells, task, solution):
    """Check this one solution; the tasks before it are unsolved, their checks object in vain."""
    space, check = {}, f"{task}-check"
    for name, _, source in cells:
        passing_over = contextlib.suppress(*[Unsolved] * (name != check))
        with contextlib.redirect_stdout(None), passing_over:
            exec(solution if name == task else source, space)
        if name == check:
            return


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


@every_exercise
def test_the_student_version_runs_to_the_first_task(name):
    with pytest.raises(Unsolved, match="is not written yet: replace `raise NotImplementedError"):
        run(code(EXERCISES / "student" / name))


@every_exercise
def test_every_check_has_points_and_a_task_above_it(name):
    cells = code(EXERCISES / name)
    solved = {grade_id for grade_id, _, source in cells if SOLUTION.search(source)}
    assert {f"{grade_id}-check" for grade_id in solved} == {i for i, p, _ in cells if p}


# ---- right and wrong solutions


@every_exercise
def test_the_solutions_are_run_with_the_other_notebooks(name):
    """There each must pass its checks, the hidden ones too: an error that is not kept fails."""
    assert EXERCISES / name in notebooks()
    cells = json.loads((EXERCISES / name).read_text("utf-8"))["cells"]
    kept = [out["output_type"] for cell in cells for out in cell.get("outputs", ())]
    assert "error" not in kept
    assert any("BEGIN HIDDEN TESTS" in "".join(cell["source"]) for cell in cells)


@every_exercise
def test_every_task_has_three_mutants(name):
    tasks = [i.removesuffix("-check") for i, p, _ in code(EXERCISES / name) if p]
    given = mutants(name)
    assert {t: len(given.get(t, ())) >= 3 for t in tasks} == dict.fromkeys(tasks, True)


@pytest.mark.parametrize("name, task, mutant", MUTANTS, ids=lambda s: s[:30])
def test_a_wrong_solution_is_rejected_by_the_visible_check(name, task, mutant):
    cells = code(EXERCISES / "student" / name)
    with pytest.raises((Wrong, ArithmeticError, LookupError, ValueError)) as objection:
        run_check(cells, task, mutant)
    assert objection.type is not Unsolved
