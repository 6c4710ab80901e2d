"""A right answer of another form gets its points, and a hidden test says what it objects to."""

import ast
import contextlib
import re

import pytest

from tests.course.right_answers import RIGHT
from tests.course.test_exercises import EXERCISES, NAMES, before, cells, code, every_exercise
from tests.helpers.depth import some

HIDDEN = re.compile(r"### BEGIN HIDDEN TESTS\n(.*?)### END HIDDEN TESTS", re.DOTALL)
ANSWERS = [
    pytest.param(name, task, answer, id=f"{name[:2]}-{task}-{k}")
    for name in NAMES
    for task, answers in RIGHT.get(name[:2], {}).items()
    for k, answer in enumerate(answers)
]


@pytest.mark.each("name, task, answer", some(ANSWERS, 8, turn=1))
def test_a_right_answer_of_another_form_passes_all_checks(name, task, answer):
    space = dict(before(name, task))
    with contextlib.redirect_stdout(None):
        exec(answer, space)
        exec(cells(EXERCISES / name)[f"{task}-check"], space)


@every_exercise
def test_no_hidden_test_is_an_assertion_without_words(name):
    hidden = [text for _, _, source in code(EXERCISES / name) for text in HIDDEN.findall(source)]
    found = [part for text in hidden for part in ast.walk(ast.parse(text))]
    assert [ast.unparse(p) for p in found if isinstance(p, ast.Assert) and p.msg is None] == []
