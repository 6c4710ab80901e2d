"""What a student handed in: the cells to be graded, by name, and what is odd about the file.

Whatever the file is, there is a submission: what cannot be read is told in its remarks.
"""

import codecs
import errno
import stat
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import nbformat.reader

from ..harness.markers import without_markers
from .exercise import Cell, Exercise

LARGEST = 30_000_000  # bytes of a file
LONGEST = 100_000  # characters of a cell


class Submission(NamedTuple):
    """A student's file: sources of cells by name, several where a cell is there twice.

    The cells in which students write stand apart from our others, which do not count, and from
    their own: pairs of the cell of ours that stands before it, or "", and the source.
    """

    name: str
    cells: dict[str, list[str]]
    remarks: tuple[str, ...] = ()
    others: dict[str, str] = {}
    own: tuple[tuple[str, str], ...] = ()
    is_readable: bool = True


def read_submission(name: str, path: Path) -> Submission:
    """The named cells of a student's notebook.

    Parameters
    ----------
    name : str
        What the report calls it.
    path : Path
        The file.

    Returns
    -------
    Submission
        Without cells, and with a remark, where the file is no notebook.
    """
    try:
        with warnings.catch_warnings(action="ignore"):
            read = nbformat.reader.reads(text_of(contents(path, LARGEST)))
            notebook = nbformat.convert(read, 4)  # as `nbformat.reads`, which logs what is invalid
        found, remarks = named_cells(notebook.cells)
        others, own = other_cells(notebook.cells), tuple(own_cells(notebook.cells))
    except OSError as error:
        return unreadable(name, f"the file cannot be read: {error.strerror}")
    except Exception as error:  # nbformat has no common class for what is no notebook
        return unreadable(name, f"the file is no notebook ({type(error).__name__})")
    return Submission(name, found, remarks, others, own)


def unreadable(name: str, why: str) -> Submission:
    """The submission of a file that is none."""
    return Submission(name, {}, (why,), is_readable=False)


def contents(path: Path, largest: int) -> bytes:
    """What a regular file holds. Raise OSError for anything else, and for a larger one: to read a
    fifo waits for a writer, a device may have no end, and no stated size is a promise."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is no regular file")
    with path.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise OSError(errno.EFBIG, f"it has more than {largest / 1e6:.0f} MB")
    return data


def text_of(data: bytes) -> str:
    """A text in UTF-8; or in UTF-16 if it begins with that mark, as some editors save it.

    Examples
    --------
    >>> from autodiff_edu.course.grading.submission import text_of
    >>> text_of("v̄".encode("utf-16")) == text_of("v̄".encode("utf-8-sig")) == "v̄"
    True
    """
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if wide else "utf-8-sig")


def named_cells(cells: Any) -> tuple[dict[str, list[str]], tuple[str, ...]]:
    """The sources of cells with a grade_id, and remarks on some of them."""
    found: dict[str, list[str]] = {}
    remarks = []
    for cell in cells:
        stated = cell.metadata.get("nbgrader")
        name = stated.get("grade_id") if isinstance(stated, dict) else None
        if not isinstance(name, str) or not stated.get("solution"):
            continue
        if cell.cell_type != "code":
            remarks.append(f"cell {name} is no code cell any more")
        elif not isinstance(cell.source, str) or len(cell.source) > LONGEST:
            remarks.append(f"cell {name} has no text, or more than {LONGEST:,} characters")
        else:
            found.setdefault(name, []).append(cell.source)
    return found, tuple(remarks)


def other_cells(cells: Any) -> dict[str, str]:
    """The sources of code cells with a grade_id in which students are not to write."""
    stated = [(cell, cell.metadata.get("nbgrader")) for cell in cells if cell.cell_type == "code"]
    return {
        str(nbgrader.get("grade_id")): str(cell.source)
        for cell, nbgrader in stated
        if isinstance(nbgrader, dict) and not nbgrader.get("solution")
    }


def own_cells(cells: Any) -> Iterator[tuple[str, str]]:
    """The code cells without a name that are not empty, each with the name of ours before it."""
    before = ""
    for cell in cells:
        stated = cell.metadata.get("nbgrader")
        name = stated.get("grade_id") if isinstance(stated, dict) else None
        if isinstance(name, str) and name:
            before = name
        elif cell.cell_type == "code" and str(cell.source).strip():
            yield before, str(cell.source)


def helpers(submission: Submission, exercise: Exercise) -> dict[str, list[str]]:
    """The sources of the student's own cells that are run, by the cell of ours that they follow.

    They may have what an answer needs. Behind the last check nothing needs them.
    """
    places = ["", *(cell.name for cell in exercise.cells)]
    last = places.index(exercise.tasks[-1].name)
    ours = [lines(text) for cell in exercise.cells for text in (cell.source, cell.handed_out)]
    own: dict[str, list[str]] = {}
    for place, source in submission.own:
        if place in places[:last] and len(source) <= LONGEST and lines(source) not in ours:
            own.setdefault(place, []).append(source)
    return own


def answers(given: Submission, exercise: Exercise) -> tuple[dict[str, str], tuple[str, ...]]:
    """The source for each cell in which students write, and what is odd about them.

    Parameters
    ----------
    given : Submission
        What a student handed in.
    exercise : Exercise
        To which exercise.

    Returns
    -------
    tuple
        Sources by name, empty where there is none; and remarks.
    """
    wanted = exercise.answers
    taken = {name: chosen(given.cells.get(name, []), cell) for name, cell in wanted.items()}
    return taken, (*given.remarks, *oddities(given, wanted), *altered(given, exercise))


def chosen(sources: list[str], cell: Cell) -> str:
    """Of several cells with one name, the first in which something has been written."""
    written = (s for s in sources if s.strip() != cell.handed_out.strip())
    return next(written, cell.handed_out if sources else "")


def oddities(given: Submission, wanted: dict[str, Cell]) -> Iterator[str]:
    """Cells that are missing, there twice, or not ours."""
    for name in wanted:
        if name not in given.cells:
            yield f"cell {name} is missing"
        elif len(set(given.cells[name])) > 1:
            yield f"cell {name} is there {len(given.cells[name])} times: the first answer counts"
    yield from (f"cell {name} is not ours" for name in given.cells if name not in wanted)


def altered(given: Submission, exercise: Exercise) -> Iterator[str]:
    """Other cells that are neither as they were handed out nor as the instructor has them: who
    changed an exercise, and does not say so to the grader, is graded by another one."""
    for cell in exercise.cells:
        source = given.others.get(cell.name)
        if source is None or cell.is_answer:
            continue
        ours = [lines(cell.source), lines(cell.handed_out)]
        if lines(without_markers(source + "\n")) not in ours:
            yield f"cell {cell.name} is not as we handed it out: ours counts"


def lines(source: str) -> list[str]:
    """The lines of a cell without the space behind them, which editors take away and add."""
    return [line.rstrip() for line in source.strip().splitlines()]
