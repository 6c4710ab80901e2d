"""Types: what an editor and a type checker know of the package.

Protects those who write with an editor: a page of examples says what mypy and pyright infer.
"""

import inspect
import runpy
import shutil
import subprocess
import sys
import tomllib
import typing
from pathlib import Path

import pytest

import autodiff_edu as ad

ROOT = Path(__file__).parents[2]
PAGE = "tests/house/typing_examples.py"
PYRIGHT = shutil.which("pyright") or shutil.which("pyright", path=Path(sys.executable).parent)
FUNCTIONS = {name: f for name in sorted(ad.__all__) if inspect.isroutine(f := getattr(ad, name))}
OF_VALUES = {  # what comes back depends on values, not on types
    "cond": "it is built like its sides: an expression, a list, a dictionary",
    "draw": "a rule is another picture than all else",
    "evaluate": "one value for one expression, a list for a list",
    "gradient": "one for an array of one axis, else a list",
    "hessian_vector_product": "of a function, the containers of its arguments",
    "pullback": "of a function, the containers of its arguments",
    "pushforward": "of a function, the containers of its result",
    "scan": "one for one output of the step, else a list",
    "wild": "one for one name, else several",
}


def test_the_page_runs():
    runpy.run_path(str(ROOT / PAGE))


def test_mypy_reads_the_page():
    """With the package: the test of style runs it."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    assert PAGE in settings["files"] and settings["warn_unused_ignores"]


@pytest.mark.skipif(not PYRIGHT, reason="needs pyright: pip install -e .[types]")
def test_pyright_reads_the_page():
    command = [PYRIGHT, "--pythonpath", sys.executable, PAGE]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_checkers_are_told_that_there_are_types():
    """PEP 561: the mark stands in the package, which goes into the wheel as a whole."""
    assert (ROOT / "autodiff_edu" / "py.typed").read_bytes() == b""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]
    assert settings["build"]["targets"]["wheel"]["packages"] == ["autodiff_edu"]


@pytest.mark.each("name", FUNCTIONS)
def test_every_public_function_is_annotated(name):
    whole = inspect.unwrap(FUNCTIONS[name])
    for f in [whole, *typing.get_overloads(whole)]:
        assert inspect.signature(f).parameters.keys() | {"return"} == f.__annotations__.keys()
    last = [f.__annotations__["return"] for f in typing.get_overloads(whole) or [whole]]
    assert (typing.Any in last) == (name in OF_VALUES)
