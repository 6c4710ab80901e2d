"""Break your own page: one changed line that visible checks overlook, and a check that sees it.

Whoever finds such a line knows what a check of a derivative must ask.
"""

from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np

from ...ops import add, multiply, sin
from ..harness.feedback import Stopped, Wrong
from .judge import CHECKS, check_sweep
from .page import Page, read_page

VISIBLE = (add, multiply, sin)  # the operations of the visible checks, whose formulas are fixed


def check_visibly(page: Page, paper: str = "paths") -> None:
    """The checks that everybody may see: the same formulas each time, of three operations."""
    for hole in page.functions:
        rng = np.random.default_rng(1)
        if hole == "sweep":
            check_sweep(page, rng, VISIBLE, paper)
        else:
            CHECKS[hole](page, rng, VISIBLE)


def check_broken(right: Path, broken: Path, catch: Path, paper: str = "paths") -> int:
    """The number of the changed line, if all is as it should be.

    `catch` is a file with a function `catch(page)`. It gets an object with the functions of a page,
    and raises AssertionError if one of them is wrong. Raises Wrong if more than one line has been
    changed, if the visible checks see it, or if `catch` does not tell the two pages apart.
    """
    number = changed_line(right.read_text("utf-8"), broken.read_text("utf-8"), broken.name)
    try:
        check_visibly(read_page(broken), paper)
    except Wrong as error:
        raise Wrong(f"the visible checks see the change: {error}") from None
    space: dict[str, Any] = {}
    try:
        exec(compile(catch.read_text("utf-8"), catch.name, "exec"), space)
    except Wrong:
        raise
    except (Exception, SystemExit) as error:
        raise Wrong(f"{catch.name}: {type(error).__name__}: {error}") from None
    if not callable(space.get("catch")):
        raise Wrong(f"{catch.name} has no function catch(page)")
    if catches(space["catch"], read_page(right)):
        raise Wrong(f"{catch.name} finds an error in {right.name}, which is right")
    if not catches(space["catch"], read_page(broken)):
        raise Wrong(f"{catch.name} does not find the error in line {number} of {broken.name}")
    return number


def changed_line(text: str, other: str, name: str) -> int:
    """The one line that differs."""
    first, second = text.splitlines(), other.splitlines()
    same = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    changes = [(a, b, c, d) for kind, a, b, c, d in same if kind != "equal"]
    if len(changes) != 1 or max(changes[0][1] - changes[0][0], changes[0][3] - changes[0][2]) != 1:
        lines = sum(max(b - a, d - c) for a, b, c, d in changes)
        raise Wrong(f"{lines} lines of {name} are not those of your page: change one line")
    return changes[0][2] + 1


class Functions:
    """The functions of a page as attributes: page.sweep, page.match."""

    def __init__(self, page: Page):
        vars(self).update(page.functions)


def catches(catch: Any, page: Page) -> bool:
    """Does the student's check find an error?"""
    try:
        catch(Functions(page))
    except Stopped:
        raise
    except AssertionError:
        return True
    except (Exception, SystemExit) as error:
        says = f"{type(error).__name__}: {error}"
        raise Wrong(f"catch raises no AssertionError, but {says}") from None
    return False
