"""Points that a person gives: for answers in words, and in the place of points of the grader's.

They stand in a CSV file with the columns name, task, points, of and comment: `of` and `comment` may
be missing, and the name is that of a file or a cell of the roster.
"""

from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from .marks import BY_HAND, Mark, Result
from .roster import Roster, plain, table_of


class Entry(NamedTuple):
    """A line of the file."""

    name: str
    mark: Mark


def read_points(path: Path) -> list[Entry]:
    """The entries of a file. Raise ValueError for what cannot be added up, with its line."""
    columns, *rows = table_of(path) or [[]]
    columns = [column.strip().lower() for column in columns]
    if not {"name", "task", "points"} <= set(columns):
        raise ValueError(f"{path.name} needs the columns name, task and points; of and comment "
                         "may follow")  # fmt: skip
    entries = []
    for line, row in enumerate(rows, 2):
        cells = dict(zip(columns, row, strict=False))
        try:
            points, of = (float(cells.get(k) or cells["points"]) for k in ("points", "of"))
        except ValueError:
            points = of = -1.0
        if not (0 <= points <= of and isfinite(of)):
            raise ValueError(f"{path.name}, line {line}: points are a number from 0 to `of`")
        mark = Mark(cells["task"].strip(), points, of, BY_HAND, cells.get("comment", "").strip())
        entries.append(Entry(cells["name"].strip(), mark))
    return entries


def merged(
    results: Sequence[Result], entries: Sequence[Entry], roster: Roster | None
) -> list[Result]:
    """The results with these points, which replace those of a task of the same name. A person of
    the roster without a file has them, too.

    Raises
    ------
    ValueError
        If an entry is of nobody in the class, or of several files and of a task of none.
    """
    all_results = list(results)
    for name, mark in entries:
        if not any(is_of(result, name, roster) for result in all_results):
            all_results += on_paper(results, name, mark, roster)
        own = [k for k, result in enumerate(all_results) if is_of(result, name, roster)]
        has = [k for k in own if any(same(m, mark) for m in all_results[k].marks)] or own
        if len(has) != 1:
            many = "no file" if not has else f"{len(has)} files"
            raise ValueError(f"points by hand for {name!r}, {mark.task}: {many} of that name")
        all_results[has[0]] = with_mark(all_results[has[0]], mark)
    return all_results


def on_paper(
    results: Sequence[Result], name: str, mark: Mark, roster: Roster | None
) -> list[Result]:
    """A result with no points yet, for a person of the roster without a file: to the exercise with
    this task, or to the only one."""
    if roster is None or roster.owner(name) is None:
        return []
    first = {r.exercise: r for r in reversed(results) if r.marks}
    like = [r for r in first.values() if any(same(ours, mark) for ours in r.marks)]
    like += first.values() if len(first) == 1 else ()
    exercise, marks = (like[0].exercise, like[0].marks) if like else ("", ())
    blank = (m._replace(points=0, kind="not written", words="") for m in marks if m.kind != BY_HAND)
    return [Result(name, exercise, tuple(blank), ("there is no file of this person",))]


def is_of(result: Result, name: str, roster: Roster | None) -> bool:
    """Is this name that of the file, or of the person to whom it belongs?"""
    owner = roster.owner(result.name) if roster else None
    cells = roster.telling(owner) if roster and owner is not None else set()
    return plain(name) in {plain(result.name), *cells}


def same(ours: Mark, entry: Mark) -> bool:
    return entry.task in (ours.task, ours.task.removesuffix("-check"))


def with_mark(result: Result, mark: Mark) -> Result:
    """The result with this mark, in the place of one of the same task or at the end."""
    place = next((k for k, ours in enumerate(result.marks) if same(ours, mark)), None)
    if place is None:
        return result._replace(marks=(*result.marks, mark))
    ours = result.marks[place]
    words = "\n".join(filter(None, (mark.words, ours.words)))
    new = mark._replace(task=ours.task, of=max(ours.of, mark.points), words=words)
    return result._replace(marks=(*result.marks[:place], new, *result.marks[place + 1 :]))
