"""`dev.py test --changed` runs every test that a change can make fail.

Protects contributors: what it leaves out must not be what their change breaks.
"""

import json
import subprocess
import sys
from functools import cache

import pytest

import dev
from tests.helpers import changed
from tests.helpers.depth import some
from tests.house.test_house import FLOORS, imports, room_of

TESTS = [path for path in changed.files() if changed.is_test(path)]
MODULES = [path for path in changed.below("autodiff_edu/") if path.endswith(".py")]
ROOMS = [room for room in FLOORS if f"tests/{room}" in changed.counts(TESTS)]
LATE = "autodiff_edu/show/views/profile.py"  # loaded by no name: it registers what it shows


@cache
def concerned(path):
    return {*changed.concerned({path})}


@cache
def importers():
    """Pairs of a room and of one that imports it, by default in one module of six."""
    return {(used, path.split("/")[1]) for path in some(MODULES, 6) for used in rooms_in(path)}


def rooms_in(path):
    return {*map(room_of, imports(dev.ROOT / path))}


def of_room(room, folder):
    return {path for path in TESTS + MODULES if path.startswith(f"{folder}/{room}/")}


@pytest.mark.each("room", ROOMS)
def test_a_change_concerns_the_tests_of_its_room_and_of_the_rooms_that_import_it(room):
    files = sorted(of_room(room, "autodiff_edu"))
    for path in [*some(files[:: len(files) // 3], 4, turn=1), f"autodiff_edu/{room}/__init__.py"]:
        assert of_room(room, "tests") <= concerned(path)
    for other in (other for other in ROOMS if (room, other) in importers()):
        assert of_room(other, "tests") <= concerned(f"autodiff_edu/{room}/__init__.py")


def test_every_module_concerns_a_lecture_or_a_test():
    """Every one is imported, or named, or loaded with all of its folder."""
    used = {use for path in changed.files() for use in changed.uses(path)}
    assert {*MODULES} <= used


RUN = """
import contextlib, io, json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
with contextlib.redirect_stdout(io.StringIO()):
    for cell in json.load(sys.stdin):
        assert shell.run_cell(cell).success
print("FILES", *[getattr(module, "__file__", "") for module in list(sys.modules.values())])
"""


@pytest.mark.parametrize("number", some(["01_reading_a_graph", "05_reverse_mode"], 2))
def test_a_lecture_loads_nothing_that_it_is_not_said_to_use(number):
    lecture = f"notebooks/{number}.ipynb"
    cells = json.loads((dev.ROOT / lecture).read_text("utf-8"))["cells"]
    code = json.dumps(["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"])
    command = [sys.executable, "-c", RUN]
    done = subprocess.run(command, input=code, capture_output=True, text=True, cwd=dev.ROOT)
    loaded = [path for path in MODULES if str(dev.ROOT / path) in done.stdout.split()]
    assert len(loaded) > 100, done.stderr
    assert [path for path in some(loaded, 4) if lecture not in concerned(path)] == []


def test_what_only_some_use_concerns_only_them():
    """One lecture does not concern the others; Theano's names concern few lectures, and pictures
    not all tests: a helper that all tests use must not use pictures in its text."""
    lectures = {path for path in TESTS if path.startswith("notebooks/")}
    assert concerned("notebooks/05_reverse_mode.ipynb") & lectures == {
        "notebooks/05_reverse_mode.ipynb"
    }
    assert len(concerned("autodiff_edu/theano/loops.py") & lectures) < 6
    assert lectures <= concerned(LATE) and len(concerned(LATE)) < 0.75 * len(TESTS)
    assert concerned("book/limits.md") < concerned("pyproject.toml") == {*TESTS}
