"""A small exercise, and answers to it of every kind that a class hands in."""

import copy
import json

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from tests.helpers.depth import is_short

CHILDREN = 6 if is_short() else 200  # so many processes an answer starts

INSTRUCTOR = [
    ("setup", "from autodiff_edu import course\nimport numpy as np", {}),
    (
        "double",
        "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION",
        {"solution": True, "locked": False},
    ),
    (
        "double-check",
        "course.check_function(double, lambda x: 2 * x, lambda rng: (rng.normal(),), trials=3)\n"
        "### BEGIN HIDDEN TESTS\nassert double(np.inf) == np.inf\n### END HIDDEN TESTS",
        {"grade": True, "points": 2},
    ),
    (
        "three",
        "def three():\n    ### BEGIN SOLUTION\n    return 3\n    ### END SOLUTION",
        {"solution": True, "locked": False},
    ),
    ("three-check", "assert three() == 3", {"grade": True, "points": 1}),
]


def cell(name, source, stated):
    roles = {"grade": False, "solution": False, "locked": True, "schema_version": 3}
    metadata = {"nbgrader": {**roles, "task": False, "grade_id": name, **stated}}
    return new_code_cell(source, metadata=metadata)


def instructor():
    """The text of the instructor's notebook."""
    return nbformat.writes(new_notebook(cells=[cell(*row) for row in INSTRUCTOR]))


def answer(**sources):
    """The text of a notebook in which these cells have been written."""
    notebook = json.loads(instructor())
    for one in notebook["cells"]:
        name = one["metadata"]["nbgrader"]["grade_id"]
        if name in sources:
            one["source"] = sources[name]
    return json.dumps(notebook)


def changed(change):
    """The text of a right answer of which the list of cells has been changed."""
    notebook = json.loads(RIGHT)
    cells = {one["metadata"]["nbgrader"]["grade_id"]: one for one in notebook["cells"]}
    change(notebook["cells"], cells)
    return json.dumps(notebook)


DOUBLE, THREE = "def double(x):\n    return x + x", "def three():\n    return 3"
RIGHT = answer(double=DOUBLE, three=THREE)


def renamed(cells, by_name):
    by_name["double"]["metadata"]["nbgrader"]["grade_id"] = "=double"
    cells.remove(by_name["three"])


def split(cells, by_name):
    """As editors split a cell: both parts have its metadata."""
    twin = copy.deepcopy(by_name["double"])
    twin["source"] = "def double(x):\n    return helper(x)"
    by_name["double"]["source"] = "def helper(x):\n    return x + x"
    cells.insert(cells.index(by_name["double"]) + 1, twin)


def plain(cells, by_name):
    """As editors write cells that do not know their metadata."""
    for one in cells:
        one["metadata"] = {}


def doubled(cells, by_name):
    """The cell as it was handed out is still there."""
    twin = copy.deepcopy(by_name["double"])
    twin["source"] = "def double(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
    cells.insert(0, twin)
    by_name["double"]["source"] = "%precision 3\nprint('x' * 10**7)\n" + DOUBLE


def as_text(cells, by_name):
    by_name["double"]["cell_type"] = "markdown"
    for key in ("outputs", "execution_count"):
        by_name["double"].pop(key, None)


def own_checks(cells, by_name):
    by_name["double"]["source"] = "def double(x):\n    return 0"
    by_name["double-check"]["source"] = "pass"


