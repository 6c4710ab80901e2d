"""How long a lecture takes, counted from its words, code cells, predictions and frames of films.

A prediction is written by `course.predict`, or asked in a sentence. At most five of them count: a
reader may pass the others.

A cell with the tag `reading` is left for reading at home; the others are the core, one lesson. The
line `**Time:** ...` at the top of a lecture is written here.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

WORDS = 130  # read in a minute, formulas included
CODE, PREDICTION, FRAME = 0.75, 2.0, 0.2  # minutes for each
MOST = 5  # predictions that count
LESSON = 50  # minutes, at most
ASKED = re.compile(r"\bcourse\.predict\(|\*\*(?:Predict|Guess)\b")
LINE = re.compile(r"^\*\*Time:\*\* [^.]*\.", re.MULTILINE)

Cell = dict[str, Any]


def text(cell: Cell) -> str:
    return "".join(cell["source"])


def tags(cell: Cell) -> list[str]:
    return cell["metadata"].get("tags", [])


def frames(cell: Cell) -> int:
    """How many frames its films have: each has a button."""
    shown = ("".join(o.get("data", {}).get("text/html", "")) for o in cell.get("outputs", ()))
    return sum(html.count('type="radio"') for html in shown)


def total(cells: Iterable[Cell]) -> float:
    """The minutes for some cells."""
    amount, cells = 0.0, list(cells)
    for cell in cells:
        if cell["cell_type"] == "markdown":
            amount += len(text(cell).split()) / WORDS
        elif "hide-input" not in tags(cell) and not ASKED.search(text(cell)):  # not an assertion
            amount += CODE + FRAME * frames(cell)
    return amount + PREDICTION * min(MOST, sum(bool(ASKED.search(text(cell))) for cell in cells))


def minutes(cells: Iterable[Cell]) -> int:
    """The minutes for some cells, rounded up to five."""
    return 5 * -(-total(cells) // 5).__int__()


def core(notebook: dict[str, Any]) -> list[Cell]:
    """The cells of the lesson."""
    return [cell for cell in notebook["cells"] if "reading" not in tags(cell)]


def time_line(notebook: dict[str, Any]) -> str:
    """The line at the top of a lecture."""
    reading = [cell for cell in notebook["cells"] if "reading" in tags(cell)]
    line = f"**Time:** {minutes(core(notebook))} minutes"
    return f"{line}, and {minutes(reading)} more for reading." if reading else f"{line}."


def timed(source: str) -> str:
    """The text of a lecture, with its time at the top."""
    notebook = json.loads(source)
    first = notebook["cells"][0]
    written = LINE.sub(time_line(notebook), text(first), count=1)
    first["source"] = written.splitlines(keepends=True)
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
