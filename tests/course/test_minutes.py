"""The time at the top of each lecture is counted; its core is one lesson."""

import json

import pytest

from autodiff_edu.course.harness.minutes import LESSON, LINE, core, minutes, tags, text, timed
from dev import ROOT

LECTURES = sorted((ROOT / "notebooks").glob("*.ipynb"))
each_lecture = pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.stem)


@each_lecture
def test_the_time_is_that_of_its_words_and_cells(path):
    source = path.read_text("utf-8")
    assert LINE.search(text(json.loads(source)["cells"][0]))
    assert timed(source) == source, "write it by: python -m autodiff_edu.course"


@each_lecture
def test_the_core_is_one_lesson(path):
    assert minutes(core(json.loads(path.read_text("utf-8")))) <= LESSON


@each_lecture
def test_what_is_for_reading_says_so(path):
    """Each run of such cells begins with words that a reader sees."""
    before = None
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if "reading" in tags(cell) and not (before and "reading" in tags(before)):
            assert cell["cell_type"] == "markdown" and "*For reading.*" in text(cell)
        before = cell


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