# kind of answer: (text, points for double, points for three, words in its report)
CLASS = {
    "right": (RIGHT, 2, 1, ""),
    "wrong": (answer(double="def double(x):\n    return 3 * x", three=THREE), 0, 1, "expected"),
    "empty": (answer(double="", three=""), 0, 0, "NameError"),
    "hanging": (answer(double=DOUBLE, three="while True:\n    print('x')"), 2, 0,
                "three: this cell did not end after 0.2 seconds of CPU time: is there a loop"),
    "computing": (answer(double="def double(x):\n    return sum(range(10**13))", three=THREE), 0, 1,
                  "double-check: stopped. double: no verdict after 0.2 seconds of CPU time: is"),
    "sleeping": (answer(double=DOUBLE, three="import time\ntime.sleep(3600)\n" + THREE), 2, 0,
                 "this cell did not end after 2 seconds without work: does it sleep, or wait for"),
    "halting": (answer(double="import os\nos.kill(os.getpid(), 19)\n" + DOUBLE,
                       three=f"import os, time\nfor _ in range({CHILDREN}):\n"
                             "    if not os.fork():\n        time.sleep(3600)\nos.wait()\n"
                             + THREE), 0, 0,
                "this cell did not end after 2 seconds without work: is its process stopped | "
                "after 2 seconds without work: does it wait for | processes that it started"),
    "syntax": (answer(double="def double(x:\n  return", three=THREE), 0, 1, "SyntaxError"),
    "hidden": (answer(double="def double(x):\n    return 2 * x if abs(x) < 9 else 0", three=THREE),
               0, 1, "AssertionError"),
    "ends": (answer(double="import os\nos._exit(0)", three="raise SystemExit"), 0, 0,
             "ended the process | SystemExit"),
    "leaves": (answer(double="exit()\n" + DOUBLE, three="quit()\n" + THREE), 0, 0,
               "SystemExit: this cell asked to end the notebook"),
    "a place": (answer(double="def double(x):\n    raise ValueError(double)",
                       three="raise ValueError(object())\n" + THREE), 0, 0,
                "ValueError: <function double> | ValueError: <object object>"),
    "greedy": (answer(double="big = bytearray(10**11)",
                      three="open('f', 'w').write('x' * 10**8)\n" + THREE),
               0, 0, "MemoryError | OSError"),
    "cheat": (answer(double="course.check_function = print\ndef double(x): return 0",
                     three="class course: check_function = print\n" + THREE),
              0, 1, "autodiff_edu.course.check_function, which was put | changed course"),
    "markup": (answer(double="raise ValueError('<script>alert(1)</script>')",
                      three="class E(Exception):\n    def __str__(self): raise E\nraise E"),
               0, 0, "<script>alert"),
    "renamed": (changed(renamed), 2, 0, "double is not ours | double is missing | three is"),
    "split": (changed(split), 2, 1, "cell double is there 2 times: all are run"),
    "doubled": (changed(doubled), 2, 1, ""),
    "as text": (changed(as_text), 0, 1, "no code cell"),
    "without metadata": (changed(plain), 2, 1, "double is missing | three is missing"),
    "magic": (answer(double="%matplotlib inline\n%autosave 60\n%man ls\n" + DOUBLE,
                     three="%%time\n%matplotlib widget\n" + THREE), 2, 1, ""),
    "hides": (answer(double="get_ipython().run_cell = None\n" + DOUBLE, three=THREE), 2, 1, ""),
    "no function": (answer(double="double = 3", three="three = None"),
                    0, 0, "must be a function, and is of type int"),
    "partial": (answer(double="import functools, operator\n"
                       "double = functools.partial(operator.mul, 2)", three=THREE), 2, 1, ""),
    "modules": (answer(double="import sys\nsys.modules[3] = sys.modules['autodiff_edu.course.own']"
                       " = None\ndel sys.modules['numpy']\n" + DOUBLE, three=THREE),
                2, 1, "cell double changed sys.modules.numpy, which was put back"),
    "no modules": (answer(double="import sys\nsys.modules.clear()\n" + DOUBLE, three=THREE),
                   0, 1, "changed sys.modules."),
    "spoils": (answer(double="import json\njson.dumps = lambda *a, **k: '{}'", three=THREE),
               0, 1, "ended the process"),
    "own checks": (changed(own_checks), 0, 1, "cell double-check is not as we handed it out"),
}  # fmt: skip
NO_NOTEBOOKS = {
    "text": "hello",
    "nothing": "",
    "list": "[]",
    "number": "3",
    "nested": "[" * 100_000,
    "no cells": "{}",
    "strange cells": '{"cells": [1, null], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}',
    "strange metadata": json.dumps(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": {},
         "cells": [{"cell_type": "code", "metadata": {"nbgrader": [3]}, "source": 7}]}
    ),
}  # fmt: skip
SPACED = {
    "lines of Windows": lambda source: source.replace("\n", "\r\n"),
    "space behind lines": lambda source: source.replace("\n", "  \n") + " \n\n",
}
