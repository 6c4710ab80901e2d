"""The instructor's notebook, as cells that are run in order; and which notebook an answer is to."""

import re
import symtable
from collections.abc import Collection, Iterable
from math import inf, nan
from pathlib import Path
from typing import Any, NamedTuple

import nbformat

from ..harness.markers import without_markers
from ..harness.student import check_ids, emptied, roles

MAGIC = re.compile(r"(?m)^[%!].*")  # a line of IPython's


class Cell(NamedTuple):
    """A code cell: what students get, and what it says in the instructor's version."""

    name: str  # its grade_id, or "" where it has none
    source: str
    handed_out: str = ""
    is_answer: bool = False  # do students write it?
    points: float | None = None  # for a cell that checks
    is_own: bool = False  # a cell of the student's, whose name says where it stands

    @property
    def title(self) -> str:
        """The cell in a sentence."""
        return self.name if self.is_own else f"cell {self.name}"


class Exercise(NamedTuple):
    """An exercise: its name, and its code cells in order."""

    name: str
    cells: tuple[Cell, ...]

    @property
    def answers(self) -> dict[str, Cell]:
        """The cells in which students write, by name."""
        return {cell.name: cell for cell in self.cells if cell.is_answer}

    @property
    def tasks(self) -> list[Cell]:
        """The cells that check, in order: a task is called what its cell is called."""
        return [cell for cell in self.cells if cell.points is not None]

    @property
    def points(self) -> float:
        """How many points there are."""
        return sum(cell.points or 0 for cell in self.tasks)

    @property
    def theirs(self) -> list[str]:
        """The names that students are to write: those that our own answers define."""
        return sorted(set().union(*map(names, self.answers.values())))


def names(cell: Cell) -> set[str]:
    """The names that a cell defines, as a module would."""
    source = MAGIC.sub("pass", cell.source)
    try:
        table = symtable.symtable(source, cell.name, "exec")
    except SyntaxError:
        return set()
    return {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}


def read_exercise(path: Path) -> Exercise:
    """The exercise in an instructor's notebook.

    Parameters
    ----------
    path : Path
        The notebook, with its solutions and hidden tests.

    Returns
    -------
    Exercise
        Its cells.

    Raises
    ------
    ValueError
        If it is no notebook, if there is no cell for students in it, or if a marker, a name or the
        points of a cell are wrong.
    """
    try:
        notebook = nbformat.reads(path.read_text("utf-8-sig"), as_version=4)
        check_ids(notebook.cells)
        found = Exercise(path.stem, tuple(cells_of(notebook.cells)))
    except Exception as error:  # nbformat has no common class for what is no notebook
        raise ValueError(f"{path.name} is no exercise: {error}") from error
    if not found.answers or not found.tasks:
        raise ValueError(f"{path.name} has no cells to be written, or none that check them")
    return found


def cells_of(cells: Iterable[Any]) -> Iterable[Cell]:
    """The code cells."""
    for cell in cells:
        if cell.cell_type == "code":
            stated = roles(cell)
            is_answer = bool(stated.get("solution"))
            points = points_of(stated) if stated.get("grade") else None
            source = without_markers(cell.source + "\n").rstrip()
            yield Cell(stated.get("grade_id", ""), source, emptied(cell), is_answer, points)


def points_of(stated: dict) -> float:
    """The points of a cell that checks. Raises ValueError for what cannot be added up."""
    try:
        points = float(stated["points"])
    except (TypeError, ValueError):
        points = nan
    if not 0 <= points < inf:
        raise ValueError(f"cell {stated['grade_id']} has {stated['points']!r} for its points: "
                         "write a number, 0 or more")  # fmt: skip
    return points


def best(names: Collection[str], exercises: Iterable[Exercise]) -> Exercise | None:
    """The exercise to which cells of these names belong: most of its answers are among them."""
    ranked = [(len(e.answers.keys() & names) / len(e.answers), e) for e in exercises]
    share, found = max(ranked, key=lambda pair: pair[0], default=(0.0, None))
    return found if share > 0 else None
