"""The results of a class: a table for a learning platform (CSV), and a page to read (HTML).

What students wrote is data: it is escaped on the page, and no cell of the table is a formula.
"""

import csv
import io
from collections.abc import Iterator, Sequence

from ...expr import visible
from ...show.html.page import escape
from .marks import BY_HAND, Mark, Result
from .roster import Person, Roster, harmless, people
from .summary import Task, labels, tasks

SIGNS = {"right": "✓", "wrong": "✗", "not written": "–", "stopped": "∞", "ended": "!",
         BY_HAND: "✎"}  # fmt: skip


def number(value: float) -> str:
    return f"{value:g}"


# ---- text


def as_text(results: Sequence[Result]) -> str:
    """A line for each file, and below it what is missing.

    Parameters
    ----------
    results : sequence of Result
        What `grade` gives.

    Returns
    -------
    str
        For a terminal.
    """
    lines = []
    for result in results:
        lines.append(f"{result.name}: {total(result)}")
        lines += [f"    {remark}" for remark in (*result.remarks, *result.notes)]
        for mark in result.marks:
            if mark.kind != "right":
                first = mark.words.partition("\n")[0]
                lines.append(f"    {mark.task}: {mark.kind}. {first}".rstrip(". "))
    return "\n".join(map(visible, lines))


def total(result: Result) -> str:
    """The points of an answer in words: none is not 0, where it is not graded."""
    marks = f"{number(result.points)} of {number(result.of)}"
    return marks if result.graded or result.marks else "not graded"


# ---- CSV


def as_csv(results: Sequence[Result], roster: Roster | None = None) -> str:
    """A row for each file: name, exercise, points by task, sum, how many there are, remarks.

    With a roster, a row for each person in it, with its columns in front, then one for each file of
    nobody there. The remarks say which tasks have no points since their cells were stopped, or
    ended the process. Where something was not graded there are no points, which is not 0.

    Parameters
    ----------
    results : sequence of Result
        What `grade` gives.
    roster : Roster, optional
        The class.

    Returns
    -------
    str
        The table, as learning platforms and spreadsheets read it.
    """
    names, out = labels(results), io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    first = roster.columns if roster else ("name",)
    writer.writerow([*first, "exercise", *names.values(), "points", "of", "remarks"])
    for person in people(results, roster):
        marks = {(r.exercise, m.task): m for r in person.results for m in r.marks}
        points = [number(marks[key].points) if key in marks else "" for key in names]
        sums = [number(sum(getattr(m, k) for m in marks.values())) for k in ("points", "of")]
        exercises = " and ".join(dict.fromkeys(r.exercise for r in person.results))
        remarks = harmless("; ".join(remarks_of(person)))
        row = [*person.cells, exercises, *points, *(sums if marks else ["", ""]), remarks]
        writer.writerow([harmless(row[0]), *row[1:]])
    return out.getvalue()


def remarks_of(person: Person) -> Iterator[str]:
    """Oddities of files, and the tasks that were cut off."""
    if not person.results:
        yield "there is no file of this person"
    for result in person.results:
        yield from result.remarks
        yield from (f"{mark.task} was {mark.kind}" for mark in result.cut)


# ---- HTML


def as_html(results: Sequence[Result]) -> str:
    """A page: a table of all, then for each file why points are missing.

    Parameters
    ----------
    results : sequence of Result
        What `grade` gives.

    Returns
    -------
    str
        HTML that needs no network and no script.
    """
    names, several = labels(results), len({result.exercise for result in results}) > 1
    titles = ["name", *["exercise"] * several, *names.values(), "points", "of"]
    head = "".join(f'<th scope="col">{escape(n)}</th>' for n in titles)
    rows = "".join(row(result, names, several) for result in results)
    details = "".join(section(k, result) for k, result in enumerate(results))
    key = ", ".join(f"{sign} {kind}" for kind, sign in SIGNS.items())
    return page(
        f"Scores of {len(results)} answers",
        f"<div class=wide><table><caption>{key}</caption><thead><tr>{head}</tr></thead>\n"
        f"<tbody>{rows}</tbody></table></div>\n{distribution(tasks(results))}{details}",
    )


