"""The instructor's pages: syllabus, how to teach each lecture, exercises as pages.

Times, needs, points and sections are read from the notebooks; `teaching_notes.toml` has the rest.
"""

import json
import re
import shutil
import textwrap
import tomllib
from functools import cache, reduce
from operator import or_
from pathlib import Path
from typing import Any, NamedTuple

import graphviz

import autodiff_edu as ad
from autodiff_edu.course.harness import minutes
from autodiff_edu.show.diagram.diagram import edge_look, node_look, sheet
from autodiff_edu.show.diagram.svg import svg

BOOK = Path(__file__).parent
NOTEBOOKS = BOOK.parent / "notebooks"
NOTES = tomllib.loads((BOOK / "teaching_notes.toml").read_text("utf-8"))
LINK = re.compile(r"\]\((\d\d)_\w+\.ipynb\)")
GOALS = re.compile(r"(?:be able to\*\*|you can)\n\n(.*?)\n\n", re.DOTALL)
ROUTED = {  # how a lecture of a route is drawn, and what is said of it
    "Half a day": ({"peripheries": "2"}, "a double outline"),
    "Six weeks": ({"penwidth": "3"}, "a thick outline"),
    "A term": ({}, "all lectures"),
}
NEEDS = re.compile(r"\*\*You need:\*\*(.*?)(?:\.\s|\n\n|\Z)", re.DOTALL)


class Lecture(NamedTuple):
    """A lecture: its file, its cells, and the cells of its exercise, if it has one."""

    path: Path
    cells: list[dict[str, Any]]
    exercise: list[dict[str, Any]]

    @property
    def number(self) -> str:
        return self.path.name[:2]

    @property
    def opening(self) -> str:
        return text(self.cells[0])

    @property
    def title(self) -> str:
        return self.opening.partition("\n")[0].lstrip("# ")

    @property
    def needs(self) -> list[str]:
        """The numbers of the lectures that come before."""
        return sorted(set(LINK.findall("".join(NEEDS.findall(self.opening)))))

    @property
    def goals(self) -> list[str]:
        """What a student can do afterwards."""
        said = GOALS.search(self.opening)
        found = re.split(r"^[-*] ", said[1] if said else "", flags=re.MULTILINE)
        return [" ".join(goal.split()).rstrip(";.") for goal in found if goal.strip()]

    @property
    def tasks(self) -> list[tuple[str, float]]:
        """The names of the cells that check, with their points."""
        stated = [cell["metadata"].get("nbgrader", {}) for cell in self.exercise]
        return [(s["grade_id"], s["points"]) for s in stated if s.get("grade")]

    @property
    def companion(self) -> Path | None:
        """A notebook with what is for reading, where that is too long for the lecture itself."""
        return next(NOTEBOOKS.glob(f"{self.number}b_*.ipynb"), None)

    @property
    def times(self) -> tuple[int, int]:
        """Minutes of the lesson, and of what is for reading."""
        reading = [cell for cell in self.cells if "reading" in minutes.tags(cell)]
        reading += cells_of(self.companion) if self.companion else []
        return minutes.minutes(minutes.core({"cells": self.cells})), minutes.minutes(reading)


def text(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def cells_of(path: Path) -> list[dict[str, Any]]:
    return json.loads(path.read_text("utf-8"))["cells"] if path.exists() else []


@cache
def lectures() -> dict[str, Lecture]:
    """All lectures, by number."""
    paths = sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))
    found = (Lecture(p, cells_of(p), cells_of(NOTEBOOKS / "exercises" / p.name)) for p in paths)
    return {lecture.number: lecture for lecture in found}


# ---- pages


def write_pages(folder: Path, exercises: Path, solved: bool) -> None:
    """Syllabus and teaching notes; and the exercises, with folded solutions for instructors."""
    for place in (folder, exercises):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
    (folder / "prerequisites.svg").write_text(prerequisites(), "utf-8")
    (folder / "syllabus.md").write_text(syllabus(), "utf-8")
    (folder / "lessons.md").write_text(lessons(), "utf-8")
    (folder / "explorer.md").write_text(explorer(), "utf-8")
    for path in sorted((NOTEBOOKS / "exercises").glob("*.ipynb")):
        source = path if solved else path.parent / "student" / path.name
        (exercises / path.name).write_text(exercise(source), "utf-8")


def link(number: str) -> str:
    lecture = lectures()[number]
    return f"[{number} {lecture.title}](../lectures/{lecture.path.name})"


def at_home(lecture: Lecture) -> str:
    """A link to the notebook for reading, if the lecture has one."""
    if (path := lecture.companion) is None:
        return ""
    title = text(cells_of(path)[0]).partition("\n")[0].lstrip("# ")
    return f"[{path.name.partition('_')[0]} {title}](../lectures/{path.name})"


def syllabus() -> str:
    """The table of lectures, the weeks, and three routes."""
    rows = []
    for number, lecture in lectures().items():
        core, reading = lecture.times
        points = f"{sum(p for _, p in lecture.tasks):g}" if lecture.tasks else ""
        both = " | ".join(map(", ".join, (lecture.needs, needed_by(number))))
        home = ", ".join(filter(None, (str(reading or ""), at_home(lecture))))
        rows.append(f"| {link(number)} | {core} | {home} | {both} | {points} |")
    weeks = [f"| {w} | {', '.join(map(link, n))} | {todo(n)} |" for w, n in NOTES["weeks"].items()]
    routes = [
        f"- **{name}**, in the picture {ROUTED[name][1]}: {', '.join(map(link, numbers))}."
        for name, numbers in NOTES["routes"].items()
    ]
    table = "\n".join(rows)
    return SYLLABUS.format(lectures=table, weeks="\n".join(weeks), routes="\n".join(routes))


