"""`doctor`: what works on this machine, what does not, and what to install for it."""

import platform
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

COURSE = 'pip install "autodiff-edu[course]"'


class Finding(NamedTuple):
    """One thing: does it work, and what is there, or what to do."""

    what: str
    works: bool
    words: str


def findings() -> Iterator[Finding]:
    """Everything that is looked at, in the order in which a person needs it."""
    yield Finding("Python", sys.version_info >= (3, 11), f"{platform.python_version()}, 3.11 on")
    yield packages("formulas", ["numpy", "scipy"], "pip install autodiff-edu")
    yield tried("pictures", pictures)
    yield packages("plots in lectures", ["matplotlib"], "pip install matplotlib")
    yield packages("lectures", ["ipykernel", "nbformat", "scikit-learn"], COURSE)
    yield packages("a place to open them", ["jupyterlab"], "pip install jupyterlab, or VS Code")
    yield tried("checks of exercises", checks)
    yield tried("the lectures are here", lectures)
    yield tried("slides of them", slides)


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
    from ..show.diagram.graphviz import renderer, svg

    svg("digraph { a -> b }")
    return f"by {renderer().__doc__}".rstrip(".")


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
