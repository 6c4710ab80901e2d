"""The instructor's pages say what is true of the notebooks, and their routes can be taught.

Protects a course that is planned from these pages: no lecture comes before what it needs.
"""

import json
import re
from xml.etree import ElementTree

import pytest

from dev import ROOT
from tests.book.test_reference import page_of_the_book
from tests.helpers.depth import some

kit = page_of_the_book("kit")
LECTURES = kit.lectures()


def test_every_lecture_has_its_notes():
    assert set(kit.NOTES["lecture"]) == set(LECTURES)
    asked = {"surprise", "misconception", "ask", "optional"}
    assert all(set(notes) == asked for notes in kit.NOTES["lecture"].values())


def test_needs_are_read_from_the_lectures():
    assert LECTURES["05"].needs == ["01"] and LECTURES["06"].needs == ["01", "03", "05"]
    assert LECTURES["07"].needs == ["01", "03"] and LECTURES["22"].needs == ["05", "13", "15"]
    assert [n for n, lecture in LECTURES.items() if not lecture.needs] == ["00", "01"]


WEEKS = [n for numbers in kit.NOTES["weeks"].values() for n in numbers]


@pytest.mark.parametrize("route", [*kit.NOTES["routes"].values(), WEEKS], ids=len)
def test_a_route_has_all_that_its_lectures_need(route):
    for k, number in enumerate(route):
        assert set(LECTURES[number].needs) <= set(route[:k]), number


def test_a_week_has_two_lessons_at_most():
    weeks = kit.NOTES["weeks"].values()
    assert len(weeks) == 14 and max(map(len, weeks)) == 2
    assert WEEKS == list(LECTURES)


def test_what_each_lecture_gives_is_told():
    page = kit.lessons()
    for number, lecture in LECTURES.items():
        assert len(lecture.goals) >= 3 and all(goal in page for goal in lecture.goals), number
    needed = dict(re.findall(r"^\| \[(\d\d) .*?\|.*?\|.*?\|.*?\| (.*?) \|", kit.syllabus(), re.M))
    assert needed["05"].split(", ") == [n for n in LECTURES if "05" in LECTURES[n].needs]


def test_a_lecture_that_may_be_left_out_is_not_needed():
    """What the notes say of leaving out agrees with what the lectures say they need."""
    needed = {n: {m for m in LECTURES if n in LECTURES[m].needs} for n in LECTURES}
    for number, notes in kit.NOTES["lecture"].items():
        told = set(re.findall(r"\b\d+\b", notes["optional"]))
        if "no later lecture" in notes["optional"] or "no other lecture" in notes["optional"]:
            assert needed[number] == set(), number
        elif not notes["optional"].startswith("Never"):
            assert {f"{int(n):02}" for n in told} >= needed[number], number


def test_the_syllabus_has_the_times_of_the_lectures():
    page = kit.syllabus()
    for number, lecture in LECTURES.items():
        core, _ = lecture.times
        assert f"**Time:** {core} minutes" in lecture.opening
        assert f"[{number} {lecture.title}](../lectures/{lecture.path.name}) | {core} |" in page
    assert page.count("\n| 1") >= 5 and "| 13 |" in page


def test_sections_for_reading_are_named():
    assert "Depth, and why not recursion" in kit.lessons()


def test_the_graph_of_prerequisites_has_every_lecture_and_every_need():
    root = ElementTree.fromstring(kit.prerequisites())
    told = next(e.text for e in root.iter() if e.tag.endswith("}desc")).splitlines()
    needs = [f"{n} needs {', '.join(x.needs) or 'nothing'}" for n, x in LECTURES.items()]
    assert told[: len(needs)] == needs
    routes = [f"{name}: {', '.join(numbers)}" for name, numbers in kit.NOTES["routes"].items()]
    assert told[len(needs) :] == routes and set(kit.ROUTED) == set(kit.NOTES["routes"])
    drawn = {text.text.split()[0] for text in root.iter() if text.tag.endswith("}text")}
    assert set(LECTURES) <= drawn


@pytest.mark.parametrize("solved", some([False, True], 2, turn=1))
def test_exercises_become_pages(solved, tmp_path):
    kit.write_pages(tmp_path / "kit", tmp_path / "exercises", solved)
    pages = sorted((tmp_path / "exercises").iterdir())
    assert {p.name for p in pages} == {
        p.name for p in (ROOT / "notebooks" / "exercises").glob("*.ipynb")
    }
    for path in pages:
        notebook = json.loads(path.read_text("utf-8"))
        tagged = [c for c in notebook["cells"] if "hide-input" in c["metadata"].get("tags", ())]
        assert bool(tagged) == solved
        assert "### BEGIN" not in path.read_text("utf-8")
        assert ("YOUR CODE HERE" in path.read_text("utf-8")) != solved
