"""The path *Build your own*: our files pass, wrong ones are told why, and harm is answered."""

import ast
import contextlib
import os
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from autodiff_edu.course import Unsolved, Wrong, limited
from autodiff_edu.course.build_your_own.check import check_task
from autodiff_edu.course.build_your_own.files import TASKS, Files, reference
from autodiff_edu.course.build_your_own.formulas import nodes_of
from autodiff_edu.course.harness.markers import without_markers, without_solutions
from tests.course.build_your_own.mutants import MUTANTS
from tests.course.build_your_own.other_engine import FILES
from tests.helpers.depth import some

OURS = {name: without_markers(reference(name)) for name in TASKS}
every_task = pytest.mark.each("task", range(1, 9))


def objection(task, text, **more):
    """What the check says if this is the file of the task; nothing, if it is content."""
    files = Files("my_engine", OURS | {TASKS[task - 1]: text} | more)
    try:
        with contextlib.redirect_stdout(None):
            check_task(files, task, task, seed=0)
    except Wrong as wrong:
        return str(wrong)
    return ""


def test_the_reference_passes_all_eight(capsys):
    tasks = some(range(1, 9), 3, turn=1)
    for task in tasks:
        check_task(Files("my_engine", OURS), task, 8, seed=1)
    lines = [f"task {task}, {TASKS[task - 1]}: right\n" for task in tasks]
    assert capsys.readouterr().out == "".join(lines)


def test_other_files_that_are_right_pass_too(capsys):
    tasks = some(range(1, 9), 4)
    for task in tasks:
        check_task(Files("my_engine", FILES), task, 8, seed=2)
    assert capsys.readouterr().out.count(": right\n") == len(tasks)


@every_task
def test_reference_files_are_short(task):
    assert OURS[TASKS[task - 1]].count("\n") < 100
    assert "###" not in OURS[TASKS[task - 1]] and "YOUR CODE" not in OURS[TASKS[task - 1]]


@every_task
def test_wrong_files_are_rejected_each_in_its_own_words(task):
    found = MUTANTS[task]
    assert len(found) >= 3
    for words, (ours, theirs) in some(found.items(), min(6, len(found)), turn=task):
        text = OURS[TASKS[task - 1]]
        assert text.count(ours) >= 1, (words, ours)
        more = "KEPT = {}\n" if "KEPT" in theirs else ""
        said = objection(task, text.replace(ours, theirs) + more)
        assert words in said, f"{words!r} is not in:\n{said}"
        assert said.startswith(f"task {task}, {TASKS[task - 1]}: ")
        assert not given_away(task, theirs, said), said


def given_away(task, theirs, said):
    """The lines of our solution that a message shows, those that the student wrote aside."""
    stub = without_solutions(reference(TASKS[task - 1]))
    ours = {line.strip() for line in OURS[TASKS[task - 1]].splitlines()}
    secret = {line for line in ours if len(line) > 8 and line not in stub}
    told = [line for line in said.splitlines() if not line.startswith("  in  ")]
    return {s for s in secret for line in told if s in line}


@every_task
def test_a_stub_is_not_written_yet(task):
    name = TASKS[task - 1]
    text = without_solutions(reference(name))
    files = Files("my_engine", OURS | {name: text})
    words = rf"^task {task}, {name}: .*my_engine/{name}.py is not written yet: replace `raise"
    with pytest.raises(Unsolved, match=words):
        check_task(files, task, task, 0)
    solution = set(OURS[name].splitlines()) - set(text.splitlines())
    assert solution and "SOLUTION" not in text


# ---- answers that do harm

HARM = {
    "loops": ("while True:\n        pass", "no result after"),
    "explodes": ("return bytearray(10**9)", "MB of memory would be needed"),
    "recurses": ("return {name}(*args, **how)", "recursi"),
    "prints": ("while True:\n        print('word ' * 1000)", "no result after"),
    "raises": ("raise KeyError('of my own')", "it raised KeyError: 'of my own'"),
    "returns nothing": ("return None", ""),
}
ASKED = ("apply", "values", "forward", "reverse", "simplify", "dot", "summed", "train")


def harmed(task, body):
    """The reference file, one function of which does this."""
    name, text = ASKED[task - 1], OURS[TASKS[task - 1]]
    (made,) = [f for f in ast.parse(text).body if getattr(f, "name", "") == name]
    lines = text.splitlines()
    new = [f"def {name}(*args, **how):", f"    {body.format(name=name)}"]
    return "\n".join([*lines[: made.lineno - 1], *new, *lines[made.end_lineno :]])


