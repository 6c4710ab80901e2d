"""The page that a student gets back: points and reasons, and nobody else is named on it."""

import re
from collections.abc import Iterator, Sequence

from ...show.html.page import escape
from .marks import Result
from .report import SIGNS, explained, number, page
from .roster import Person, Roster, people

UNSAFE = re.compile(r"[^\w.-]+")  # what is no part of a file's name everywhere
LONGEST = 80  # characters of it


def feedback(results: Sequence[Result], roster: Roster | None = None) -> dict[str, str]:
    """A page for each person who handed something in.

    Parameters
    ----------
    results : sequence of Result
        What `grade` gives.
    roster : Roster, optional
        The class: a page is named by its first column, and has all exercises of a person.

    Returns
    -------
    dict
        By the name of the file, its text.
    """
    pages: dict[str, str] = {}
    for person in people(results, roster):
        if person.results:
            pages[file_name(person.cells[0], pages)] = page(person.title, content(person))
    return pages


def file_name(text: str, taken: dict[str, str]) -> str:
    """A name that no other page has, on systems that see no case, too."""
    name = UNSAFE.sub("_", text).strip("._")[:LONGEST] or "answer"
    used = {other.casefold() for other in taken}
    numbers = ["", *(f"_{k}" for k in range(2, len(taken) + 2))]
    return next(f"{name}{k}.html" for k in numbers if f"{name}{k}.html".casefold() not in used)


def content(person: Person) -> str:
    return "".join(part for result in person.results for part in parts(result))


def parts(result: Result) -> Iterator[str]:
    """One exercise: the sum, a line for each task, what is odd, and why points are missing."""
    marks = f"{number(result.points)} of {number(result.of)} points"
    yield f"<h2>{escape(result.exercise or 'An exercise that we do not know')}</h2>\n"
    yield f"<p class=sum>{marks if result.marks else 'This answer is not graded.'}</p>\n"
    if result.marks:
        yield '<table><thead><tr><th scope="col">task<th scope="col">points<th scope="col">of'
        yield '<th scope="col">result</tr></thead>\n<tbody>'
    for mark in result.marks:
        cells = [number(mark.points), number(mark.of), f"{SIGNS[mark.kind]} {mark.kind}"]
        line = "".join(f"<td>{cell}</td>" for cell in cells)
        yield f'<tr><th scope="row">{escape(mark.task.removesuffix("-check"))}</th>{line}</tr>\n'
    if result.marks:
        yield "</tbody></table>\n"
    if result.remarks:
        yield f"<ul>{''.join(f'<li>{escape(remark)}</li>' for remark in result.remarks)}</ul>\n"
    yield from (explained(mark) for mark in result.marks if mark.words)
