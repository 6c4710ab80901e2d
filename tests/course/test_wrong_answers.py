"""Wrong answers to the exercises: each is rejected in its own words, and shown where it is wrong.

Each is judged once, by the worker, as in the notebook of a student. Protects the words of all
checks, and the pictures of those that need the cells of their notebook: `test_chart.py` has the
others. Where a message complains of the kind of an answer, or an answer was stopped, there is no
graph to draw.
"""

import ast
import re
from functools import cache

import pytest

from autodiff_edu.course import limited
from autodiff_edu.course.harness.chart import Chart
from tests.course.test_chart_of_exercises import OWN
from tests.course.test_exercises import EXERCISES, TASKS, answered, cells, functions, mutants
from tests.helpers.depth import some

TRIED = some(TASKS, 3)


@cache
def verdicts(name, task):
    """The verdict on each wrong answer to a task; at first on one of them."""
    wrong = mutants(name)[task]
    with limited(seconds=1):
        return {a: answered(name, task, a) for a in some(wrong, len(wrong), turn=2)}


@pytest.mark.each("name, task", TRIED)
def test_wrong_solutions_are_rejected_by_the_visible_check_each_in_its_own_words(name, task):
    said = {mutant: verdict.message for mutant, verdict in verdicts(name, task).items()}
    assert [mutant for mutant, message in said.items() if not message] == []
    assert len(set(said.values())) >= min(3, len(said))
    for mutant, message in said.items():
        assert given_away(name, task, mutant, message) == set(), message


RANDOM = {"own", "confluence", "disguise"}  # rules and formulas, which are tried at random numbers
SMALL = set("0 1 2 3".split())  # numbers that any message may contain


def given_away(name, task, mutant, message):
    """What a message says of the answer to a task that asks for one thing, not for a function of
    something: no number and no word of it, and `expected` at random inputs alone."""
    solution = cells(EXERCISES / name)[task]
    if any(functions(solution).values()):
        return set()
    ours = [line for line in message.splitlines() if line.split()[0] not in ("got", "at", "in")]
    known = words(mutant) | words(cells(EXERCISES / "student" / name)[f"{task}-check"]) | SMALL
    secret = set() if task in RANDOM else {"expected"}
    return words("\n".join(ours)) & (words(" ".join(literals(solution))) - known | secret)


def literals(source):
    """The numbers and words of a solution, without docstrings and the names of its rules."""
    tree = ast.parse(source)
    docs = {ast.get_docstring(part, clean=False) for part in tree.body if "body" in part._fields}
    constants = [part.value for part in ast.walk(tree) if isinstance(part, ast.Constant)]
    return [str(c) for c in constants if c not in docs and " " not in str(c)]


def words(text):
    return set(re.findall(r"[\w.]*\w", text))


NO_GRAPH = (  # words of messages about what has no graph
    "(a rule, ", "(one rule, ", "a dict with ", "a stage, ", "a rule, `return", "a condition on",
    "is in the lecture", "an expression in x", "allowed", "not a pair", "changed its arguments",
    "refused", "is one of run", "cannot be judged", "a whole number", "three numbers",
    "returns one number", "returns a dictionary", "a number or None", "None is said", "raised",
    "no scan", "no verdict",
)  # fmt: skip


@pytest.mark.each("name, task", [task for task in TRIED if task[0][:2] in OWN])
def test_a_wrong_answer_is_shown_where_it_is_wrong(name, task):
    shown = 0
    for verdict in verdicts(name, task).values():
        assert verdict.kind != "right"
        if any(words in verdict.message for words in NO_GRAPH):
            continue
        (drawn,) = [Chart(*chart) for chart in verdict.page]
        assert 1 <= len(drawn.nodes) <= 25, drawn.title
        shown += 1
    assert shown >= min(2, len(verdicts(name, task)))
