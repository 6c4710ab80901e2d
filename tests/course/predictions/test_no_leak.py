"""Nothing between a question of a lecture and its answer gives the answer away.

What a reader sees between the two: texts, sources, and outputs that are not folded.
"""

import json
import re

import numpy as np
import pytest

from autodiff_edu.course.harness.minutes import ASKED, MOST, core, tags, text
from autodiff_edu.course.predictions.by_lecture import predictions
from autodiff_edu.course.predictions.values import spelled
from dev import ROOT

LECTURES = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
CALL = re.compile(r'course\.predict\((\d+), "([^"]+)"\)')
WRITTEN = {*range(23)}
each_lecture = pytest.mark.each("path", LECTURES, ids=lambda path: path.stem)
FOLDED = {"hide-output", "hide-cell"}


def cells(path):
    return json.loads(path.read_text("utf-8"))["cells"]


def shown(cell):
    """Its outputs as a reader sees them: printed text, the text of pictures, titles of plots."""
    parts = [output.get("text", output.get("data", {}).get("text/plain", ""))
             for output in cell.get("outputs", ())]  # fmt: skip
    return "\n".join("".join(part) for part in parts)


def visible(cell):
    """What stands on the page: the source, and the output unless it is folded."""
    if cell["cell_type"] == "markdown":
        return re.sub(r"<details>.*?</details>", "", text(cell), flags=re.DOTALL)
    if {"hide-input", "hide-cell"} & {*tags(cell)}:
        return ""
    return text(cell) + ("" if "hide-output" in tags(cell) else "\n" + shown(cell))


def before_the_answer(row, k):
    """The cells after the question in cell k, up to the first folded one: that is the answer."""
    for cell in row[k + 1 :]:
        if FOLDED & {*tags(cell)} or "course.predict(" in text(cell):
            return
        if cell["cell_type"] == "markdown" and text(cell).startswith("#"):
            return
        yield cell


def numbers_in(words):
    return {m.replace(",", "").replace("_", "") for m in re.findall(r"\d[\d,_]*(?:\.\d+)?", words)}


def gives_away(words, answer):
    """Do all numbers of an answer that are no digit alone stand there, or its text?"""
    parts = answer if isinstance(answer, tuple) else (answer,)
    rare = {f"{p:.10g}" for p in parts if np.isreal(p) and np.isfinite(float(p)) and abs(p) > 9}
    rare = rare or ({spelled(answer).replace(",", "")} if len(parts) == 1 else set())
    return spelled(answer) in words or bool(rare) and rare <= numbers_in(words)


@each_lecture
def test_no_cell_before_the_answer_gives_it_away(path):
    row, number = cells(path), int(path.name[:2])
    for k, cell in enumerate(row):
        if (call := CALL.search(text(cell))) is None:
            continue
        answer = predictions(number)[call[2]].answer
        if isinstance(answer, tuple) and not all(isinstance(a, (int, float)) for a in answer):
            answer = spelled(answer)
        if isinstance(answer, str):
            assert all(answer not in visible(c) for c in before_the_answer(row, k))
        else:
            for other in before_the_answer(row, k):
                outputs = "" if other["cell_type"] == "markdown" else shown(other)
                seen = visible(other) if other["cell_type"] == "markdown" else outputs
                assert not gives_away(seen, answer), (call[2], seen)


@each_lecture
def test_an_answer_that_is_folded_is_folded_whole(path):
    """Of the cells under a question, up to the next text, either the first shows what it makes, or
    none does. So no title of a plot and no table tells what the folded cell above would."""
    asked = folded = False
    for cell in cells(path):
        if cell["cell_type"] == "markdown":
            asked, folded = bool(ASKED.search(text(cell))), False
        elif "course.predict(" in text(cell):
            asked, folded = True, False
        elif asked and "hide-input" not in tags(cell) and cell["outputs"]:
            assert not folded or FOLDED & {*tags(cell)}, text(cell)[:200]
            folded |= bool(FOLDED & {*tags(cell)})


@each_lecture
def test_a_written_question_is_followed_by_a_folded_answer(path):
    """The first output under a question is folded, or a picture that is asked about."""
    row = cells(path)
    for k, cell in enumerate(row):
        if CALL.search(text(cell)):
            first = next(c for c in row[k + 1 :] if c["cell_type"] == "code" and c["outputs"])
            picture = any(word in text(first) for word in ("ad.explore(", ".film("))
            assert FOLDED & {*tags(first)} or picture, text(first)[:200]


@each_lecture
def test_every_question_is_asked_once_and_at_most_five_in_a_lecture(path):
    number = int(path.name[:2])
    calls = [CALL.search(text(cell)) for cell in cells(path) if "course.predict(" in text(cell)]
    assert all(call and int(call[1]) == number for call in calls)
    assert [call[2] for call in calls] == [*predictions(number)] and len(calls) <= MOST
    assert bool(calls) == (number in WRITTEN)


@each_lecture
def test_an_output_shows_the_question_and_not_the_answer(path):
    """The text is that of an executed cell, without a prediction in it."""
    number = int(path.name[:2])
    for cell in cells(path):
        if call := CALL.search(text(cell)):
            assert shown(cell).strip() == repr(predictions(number)[call[2]])
            assert "Right" not in shown(cell)


def test_core_cells_ask():
    """The written questions belong to the lesson, and not to what is for reading."""
    for path in LECTURES:
        kept = core(json.loads(path.read_text("utf-8")))
        assert sum("course.predict(" in text(c) for c in kept) == len(
            predictions(int(path.name[:2]))
        )


def test_the_search_finds_a_leak():
    """Lecture 5 as it was: the count under its question was not folded."""
    row = cells(next(p for p in LECTURES if p.name.startswith("05")))
    k = next(k for k, cell in enumerate(row) if 'course.predict(5, "multi' in text(cell))
    assert not [*before_the_answer(row, k)] and FOLDED & {*tags(row[k + 1])}
    row[k + 1]["metadata"]["tags"] = []
    leak = next(before_the_answer(row, k))
    assert gives_away(shown(leak), 2_995) and gives_away("about 2,995", 2_995)
    assert not gives_away("999 and 3,000", 2_995) and not gives_away("10 and 20", (10, 100))
    assert gives_away("10 times, 100 times", (10, 100)) and gives_away("it is 0, 1", (0, 1))
