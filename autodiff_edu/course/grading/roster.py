"""The roster of a class: who is in it, whose answer a file is, and what a platform takes back.

A roster is a CSV file with a header, as Moodle and Canvas write it, or with a column `id`. A file
belongs to the person of whom a cell of the roster, such as the number, the login or the name, is a
part of the file's name: `Anna Meyer_1234_file/05.ipynb` is of Anna Meyer, and of 1234.
"""

import csv
import io
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from .marks import Result
from .submission import text_of

NAMES = ("name", "full name", "student", "student name")  # columns of names, in small letters
PLATFORMS = {  # by the columns that tell: where points, points possible and remarks go
    "Moodle": ({"identifier", "grade"}, ("Grade", "Maximum Grade", "Feedback comments")),
    "Canvas": ({"student", "id", "section"}, ("{}", "Points Possible", "")),
}
PIECES = re.compile(r"[/\\_,;]+")  # what stands between the parts of a file's name
SHORTEST = 2  # characters of a cell that tells who somebody is
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what makes a spreadsheet compute


def harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


class Roster(NamedTuple):
    """The columns, and a row for each person."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def owner(self, name: str) -> int | None:
        """The number of the row to which an answer belongs, or None if none or several do."""
        parts = {plain(part) for part in PIECES.split(name)} | {plain(name)}
        owners = [k for k in range(len(self.rows)) if parts & self.telling(k)]
        return owners[0] if len(owners) == 1 else None

    def telling(self, number: int) -> set[str]:
        """The cells of a row that nobody else has, which tell whose a file is."""
        counts = Counter(plain(text) for row in self.rows for text in row)
        own = map(plain, self.rows[number])
        return {text for text in own if len(text) >= SHORTEST and counts[text] == 1}

    def title(self, number: int) -> str:
        """The name of a person on a page."""
        row = dict(zip(map(str.lower, self.columns), self.rows[number], strict=True))
        return next((row[name] for name in NAMES if row.get(name)), self.rows[number][0])

    @property
    def platform(self) -> str:
        """Moodle or Canvas, if it is a file of theirs, or ""."""
        small = {column.lower() for column in self.columns}
        return next((name for name, (tells, _) in PLATFORMS.items() if tells <= small), "")


def plain(text: str) -> str:
    """A text without what differs between systems: case, accents in two pieces, spaces."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def table_of(path: Path) -> list[list[str]]:
    """The rows of a CSV file. Spreadsheets write commas, semicolons or tabs, and may set a mark."""
    text = text_of(path.read_bytes())
    first = text.partition("\n")[0]
    between = max(",;\t", key=first.count)
    return [row for row in csv.reader(io.StringIO(text), delimiter=between) if any(row)]


def read_roster(path: Path) -> Roster:
    """The roster in a file.

    Parameters
    ----------
    path : Path
        A CSV file with a header.

    Returns
    -------
    Roster
        Its columns and rows.

    Raises
    ------
    ValueError
        If it has no rows, or if a column is there twice.
    """
    columns, *rows = table_of(path) or [[]]
    columns = [column.strip() for column in columns]
    if not columns or not rows:
        raise ValueError(f"{path.name} is no roster: write a header, such as id,name, and a line "
                         "for each person")  # fmt: skip
    if twice := {column for column in columns if columns.count(column) > 1}:
        raise ValueError(f"{path.name} has the column {min(twice)!r} twice")
    width = len(columns)
    return Roster(tuple(columns), tuple(tuple([*row, *[""] * width][:width]) for row in rows))


class Person(NamedTuple):
    """Somebody of the class: cells of the roster, a title, and a result for each exercise."""

    cells: tuple[str, ...]
    title: str
    results: tuple[Result, ...]


def people(results: Sequence[Result], roster: Roster | None) -> list[Person]:
    """The class in the order of the roster, then answers of nobody there; without one, by files."""
    if roster is None:
        return [Person((r.name,), r.name, (r,)) for r in results]
    owners = [roster.owner(result.name) for result in results]
    listed = [
        Person(
            row, roster.title(k), tuple(best_files([r for r, o in zip(results, owners) if o == k]))
        )
        for k, row in enumerate(roster.rows)
    ]
    blank = ("",) * (len(roster.columns) - 1)
    nobody = [r for r, owner in zip(results, owners) if owner is None]
    return listed + [Person((r.name, *blank), r.name, (r,)) for r in nobody]


def best_files(results: Iterable[Result]) -> Iterator[Result]:
    """The files of a person that count: of several to one exercise, that with the most points."""
    by_exercise: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        by_exercise[result.exercise].append(result)
    for name, several in by_exercise.items():
        first, *rest = sorted(several, key=lambda r: (r.graded, r.points), reverse=True)
        if name and rest:
            remark = f"{first.name} counts, not {', '.join(r.name for r in rest)}"
            first = first._replace(remarks=(*first.remarks, remark))
        yield from [first] if name else several


def strangers(results: Iterable[Result], roster: Roster) -> list[str]:
    """The names of files that belong to nobody in the roster, or to several."""
    return [result.name for result in results if roster.owner(result.name) is None]


def upload(results: Sequence[Result], roster: Roster) -> str:
    """The roster with the points of each person, as its platform takes it back.

    Parameters
    ----------
    results : sequence of Result
        What `grade` gives.
    roster : Roster
        A file of Moodle's or of Canvas'.

    Returns
    -------
    str
        A CSV file. Who has handed nothing in, or was not graded, has an empty cell.

    Raises
    ------
    ValueError
        If the roster is of neither, or has two people for a file.
    """
    if not roster.platform:
        raise ValueError("the roster is no file of Moodle's (Identifier, Grade) or of Canvas' "
                         "(Student, ID, Section)")  # fmt: skip
    points, most, remarks = PLATFORMS[roster.platform][1]
    points = points.format(" and ".join(dict.fromkeys(r.exercise for r in results if r.exercise)))
    columns = [*roster.columns, *[points] * (points not in roster.columns)]
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\r\n")
    writer.writeheader()
    for person in people(results, roster)[: len(roster.rows)]:
        row: dict[str, str] = dict(zip(roster.columns, person.cells, strict=True))
        of = max((result.of for result in results), default=0)
        if roster.platform == "Canvas" and "points possible" in plain(person.cells[0]):
            row[points] = f"{of:g}"
        elif graded := [r for r in person.results if r.marks]:
            row[points] = f"{sum(r.points for r in graded):g}"
            own = {most: f"{sum(r.of for r in graded):g}", remarks: said_of(graded)}
            row |= {column: text for column, text in own.items() if column in columns}
        writer.writerow(row)
    return out.getvalue()


def said_of(results: Iterable[Result]) -> str:
    """Why points are missing, in a line."""
    missing = [m for result in results for m in result.marks if m.points < m.of]
    lines = (f"{m.task}: {m.kind}, {m.points:g} of {m.of:g}" for m in missing)
    return harmless("; ".join(lines))
