"""The time at the top of each lecture is counted; its core is one lesson."""

import json
import re
from itertools import groupby

import pytest

from autodiff_edu.course.harness.minutes import (
    LESSON,
    LINE,
    core,
    minutes,
    tags,
    text,
    timed,
    total,
)
from dev import ROOT

LECTURES = sorted((ROOT / "notebooks").glob("*.ipynb"))
CLAIMS = "# What the text says, as assertions"
each_lecture = pytest.mark.each("path", LECTURES, ids=lambda path: path.stem)


@each_lecture
def test_the_time_is_that_of_its_words_and_cells(path):
    source = path.read_text("utf-8")
    assert LINE.search(text(json.loads(source)["cells"][0]))
    assert timed(source) == source, "write it by: python -m autodiff_edu.course"


LESSONS = [path for path in LECTURES if path.stem[2] == "_"]  # 07b is for reading, and no lesson


@pytest.mark.each("path", LESSONS, ids=lambda path: path.stem)
def test_the_core_is_one_lesson(path):
    assert minutes(core(json.loads(path.read_text("utf-8")))) <= LESSON


@pytest.mark.each("path", LESSONS, ids=lambda path: path.stem)
def test_what_is_for_reading_is_at_most_half_of_the_core(path):
    """Where it is longer, it becomes a notebook of its own, such as 07b."""
    notebook = json.loads(path.read_text("utf-8"))
    rest = [cell for cell in notebook["cells"] if "reading" in tags(cell)]
    assert total(rest) <= total(core(notebook)) / 2


@each_lecture
def test_what_is_for_reading_is_one_part(path):
    """It stands at the end, and says so; the five questions before the lecture are all besides."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    runs = [list(run) for reading, run in groupby(cells, lambda c: "reading" in tags(c)) if reading]
    for run in runs:
        assert run[0]["cell_type"] == "markdown" and "*For reading.*" in text(run[0])
    assert all(run[-1] is cells[-1] or "before" in text(run[0]).casefold() for run in runs)
    assert len(runs) <= 2


@each_lecture
def test_what_is_for_reading_folds(path):
    """Under its heading, up to the questions after the lecture."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    begin = [k for k, c in enumerate(cells) if text(c).startswith("## For reading\n")]
    folded = [k for k, c in enumerate(cells) if "jp-MarkdownHeadingCollapsed" in c["metadata"]]
    assert begin == folded and len(begin) <= 1
    for k in begin:
        heads = [m for c in cells[k + 1 :] if c["cell_type"] == "markdown"
                 for m in re.findall(r"^##? .*", text(c), re.MULTILINE)]  # fmt: skip
        assert heads[:1] == ["## Five questions more"] or heads == ["## References"]


@each_lecture
def test_assertions_stand_together_after_the_lesson(path):
    """In one cell. What they read is not changed by the cells before it."""
    row = core(json.loads(path.read_text("utf-8")))
    heads = [k for k, c in enumerate(row) if text(c).startswith("## What this lecture claims\n")]
    assert heads == [len(row) - 2] and text(row[-1]).startswith(CLAIMS)
    assert sum(text(c).startswith(CLAIMS) for c in row) == 1


def test_minutes():
    words = {"cell_type": "markdown", "metadata": {}, "source": ["one two "] * 130}
    code = {"cell_type": "code", "metadata": {}, "source": "course.predict(5)", "outputs": []}
    plain = code | {"source": "draw(y)"}
    film = {"data": {"text/html": ['<input type="radio"/>'] * 50}}
    assert minutes([words]) == minutes([words, code]) == 5
    assert minutes([words] * 2 + [code]) == 10
    assert minutes([plain | {"outputs": [film]}] * 2) == 25
    assert minutes([code] * 9) == 10  # five predictions, which are no code to read
    assert minutes([words | {"source": "**Predict:** how many?"}] * 2) == 5
    assert minutes([]) == 0