@pytest.mark.each("harm, task", some(product(HARM, range(1, 9)), 11))
def test_an_answer_that_does_harm_is_answered(harm, task):
    body, words = HARM[harm]
    with limited(steps=20_000, seconds=3, memory=4 * 10**8):
        said = objection(task, harmed(task, body))
    assert words in said and f"task {task}, " in said or "MB of memory" in said, said
    assert len(said) < 5000


SPOIL = "import math, os; import numpy as np; os.chdir('/'); math.pi = np.exp = 3"


@pytest.mark.each("text", some([f"{OURS['draw']}\n{SPOIL}\n", harmed(6, SPOIL)], 2))
def test_what_is_global_stays_as_it_is(text):
    before = os.getcwd(), np.exp
    objection(6, text)
    assert (os.getcwd(), np.exp) == before
    assert objection(3, OURS["forward"]) == ""


UNUSABLE = {
    "import autodiff_edu as ad": "imports autodiff_edu. An engine of your own rests on Python",
    "from autodiff_edu.ops import exp": "imports autodiff_edu.ops",
    "import jax.numpy as jnp": "imports jax.numpy",
    "__import__('autodiff_edu').scalar('x')": "the engine was called (autodiff_edu.",
    "__import__('autodiff_edu.course.build_your_own.reference.node')": "our own files",
    "x = = 1": "my_engine/reverse.py, line 1: this is not Python",
    "from .nod import Node": "No module named 'my_engine.nod'",
    "while True:\n    x = 1": "no result after 20,000 steps",
    "1 / 0": "it raised ZeroDivisionError: division by zero\n  in        <module>: 1 / 0",
}


@pytest.mark.each("line, words", some(UNUSABLE.items(), 3))
def test_a_file_that_cannot_be_used(line, words):
    with limited(steps=20_000):
        said = objection(4, f"{line}\n{OURS['reverse']}")
    assert words in said, said


def test_our_engine_is_closed_wherever_it_is_called():
    """Also from a file of another task, and with the refusal swallowed."""
    late = "    try:\n        __import__('autodiff_edu').scalar('x')\n"
    late += "    except BaseException:\n        pass\n"
    text = OURS["reverse"].replace("    adjoint = {y", late + "    adjoint = {y")
    assert "refused: the engine was called" in objection(4, text)


def test_further_files_may_be_imported():
    text = "from my_engine.node import Node\nfrom .helper import number\n" + OURS["draw"]
    assert objection(6, text, helper="number = 3\n") == ""
    assert "there is no file my_engine/node.py" in says(Files("my_engine", {"graph": ""}))


def says(files):
    with pytest.raises(Wrong) as wrong:
        check_task(files, 1, 1, 0)
    return str(wrong.value)


def test_a_graph_that_does_not_end_is_told():
    circle = SimpleNamespace(op="neg", operands=(), value=None)
    circle.operands = (circle,)
    with pytest.raises(Wrong, match="^the graph does not end"):
        nodes_of(circle, "y")


def test_later_files_must_not_break_earlier_ones():
    text = OURS["arrays"] + "\nPULL['neg'] = lambda ct, v, x: (ct,)\n"
    assert objection(4, OURS["reverse"], arrays=text) == ""
    with pytest.raises(
        Wrong, match="reverse.py is right, but not after the import of .* arrays.py"
    ):
        check_task(Files("my_engine", OURS | {"arrays": text}), 4, 7, 0)


NOT_READY = {
    "stub": without_solutions(reference("arrays")),
    "no summed": OURS["arrays"].replace(
        "    x = np.sum(x, axis=t", "    raise NotImplementedError()\n    x = ("
    ),
    "no rules": OURS["arrays"].replace('PULL["matmul"] =', "raise NotImplementedError()\nx ="),
    "endless": OURS["arrays"] + "while True:\n    x = 1\n",
    "broken": OURS["arrays"] + "1 / 0",
}


@pytest.mark.each("kind", some(NOT_READY, 4))
def test_later_files_that_are_not_ready_do_not_matter(kind, capsys):
    arrays = NOT_READY[kind]
    assert arrays != OURS["arrays"]
    with limited(steps=200_000):
        check_task(Files("my_engine", OURS | {"arrays": arrays}), 4, 8, 0)
    assert capsys.readouterr().out == "task 4, reverse: right\n"
