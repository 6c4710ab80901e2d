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
MOST = 20  # remarks on a file
SHOWN = 60  # characters of a name in a remark


class Written(NamedTuple):
    """A code cell of a student's file: its grade_id or "", its source; is it one to write in?"""

    name: str
    source: str
    is_answer: bool


class Submission(NamedTuple):
    """A student's file: its code cells in order."""

    name: str
    cells: tuple[Written, ...] = ()
    remarks: tuple[str, ...] = ()
    is_readable: bool = True


def read_submission(name: str, path: Path) -> Submission:
    """The cells of a student's notebook.

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
        return Submission(name, *code_cells(notebook.cells))
    except OSError as error:
        return unreadable(name, f"the file cannot be read: {error.strerror}")
    except Exception as error:  # nbformat has no common class for what is no notebook
        return unreadable(name, f"the file is no notebook ({type(error).__name__})")


def unreadable(name: str, why: str) -> Submission:
    """The submission of a file that is none."""
    return Submission(name, remarks=(why,), is_readable=False)


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


def code_cells(cells: Any) -> tuple[tuple[Written, ...], tuple[str, ...]]:
    """The code cells, and remarks on cells that can be none of them."""
    written, remarks = [], []
    for cell in cells:
        stated = cell.metadata.get("nbgrader")
        stated = stated if isinstance(stated, dict) else {}
        name, is_answer = stated.get("grade_id"), bool(stated.get("solution"))
        name = name if isinstance(name, str) else ""
        if (
            cell.cell_type == "code"
            and isinstance(cell.source, str)
            and len(cell.source) <= LONGEST
        ):
            written.append(Written(name, cell.source, is_answer))
        elif cell.cell_type == "code":
            remarks.append(f"cell {shown(name)} has no text, or more than {LONGEST:,} characters")
        elif name and is_answer:
            remarks.append(f"cell {shown(name)} is no code cell any more")
    return tuple(written), tuple(remarks)


# ---- the cells that belong to an exercise


def answers(given: Submission, exercise: Exercise) -> tuple[dict[str, list[str]], tuple[str, ...]]:
    """The sources for each cell in which students write, and what is odd about them.

    Parameters
    ----------
    given : Submission
        What a student handed in.
    exercise : Exercise
        To which exercise.

    Returns
    -------
    tuple
        Sources by name, in order: none for a cell that is missing, and several for one that has
        been split or copied. And remarks.
    """
    wanted = exercise.answers
    sources = {name: chosen(given, cell) for name, cell in wanted.items()}
    remarks = [*given.remarks, *oddities(given, sources), *altered(given, exercise)]
    rest = [f"and {len(remarks) - MOST} more cells are odd"] * (len(remarks) > MOST)
    return sources, (*remarks[:MOST], *rest)


def chosen(given: Submission, cell: Cell) -> list[str]:
    """The sources of cells with the name of this one: of several, those that are written in."""
    sources = [c.source for c in given.cells if c.is_answer and c.name == cell.name]
    written = dict.fromkeys(s for s in sources if lines(s) != lines(cell.handed_out))
    return [*written] or sources[:1]


def oddities(given: Submission, sources: dict[str, list[str]]) -> Iterator[str]:
    """Cells that are missing, there twice, or not ours."""
    for name, own in sources.items():
        if not own:
            yield f"cell {name} is missing"
        elif len(own) > 1:
            yield f"cell {name} is there {len(own)} times: all are run, in their order"
    foreign = dict.fromkeys(c.name for c in given.cells if c.is_answer and c.name not in sources)
    ran = "is not ours: it is run as one of the student's own"
    yield from (f"cell {shown(name)} {ran}" for name in foreign)


def helpers(given: Submission, exercise: Exercise) -> dict[str, list[str]]:
    """The sources of the student's own cells that are run, by the cell of ours that they follow.

    They may have what an answer needs. Behind the last check nothing needs them.
    """
    ours = {(cell.name, cell.is_answer) for cell in exercise.cells if cell.name}
    texts = [lines(cell.handed_out) for cell in exercise.cells]
    texts += [lines(cell.source) for cell in exercise.cells if not cell.is_answer]
    places = [cell.name for cell in exercise.cells]
    behind = places[places.index(exercise.tasks[-1].name) :]
    own: dict[str, list[str]] = {}
    place = ""
    for cell in given.cells:
        if (cell.name, cell.is_answer) in ours:
            place = cell.name
        elif place not in behind and cell.source.strip() and lines(cell.source) not in texts:
            own.setdefault(place, []).append(cell.source)
    return own


def altered(given: Submission, exercise: Exercise) -> Iterator[str]:
    """Other cells that are neither as they were handed out nor as the instructor has them: who
    changed an exercise, and does not say so to the grader, is graded by another one."""
    locked = {cell.name: cell for cell in exercise.cells if not cell.is_answer}
    for name, source, is_answer in given.cells:
        ours = locked.get(name) if name and not is_answer else None
        texts = [lines(ours.source), lines(ours.handed_out)] if ours else []
        if ours and lines(without_markers(source + "\n")) not in texts:
            yield f"cell {name} is not as we handed it out: ours counts"


def shown(name: str) -> str:
    """A name that a student may have written, in a remark."""
    return f"{name[:SHOWN]}…" if len(name) > SHOWN else name


def lines(source: str) -> list[str]:
    """The lines of a cell without the space behind them, which editors take away and add."""
    return [line.rstrip() for line in source.strip().splitlines()]
