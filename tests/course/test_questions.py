"""Five questions before and after each lecture: their form, their words, what a notebook shows."""

import json
import re
import tomllib
from collections import Counter
from importlib.resources import files

import pytest

from autodiff_edu import course
from autodiff_edu.course.harness.questions import Choice, Question, Questions
from dev import ROOT
from tests.house.test_plain_english import FOUND, LONGEST, sentences, words

LECTURES = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))[1:]  # all but the tour
NUMBERS = [int(path.name[:2]) for path in LECTURES]
every_lecture = pytest.mark.each("number", NUMBERS)
WHENS = ("before", "after")


def of(number):
    return [q for when in WHENS for q in course.questions(number, when).questions]


def test_each_lecture_has_questions():
    there = files("autodiff_edu.course").joinpath("questions").iterdir()
    assert sorted(int(file.name[:2]) for file in there) == NUMBERS


def test_a_choice_that_is_a_formula_is_read_aloud():
    """A screen reader knows nothing of a typeset formula."""
    for number in NUMBERS:
        for when in WHENS:
            shown = course.questions(number, when).image()
            for label, said in re.findall(
                r"<summary( aria-label=\S[^>]*)? style[^>]*>(.*?)</s", shown
            ):
                assert label or re.sub(r"\\\(.*?\\\)|<[^>]*>", "", said).strip(), said


@every_lecture
def test_their_form(number):
    assert [len(course.questions(number, when).questions) for when in WHENS] == [5, 5]
    for question in of(number):
        choices = question.choices
        assert 3 <= len(choices) <= 4
        assert len({c.text for c in choices}) == len({c.why for c in choices}) == len(choices)
        assert sum(c.right for c in choices) == 1
        assert all(c.text.strip() and c.why.strip().endswith((".", "!", "?")) for c in choices)


@every_lecture
def test_neither_place_nor_length_tells_the_answer(number):
    places = Counter([c.right for c in q.choices].index(True) for q in of(number))
    assert len(places) >= 3 and max(places.values()) <= 5
    longest = [max(q.choices, key=lambda c: len(c.text)).right for q in of(number)]
    assert sum(longest) <= 6


@every_lecture
def test_they_are_in_plain_english(number):
    for question in of(number):
        for text in (question.text, *(c.why for c in question.choices)):
            assert not FOUND.search(text), text
            assert all(len(words(s)) <= LONGEST for s in sentences(text)), text


@pytest.mark.each("path", LECTURES, ids=lambda path: path.stem)
def test_a_lecture_shows_them_at_its_beginning_and_its_end(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    asked = [
        (k, m[1], m[2] or "before")
        for k, c in enumerate(cells)
        if c["cell_type"] == "code"
        and (m := re.search(r'course\.questions\((\d+)(?:, "(\w+)")?\)', "".join(c["source"])))
    ]
    assert [row[1:] for row in asked] == [(str(int(path.name[:2])), when) for when in WHENS]
    assert asked[0][0] <= 3 and asked[1][0] >= len(cells) - 4


def test_what_a_notebook_shows():
    shown = course.questions(5)
    html = shown._repr_mimebundle_()["text/html"]
    choices = [c for q in shown.questions for c in q.choices]
    assert html.count("<details") == html.count("<summary") == len(choices)
    assert html.count("Right. ") == 5 and "<script" not in html
    text = repr(shown)
    assert all(c.text in text for c in choices) and not any(c.why in text for c in choices)
    assert all(c.why in shown.answers for c in choices if c.right)


def test_texts_are_data():
    choice = Choice("<img src=x onerror=alert(1)>", 'see `a < b` & "c"', True)
    html = Questions("t", (Question("<b>?", (choice,)),)).image()
    assert "<img" not in html and "<b>" not in html
    assert ">a &lt; b</code> &amp; &quot;c&quot;" in html


def test_formulas_are_left_to_the_page():
    html = Questions("t", (Question("What is $x_1 < 2$?", ()),)).image()
    assert "What is \\(x_1 &lt; 2\\)?" in html and "tex2jax_process" in html


@pytest.mark.each("number", [0, 99, "5", None])
def test_a_lecture_without_questions_is_an_error(number):
    with pytest.raises(ValueError, match="choose of 1, 2"):
        course.questions(number)


def test_a_wrong_word_is_an_error():
    with pytest.raises(ValueError, match="'before' or 'after'"):
        course.questions(5, "during")


def test_the_files_have_nothing_else():
    for file in files("autodiff_edu.course").joinpath("questions").iterdir():
        assert set(tomllib.loads(file.read_text("utf-8"))) == set(WHENS)