def page(title: str, content: str) -> str:
    """A page that needs no network and no script."""
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n<main>"
        f"<h1>{escape(title)}</h1>\n{content}</main></html>\n"
    )


def row(result: Result, names: dict[tuple[str, str], str], tells_exercise: bool) -> str:
    """A line of the table."""
    marks = {(result.exercise, mark.task): mark for mark in result.marks}
    texts = [escape(result.exercise)] * tells_exercise + [entry(marks.get(key)) for key in names]
    texts += [number(result.points), number(result.of)] if result.marks else ["", ""]
    cells = "".join(f"<td>{text}</td>" for text in texts)
    return f'<tr><th scope="row">{escape(result.name)}</th>{cells}</tr>\n'


def entry(mark: Mark | None) -> str:
    return f"{SIGNS[mark.kind]} {number(mark.points)}" if mark else ""


def distribution(of_class: Sequence[Task]) -> str:
    """How many have each task right, and the inputs at which most fail."""
    kinds = [kind for kind in SIGNS if any(task.kinds[kind] for task in of_class)]
    titles = ["task", *kinds, "mean", "of", "most fail at"]
    head = "".join(f'<th scope="col">{title}</th>' for title in titles)
    rows = []
    for task in of_class:
        inputs = "<br>".join(f"<code>{escape(at)}</code> ({n})" for at, n in task.inputs)
        counts = [bar(task.kinds[kind], task.kinds.total()) for kind in kinds]
        cells = "".join(f"<td>{c}</td>" for c in [f"{task.mean:.2f}", number(task.of), inputs])
        rows.append(f'<tr><th scope="row">{escape(task.label)}</th>{"".join(counts)}{cells}</tr>\n')
    return (
        f"<h2>Tasks</h2>\n<div class=wide><table><thead><tr>{head}</tr></thead>\n"
        f"<tbody>{''.join(rows)}</tbody></table></div>\n"
    )


def bar(count: int, total: int) -> str:
    """A cell with a number, and behind it a bar of that part of all."""
    part = round(100 * count / total)
    shade = f"background:linear-gradient(90deg,#cfe3f7 {part}%,transparent {part}%)"
    return f'<td style="{shade}">{count}</td>'


def section(k: int, result: Result) -> str:
    """What is missing in one file."""
    missing = [mark for mark in result.marks if mark.kind != "right"]
    odd = (*result.remarks, *result.notes)
    if not missing and not odd:
        return ""
    remarks = "".join(f"<li>{escape(remark)}</li>" for remark in odd)
    lines = "".join(explained(mark) for mark in missing)
    title = f"{escape(result.name)}: {total(result)}"
    return f'<section id="answer-{k}"><h2>{title}</h2><ul>{remarks}</ul>{lines}</section>\n'


def explained(mark: Mark) -> str:
    """Why points of a task are missing."""
    points = f"{number(mark.points)} of {number(mark.of)}"
    title = f"<h3>{escape(mark.task)}: {mark.kind}, {points}</h3>"
    words = "\n".join(map(escape, mark.words.splitlines()))
    return title + (f"<pre>{words}</pre>" if words else "")


STYLE = (
    "body{font-family:sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem}"
    ".wide{overflow-x:auto}table{border-collapse:collapse}"
    "caption{text-align:left;padding:.5rem 0;white-space:nowrap}"
    "td{font-variant-numeric:tabular-nums}.sum{font-size:1.3rem}"
    "th,td{border:1px solid #767676;padding:.3rem .6rem;text-align:left}"
    "pre{white-space:pre-wrap;border-left:3px solid #767676;padding-left:1rem}"
)
