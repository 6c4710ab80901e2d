"""No question before a lecture asks and explains what a prediction of the lecture asks.

Two texts are compared by their words: a question with its right choice and its reason, and a
prediction with its reason, or a written **Predict** with its folded answer. A rare word counts
more: log(texts / texts with this word), over all predictions. Two texts without a common word are
0 alike, and equal ones 1.
"""

import json
import math
import re
from collections import Counter

import pytest

from autodiff_edu import course
from autodiff_edu.course.harness.minutes import text
from autodiff_edu.course.harness.questions import Choice, Question
from autodiff_edu.course.predictions.by_lecture import predictions
from dev import ROOT

NUMBERS = range(1, 23)
MOST = 0.315
WORD = re.compile(r"[^\W\d_]{3,}|\d[\d,]*(?:\.\d+)?")
ANSWER = re.compile(r"<details>\s*<summary>.*?</summary>(.*?)</details>", re.DOTALL)


def words(said):
    """Its words of three letters or more, without a plural s, and its numbers."""
    return {w.replace(",", "").removesuffix("s") for w in WORD.findall(said.lower())}


def told(question):
    right = next(c for c in question.choices if c.right)
    return words(f"{question.text} {right.text} {right.why}")


def written(number):
    """The paragraphs with **Predict** in the notebooks of a lecture, each with its answer."""
    for path in sorted((ROOT / "notebooks").glob(f"{number:02}*_*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        page = "\n\n".join(text(c) for c in cells if c["cell_type"] == "markdown")
        for start in re.finditer(r"\*\*Predict", page):
            begin = page.rfind("\n\n", 0, start.start()) + 2
            following = ANSWER.search(page, start.end())
            paragraph = page[begin : page.find("\n\n", start.end())]
            if following and "**Predict" not in page[start.end() : following.start()]:
                yield paragraph[-60:], f"{paragraph} {following[1]}"


BEFORE = {n: course.questions(n, "before").questions for n in NUMBERS}
ASKED = {n: [*((name, words(f"{p.question} {p.why}")) for name, p in predictions(n).items()),
             *((name, words(said)) for name, said in written(n))] for n in NUMBERS}  # fmt: skip
TEXTS = [asked for n in NUMBERS for _, asked in ASKED[n]]
USES = Counter(word for said in TEXTS for word in said)


def weight(said):
    return sum(math.log((1 + len(TEXTS)) / (1 + USES[word])) for word in said)


def likeness(one, other):
    """The weight of the common words, as a part of the geometric mean of both weights."""
    return weight(one & other) / math.sqrt(weight(one) * weight(other))


@pytest.mark.each("number", NUMBERS)
def test_no_question_asks_what_a_prediction_asks(number):
    for question in BEFORE[number]:
        for name, asked in ASKED[number]:
            assert likeness(told(question), asked) <= MOST, (question.text, name)


LEAKS = [
    (5, "multiplications",
     "f is a product of a thousand numbers, which takes 999 multiplications. About how many does "
     "it take to get f AND all of its thousand partial derivatives, without divisions?",
     "About 3,000",
     "Products from the front and products from the back can be shared. "
     "The lecture counts 3n - 5."),
    (7, "there and back",
     "Python computes `(x + 1e16) - 1e16` at `x = 1.0`. What is the result?",
     "0.0",
     "Near $10^{16}$ neighbouring numbers are 2 apart, so the 1 is lost. A program that cancels "
     "first would return 1."),
    (15, "calls",
     "An engine gets one step of a loop as a Python function, and builds a graph with 1000 rounds. "
     "The function contains a `print`. How often does it print?",
     "Once or twice",
     "The function is read with symbols, while the graph is built. The runs do not call it."),
]  # fmt: skip


@pytest.mark.each("number, name, asked, right, why", LEAKS)
def test_the_measure_finds_a_leak(number, name, asked, right, why):
    """Questions as they were, each with the prediction that they answered."""
    question = Question(asked, (Choice(right, why, True),))
    assert likeness(told(question), dict(ASKED[number])[name]) > MOST


def test_the_measure_is_one_for_equal_texts_and_zero_without_a_common_word():
    one, other = words("A cost of 2,995 products"), words("Two sweeps and 12 rows")
    assert likeness(one, one) == pytest.approx(1) and likeness(one, other) == 0
    assert words("A cost of 2,995 products") == {"cost", "2995", "product"}


def test_written_predictions_are_compared_too():
    """Lecture 13 asks in a text which of two gates changes the value of a program."""
    assert len(list(written(13))) >= 3
