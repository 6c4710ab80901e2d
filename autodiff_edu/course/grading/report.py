"""The results of a class: a table for a learning platform (CSV), and a page to read (HTML).

What students wrote is data: it is escaped on the page, and no cell of the table is a formula.
"""

import csv
import io
from collections.abc import Sequence

from ...show.diagram.escape import visible
from ...show.html.page import escape
from .marks import Mark, Result

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what makes a spreadsheet compute
SIGNS = {"right": "✓", "wrong": "✗", "not written": "–", "stopped": "∞", "ended": "!"}


def tasks(results: Sequence[Result]) -> list[str]:
    """The names of all tasks, in order."""
    return list(dict.fromkeys(mark.task for result in results for mark in result.marks))


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
        lines += [f"    {remark}" for remark in result.remarks]
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


def as_csv(results: Sequence[Result]) -> str:
    """A row for each file: name, exercise, points by task, sum, how many there are, remarks.

    The remarks say which tasks have no points since their cells were stopped, or ended the process.
    An answer that could not be graded has no points, which is not 0.

    Parameters
    ----------
    results : sequence of Result
        What `grade` gives.

    Returns
    -------
    str
        The table, as learning platforms and spreadsheets read it.
    """
    names, out = tasks(results), io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["name", "exercise", *names, "points", "of", "remarks"])
    for result in results:
        points = {mark.task: number(mark.points) for mark in result.marks}
        row = [harmless(result.name), result.exercise, *(points.get(name, "") for name in names)]
        cut = [f"{mark.task} was {mark.kind}" for mark in result.cut]
        sums = [number(result.points), number(result.of)] if result.marks else ["", ""]
        row += [*sums, harmless("; ".join([*result.remarks, *cut]))]
        writer.writerow(row)
    return out.getvalue()


def harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


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
    names = tasks(results)
    head = "".join(f'<th scope="col">{escape(n)}</th>' for n in ["name", *names, "points", "of"])
    rows = "".join(row(result, names) for result in results)
    details = "".join(section(k, result) for k, result in enumerate(results))
    key = ", ".join(f"{sign} {kind}" for kind, sign in SIGNS.items())
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>Scores of {len(results)} answers</title>\n<style>{STYLE}</style>\n<main>"
        f"<h1>Scores of {len(results)} answers</h1>\n<div class=wide><table><caption>{key}"
        f"</caption><thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table></div>\n"
        f"{details}</main></html>\n"
    )


def row(result: Result, names: Sequence[str]) -> str:
    """A line of the table."""
    marks = {mark.task: mark for mark in result.marks}
    cells = "".join(f"<td>{entry(marks.get(name))}</td>" for name in names)
    sums = [number(result.points), number(result.of)] if result.marks else ["", ""]
    cells += "".join(f"<td>{text}</td>" for text in sums)
    return f'<tr><th scope="row">{escape(result.name)}</th>{cells}</tr>\n'


def entry(mark: Mark | None) -> str:
    return f"{SIGNS[mark.kind]} {number(mark.points)}" if mark else ""


def section(k: int, result: Result) -> str:
    """What is missing in one file."""
    missing = [mark for mark in result.marks if mark.kind != "right"]
    if not missing and not result.remarks:
        return ""
    remarks = "".join(f"<li>{escape(remark)}</li>" for remark in result.remarks)
    lines = "".join(explained(mark) for mark in missing)
    title = f"{escape(result.name)}: {total(result)}"
    return f'<section id="answer-{k}"><h2>{title}</h2><ul>{remarks}</ul>{lines}</section>\n'


def explained(mark: Mark) -> str:
    """Why the points of a task are missing."""
    title = f"<h3>{escape(mark.task)}: {mark.kind}, 0 of {number(mark.of)}</h3>"
    words = "\n".join(map(escape, mark.words.splitlines()))
    return title + (f"<pre>{words}</pre>" if words else "")


STYLE = (
    "body{font-family:sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem}"
    ".wide{overflow-x:auto}table{border-collapse:collapse}caption{text-align:left;padding:.5rem 0}"
    "th,td{border:1px solid #767676;padding:.3rem .6rem;text-align:left}"
    "pre{white-space:pre-wrap;border-left:3px solid #767676;padding-left:1rem}"
)
