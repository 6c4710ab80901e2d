"""A wrong answer to an exercise is shown a graph, with what is wrong in it; a right one its own.

Protects the pictures of checks that need the cells of their notebook: `test_chart.py` has the
others. Where a message complains of the kind of an answer, there is no graph to draw.
"""

import contextlib

import numpy as np
import pytest

from autodiff_edu.course import limited
from autodiff_edu.course.harness.verdict import verdict
from tests.course.test_exercises import EXERCISES, NAMES, before, cells, mutants
from tests.helpers.depth import some

OWN = {  # tasks in which a right answer is shown what it made
    "07": {"own", "confluence", "conditions", "swell", "heavier", "circle", "sly", "fire"},
    "13": {"bump", "slope"},
    "17": {"roots", "fewest", "revolve", "marked", "room", "few", "many"},
    "20": {"early", "stubborn"},
    "22": {"count", "beside", "loop", "lie"},
}
TASKS = [(name, task) for name in NAMES if name[:2] in OWN for task in sorted(mutants(name))]


def judged(name, task, answer):
    """The verdict of the visible check, in this process, where each check draws alike."""
    space, draw = dict(before(name, task)), np.random.default_rng
    check = cells(EXERCISES / "student" / name)[f"{task}-check"]
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(None),
        limited(seconds=4),
    ):
        patch.setattr(np.random, "default_rng", lambda seed=None: draw(5 if seed is None else seed))
        exec(answer, space)
        return verdict(lambda: exec(check, space), task, alone=True)


@pytest.mark.each("name, task", some(TASKS, 6))
def test_a_right_answer_is_shown_its_own_graph(name, task):
    found = judged(name, task, cells(EXERCISES / name)[task])
    assert found.kind == "right"
    assert bool(found.page) == (task in OWN[name[:2]])
    assert not any(is_wrong for drawn in found.page for *_, is_wrong in drawn.nodes)


SAYS = {  # what a wrong node says, of a wrong answer to each task
    ("07", "own", 1): "yours 2, right 0",
    ("07", "confluence", 0): "by product of exps, times itself, mine",
    ("07", "conditions", 2): "yours False, right True",
    ("13", "clip", 2): ": it is as long as the limit, if ct is longer",
    ("13", "angle", 10): ": the value is close",
    ("13", "slope", 1): "derivative: yours ",
    ("17", "fewest", 3): "yours 1, right 3",
    ("17", "few", 0): "1 state",
    ("20", "linear", 3): "yours [[",
    ("20", "early", 4): "yours 0.5, right 0.3125",
    ("22", "count", 0): "yours 4, right 3",
    ("22", "beside", 2): "yours -1, right 1",
    ("22", "loop", 1): "yours 1.333, right 1.26",
}


@pytest.mark.each("number, task, k", some(SAYS, 4))
def test_a_wrong_node_says_both_answers(number, task, k):
    name = next(name for name in NAMES if name.startswith(number))
    (drawn,) = judged(name, task, mutants(name)[task][k]).page
    wrong = [note for *_, note, is_wrong in drawn.nodes if is_wrong]
    assert any(SAYS[number, task, k] in note for note in wrong), drawn