def needed_by(number: str) -> list[str]:
    """The numbers of the lectures that need this one."""
    return [other for other, lecture in lectures().items() if number in lecture.needs]


def todo(numbers: list[str]) -> str:
    """The exercises of a week."""
    found = [lectures()[n] for n in numbers if lectures()[n].exercise]
    return ", ".join(f"[{e.number}](../exercises/{e.path.name})" for e in found)


def lessons() -> str:
    """How to teach each lecture."""
    return LESSONS + "\n".join(lesson(lecture) for lecture in lectures().values())


def lesson(lecture: Lecture) -> str:
    """A lecture: the surprise, the misconception, the question, what may be left out."""
    notes = NOTES["lecture"][lecture.number]
    core, reading = lecture.times
    core_cells = minutes.core({"cells": lecture.cells})
    guesses = sum(bool(minutes.ASKED.search(text(c))) for c in core_cells)
    lines = [
        f"## {lecture.number} {lecture.title}\n",
        f"{core} minutes, {guesses} predictions, and {reading} minutes for reading.\n",
        f"- **Afterwards a student can** {'; '.join(lecture.goals)}.",
        f"- **The surprise.** {notes['surprise']}",
        f"- **What many believe.** {notes['misconception']}",
        f"- **Ask.** {notes['ask']}",
        f"- **May it be left out?** {notes['optional']}",
    ]
    if left := headings(lecture):
        lines.append(f"- **For reading at home:** {'; '.join(left)}.")
    if lecture.companion:
        lines.append(f"- **A notebook for reading at home:** {at_home(lecture)}.")
    if lecture.tasks:
        tasks = ", ".join(f"`{name}` {points:g}" for name, points in lecture.tasks)
        lines.append(f"- **Points:** {tasks}.")
    return "\n".join([*lines, ""])


def headings(lecture: Lecture) -> list[str]:
    """The sections that are for reading, but for the questions, which every lecture has."""
    reading = [c for c in lecture.cells if "reading" in minutes.tags(c)]
    found = [text(c) for c in reading if c["cell_type"] == "markdown"]
    titles = [t.partition("\n")[0].lstrip("# ") for t in found if t.startswith("#")]
    return [t for t in titles if "uestions" not in t and t != "References"]


def prerequisites() -> str:
    """The graph of lectures: an arrow from what each needs, unless a longer way leads there."""
    graph, reached = graphviz.Digraph(**sheet("LR")), dict[str, set[str]]()
    for number, lecture in lectures().items():
        longer = set[str]().union(*(reached[before] for before in lecture.needs))
        reached[number] = longer | set(lecture.needs)
        title = "\n".join(textwrap.wrap(f"{number} {lecture.title}", 20))
        looks = [ROUTED[name][0] for name, ns in NOTES["routes"].items() if number in ns]
        graph.node(number, title, tooltip=" ", **reduce(or_, looks, dict(node_look("input"))))
        for before in sorted(set(lecture.needs) - longer):
            graph.edge(before, number, **edge_look())
    told = [f"{n} needs {', '.join(x.needs) or 'nothing'}" for n, x in lectures().items()]
    told += [f"{name}: {', '.join(numbers)}" for name, numbers in NOTES["routes"].items()]
    return svg(graph.source, "Which lecture needs which", "\n".join(told))


def explorer() -> str:
    """The landing page's explorer of x·x + (x − 2) at x = 3, in which seven stays seven."""
    x = ad.scalar("x")
    shown = ad.explore(x * x + (x - 2), at={x: 3.0})._repr_mimebundle_()["text/html"]
    return f"```{{raw}} html\n{shown}\n```\n"


def exercise(path: Path) -> str:
    """An exercise as a page: code that a reader of the solution unfolds."""
    notebook = json.loads(path.read_text("utf-8"))
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution") and "### BEGIN" in text(cell):
            cell["metadata"]["tags"] = ["hide-input"]
        if cell["cell_type"] == "code":
            cell["source"] = re.sub(r"^ *### (BEGIN|END) .*\n?", "", text(cell), flags=re.M)
    return json.dumps(notebook)


SYLLABUS = """# Syllabus

Times are those of one lesson, without exercises. An exercise takes 60 to 90 minutes at home.

| lecture | minutes | for reading | needs | is needed by | points of its exercise |
|---|---|---|---|---|---|
{lectures}

```{{image}} prerequisites.svg
:alt: Which lecture needs which: an arrow leads from a lecture to each that needs it
```

An arrow leads from a lecture to each that needs it, unless a longer way of arrows leads there.
A double outline is for the route of half a day, a thick one for that of six weeks.

## A term of fourteen weeks

| week | lectures | exercises |
|---|---|---|
{weeks}

[Build your own](../build_your_own.md) runs beside the lectures: eight tasks,
one a week from week 6 on.

## Three routes

In each of them, all that a lecture needs comes before it.

{routes}
"""
LESSONS = """# How to teach each lecture

Every lecture begins with a surprise. Let the class guess before you run the cell; write the
guesses where all can see them. The
questions before a lecture show what the class believes. Those after it show what has changed.

"""
