"""`doctor`: what works on this machine, what does not, and what to install for it."""

import platform
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from .. import __version__
from ..course.harness.cpu_time import processors

COURSE = 'pip install "autodiff-edu[course]"'
LAB = 'pip install "autodiff-edu[lab]"'


class Finding(NamedTuple):
    """One thing: does it work, and what is there, or what to do."""

    what: str
    works: bool
    words: str
    needed: bool = True  # else one can do without it


def findings() -> Iterator[Finding]:
    """Everything that is looked at, in the order in which a person needs it."""
    yield Finding("Python", sys.version_info >= (3, 11), f"{platform.python_version()}, 3.11 on")
    yield Finding("system", True, machine())
    yield packages("formulas", ["numpy", "scipy"], "pip install autodiff-edu")
    yield tried("pictures", pictures)
    yield packages("plots in lectures", ["matplotlib"], "pip install matplotlib")
    yield packages("lectures", ["ipykernel", "nbformat", "scikit-learn", "libcst"], COURSE)
    place = packages("a place to open them", ["jupyterlab"], f"{LAB}, or VS Code")
    yield place._replace(needed=False)
    yield tried("checks of exercises", checks)
    yield tried("grading of a class", grading)
    yield tried("the lectures are here", lectures)
    yield tried("slides of them", slides)._replace(needed=False)


def machine() -> str:
    """This package, and the machine, as one would tell them who asks for help."""
    parts = [f"autodiff-edu {__version__}", platform.platform(), processor()]
    return ", ".join([*parts, f"{processors()} processors"])


def processor() -> str:
    """The name of the processor, which Linux keeps in a file, or its kind."""
    place = Path("/proc/cpuinfo")
    names = re.findall(r"^model name\s*: (.+)$", place.read_text(), re.M) if place.exists() else []
    return next(iter(names), "") or platform.processor() or platform.machine()


def packages(what: str, names: list[str], remedy: str) -> Finding:
    """Are these installed, and can they be imported?"""
    there = []
    for name in names:
        try:
            import_module({"scikit-learn": "sklearn"}.get(name, name))
            there.append(f"{name} {version(name)}")
        except (ImportError, PackageNotFoundError):
            return Finding(what, False, f"{name} is missing: {remedy}")
    return Finding(what, True, ", ".join(there))


def tried(what: str, work: Callable[[], str]) -> Finding:
    """Does it work, when it is done once?"""
    try:
        return Finding(what, True, work())
    except Exception as error:  # whatever it is, the others are looked at, too
        return Finding(what, False, str(error) or type(error).__name__)


def pictures() -> str:
    """Draw one."""
    from ..show.diagram.layout import renderer
    from ..show.diagram.svg import svg

    svg("digraph { a -> b }")
    words = f"by {renderer().__doc__}".rstrip(".")
    return f"{words} {version('pygraphviz')}" if words.endswith("pygraphviz") else words


def checks() -> str:
    """Judge one answer, in the process that judges answers."""
    from ..course.harness.check import call
    from ..course.harness.checker import job
    from ..course.harness.supervisor import SUPERVISOR

    SUPERVISOR.judge(job(call, (answer, ()), {}))
    return "in a process of their own, with limits"


def answer() -> int:
    """What a student could have written."""
    return 3


TASK = (
    ("three", "def three():\n    return 3", {"solution": True}),
    ("three-check", "assert three() == 3", {"grade": True, "points": 1}),
)  # each cell has its name, its source, and what nbgrader says of it


def grading() -> str:
    """Grade one small notebook, which is right, as a class is graded."""
    from ..course.grading.exercise import read_exercise
    from ..course.grading.report import as_text
    from ..course.grading.score import grade

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "answer.ipynb")
        path.write_text(notebook(), "utf-8")
        (result,) = grade([path], [read_exercise(path)])
    if result.points != 1:
        raise ValueError(f"a right answer has no points: {as_text([result])}")
    return "a notebook that is right has its point; autodiff-edu check"


def notebook() -> str:
    """The text of that notebook."""
    from nbformat.v4 import new_code_cell, new_notebook, writes

    usual = {"grade": False, "solution": False, "locked": False, "schema_version": 3}
    cells = [
        new_code_cell(source, metadata={"nbgrader": {**usual, "grade_id": name, **roles}})
        for name, source, roles in TASK
    ]
    return writes(new_notebook(cells=cells))


def lectures() -> str:
    """Look for them."""
    from .lectures import home

    count = len(list(home().glob("*.ipynb")))
    return f"{count}; autodiff-edu lectures FOLDER copies them"


def slides() -> str:
    """Look for what they are made of."""
    from ..course.slides.deck import NEEDED, package

    for name in NEEDED:
        package(name)
    return "autodiff-edu slides FOLDER writes them"
