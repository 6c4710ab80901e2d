"""Three questions about the film that a student's own reverse mode draws, and their grading.

Frames, values and the point are chosen by the student's number, so that no answer can be handed on.

    1. Which frame adds to the adjoint of x2 for the last time?
    2. What is the adjoint of x1 * x2 after frame 5, at x1 = 2 and x2 = 3?
    3. To the adjoint of which value does frame 4 add?
"""

import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...expr import Stage, evaluate, text
from ...ops import log, scalar, sin
from ..harness.feedback import Unsolved
from .page import Page
from .surgery import reverse, transplanted

NEAR = 1e-3  # how far off a number may be, as a part


class FilmQuestion(NamedTuple):
    """A question, and its answer: a number, or a value in words."""

    question: str
    answer: float | str

    def judge(self, answer: str) -> bool:
        """Is the answer right? Spaces do not count, and of a number three digits do."""
        if isinstance(self.answer, str):
            return "".join(answer.split()) == "".join(self.answer.split())
        try:
            number = float(answer.replace(",", "."))
        except ValueError:
            return False
        return bool(abs(number - self.answer) <= NEAR * max(1.0, abs(self.answer)))


def film_questions(page: Page, student: str) -> list[FilmQuestion]:
    """Three questions about the film of log(x1) + x1·x2 − sin(x2), drawn by the page's sweep.

    Parameters
    ----------
    page : Page
        With the function `sweep`.
    student : str
        The number or the name of the student.

    Returns
    -------
    list of FilmQuestion
        The same ones for the same student and the same page.

    Raises
    ------
    Unsolved
        If the page has no sweep.
    """
    if "sweep" not in page.functions:
        raise Unsolved(f"{page.name} has no sweep yet: the questions are about its film")
    x, y = scalar("x1"), scalar("x2")
    with transplanted(page):
        stage = reverse.reverse_mode(log(x) + x * y - sin(y), [x, y])
    rng = np.random.default_rng(zlib.crc32(student.encode()))
    a, b = (int(n) for n in rng.integers(2, 10, 2))
    steps = list(stage.steps)
    last, value, target = places(stage, rng)
    node = steps[value].bindings["of"]
    number = float(evaluate(steps[value].after, {x: float(a), y: float(b)}))
    of_last, of_target = (text(steps[k].bindings["of"]) for k in (last, target))
    return [
        FilmQuestion(f"Which frame adds to the adjoint of {of_last} for the last time?", last + 1),
        FilmQuestion(f"What is the adjoint of {text(node)} after frame {value + 1}, at x1 = {a} "
                     f"and x2 = {b}? Three digits are enough.", number),
        FilmQuestion(f"To the adjoint of which value does frame {target + 1} add? Write it as the "
                     "film does.", of_target),
    ]  # fmt: skip


def places(stage: Stage, rng: np.random.Generator) -> tuple[int, int, int]:
    """Steps to ask about: the last of its value, one that computes, and any but the seed."""
    of = [text(step.bindings["of"]) for step in stage.steps]
    ends = [k for k, name in enumerate(of) if name not in of[k + 1 :] and of.count(name) > 1]
    inputs = [k for k, name in enumerate(of) if name in ("x1", "x2")]
    middle = [k for k in range(1, len(of)) if k not in ends]
    return tuple(int(rng.choice(row)) for row in (ends, inputs, middle))  # type: ignore[return-value]


def grade(questions: Sequence[FilmQuestion], answers: Sequence[str]) -> list[bool]:
    """Which answers are right; a missing one is not.

    Parameters
    ----------
    questions : sequence of FilmQuestion
        As `film_questions` gives them.
    answers : sequence of str
        A text for each.

    Returns
    -------
    list of bool
        A verdict for each question.
    """
    rest = [""] * (len(questions) - len(answers))
    return [q.judge(answer) for q, answer in zip(questions, [*answers, *rest], strict=False)]
