"""Predictions: every equal form is right, and each wrong choice is wrong at the point it shows."""

import re
from fractions import Fraction

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import course
from autodiff_edu.course import Miss, Prediction
from autodiff_edu.course.predictions.by_lecture import predictions
from autodiff_edu.course.predictions.values import differ, equal, letters, value
from dev import ROOT
from tests.helpers.depth import draws, some
from tests.house.test_plain_english import FOUND, LONGEST, sentences, words

LECTURES = [int(p.name[:2]) for p in sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))]
ASKED = {(n, name): q for n in LECTURES for name, q in predictions(n).items()}


def questions(turn):
    """One in eight questions, or all: others at another turn."""
    ids = lambda key: f"{key[0]:02}-{key[1]}"
    return pytest.mark.each("key", some(ASKED, 8, turn), ids=ids)


def forms(e, rng):
    """The answer in other forms of the same value."""
    if isinstance(e, tuple):
        return [tuple(row) for row in zip(*(forms(part, rng) for part in e))]
    c = int(rng.integers(2, 9))
    if isinstance(e, ad.Expr):
        names = letters(e)
        return [e, (e + c) - c, ad.simplify(e, mode="real").output, c * e / c, e * 1 + 0,
                lambda **at: value(e, {n: at[n] for n in names})[0]]  # fmt: skip
    return [e, float(e), np.float64(e), ad.constant(float(e)), e * 1.0, ad.constant(e) + 0]


@questions(turn=0)
def test_right_answers_in_every_form(key):
    question, rng = ASKED[key], np.random.default_rng(0)
    for form in forms(question.answer, rng):
        assert question.judge(form).startswith("Right. "), form


@questions(turn=1)
def test_each_wrong_choice_is_wrong_at_its_point(key):
    question = ASKED[key]
    for miss in question.misses:
        true, wrong = miss.says or (question.answer, miss.answer)
        at = question.point(miss)
        assert at is not None and differ(true, wrong, at), miss
        verdict = question.judge(miss.answer)
        assert verdict == f"No. {question.reason(miss)}" and miss.why in verdict
        assert all(name in verdict for name in at)


@questions(turn=2)
def test_their_form_and_words(key):
    question = ASKED[key]
    choices = question.choices
    assert 3 <= len(choices) <= 4 and sum(c.right for c in choices) == 1
    assert len({c.text for c in choices}) == len({c.why for c in choices}) == len(choices)
    for text in (question.question, question.why, *(m.why for m in question.misses)):
        assert text.endswith((".", "!", "?")) and not FOUND.search(text), text
        assert all(len(words(s)) <= LONGEST for s in sentences(text)), text


def test_neither_the_place_nor_the_text_tells_the_answer():
    places = [[c.right for c in q.choices].index(True) for q in ASKED.values()]
    assert len({*places}) == 4 and max(map(places.count, places)) <= len(places) / 2
    for question in some(ASKED.values(), 2):
        assert question.why not in repr(question) and "Right" not in repr(question)


@questions(turn=3)
def test_the_order_of_choices_does_not_depend_on_how_they_are_stated(key):
    """A nan has no place among numbers: where it stood was up to the version of Python."""
    question = ASKED[key]
    again = Prediction(question.question, question.answer, question.why, question.misses[::-1])
    assert [c.text for c in again.choices] == [c.text for c in question.choices]


X, Y = ad.scalar("x"), ad.scalar("y")


def random_formula(rng, depth=3):
    if not depth or rng.random() < 0.2:
        return [X, Y, ad.constant(float(rng.integers(1, 5)))][rng.integers(3)]
    a, b = random_formula(rng, depth - 1), random_formula(rng, depth - 1)
    return [a + b, a - b, a * b, ad.sin(a), ad.exp(a / 4), a * a][rng.integers(6)]


def test_random_formulas_equal_what_they_become_and_differ_from_their_neighbours():
    rng = np.random.default_rng(3)
    for _ in some(range(draws(60)), 2):
        e = random_formula(rng)
        real, other = ad.simplify(e, mode="real").output, e + X * X / 7
        asked = Prediction("What is it?", e, "So it is.", [Miss(other, "It is not.")])
        assert equal(real, e) and asked.judge(real) == "Right. So it is.", e
        assert asked.judge(other).startswith("No. It is not."), e
        at = asked.point(asked.misses[0])
        assert at is not None and differ(e, other, at), e


def test_a_letter_or_the_text_of_a_choice_is_a_prediction():
    question = course.predict(7, "ways to add")
    for letter, choice in zip("abcd", question.choices):
        assert question.judge(letter) == question.judge(f" {choice.text}") == choice.verdict


def test_another_number_is_wrong_and_the_answer_opens():
    assert course.predict(5, "careless").judge(Fraction(7, 2)).startswith("No. It is 3. Each")
    assert course.predict(5, "multiplications").judge(3000).startswith("Right")
    assert course.predict(5, "multiplications").judge(3100).startswith("No")


@pytest.mark.each("guess", ["e", "five", [1, 2], {}, object()])
def test_what_cannot_be_compared_says_how_to_write_it(guess):
    if isinstance(guess, list):
        assert course.predict(5, "careless").judge(guess).startswith("No")
        return
    with pytest.raises(TypeError, match="write"):
        course.predict(5, "careless").judge(guess)


def test_strange_letters_are_named():
    with pytest.raises(TypeError, match="no y: write a formula in n"):
        course.predict(2, "runs").judge((Y, 2 * Y, 1))


@pytest.mark.each("lecture, name", [(7, "no such"), (99, "x"), ("7", "x"), (True, "x")])
def test_no_such_question(lecture, name):
    with pytest.raises(ValueError, match="has no question|number of a lecture"):
        course.predict(lecture, name)


def test_what_a_notebook_shows():
    """The same bytes each time, without scripts; a prediction has its verdict above the choices."""
    html = [course.predict(7, "ways to add")._repr_mimebundle_()["text/html"] for _ in range(2)]
    assert html[0] == html[1] and "<script" not in html[0]
    assert html[0].count("<details") == 4 and html[0].count("Right. ") == 1
    told = course.predict(7, "ways to add", (24, 1))
    assert "You predict 24, 1. No. These are the orders." in repr(told)
    assert re.search(r"You predict 24, 1\. No\. .*<details", told.image())
