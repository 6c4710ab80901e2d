"""Predictions: a reader writes one, and the cell says what the difference means.

A prediction is judged by its value, so every equal form is right. A wrong choice has a sentence of
its own, and a point at which it differs.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from ...expr import Expr
from ...show.html.page import TYPESET
from ...show.html.showable import Showable
from ..harness.questions import Choice, marked, opening, tag
from .values import Point, difference, equal, letters, numbers, place, spelled

HINT = "Write your prediction into the cell, after a comma, or open the choice that you take."


class Miss(NamedTuple):
    """A wrong answer: what one believes who gives it.

    Parameters
    ----------
    answer : number, Expr, str or tuple
        The answer.
    why : str
        A sentence about it.
    says : tuple of Expr, optional
        What is true and what this answer says instead. By default the right answer and this one.
    at : dict, optional
        A point at which they differ. By default the simplest.
    """

    answer: Any
    why: str
    says: tuple[Any, Any] | None = None
    at: Point | None = None


class Prediction(Showable):
    """A question, its answer, wrong answers with their reasons, and what the reader predicts.

    Parameters
    ----------
    question : str
        The question.
    answer : number, Expr, str or tuple
        The right answer: numbers, formulas in letters, or words.
    why : str
        Why it is right.
    misses : sequence of Miss
        Wrong answers.
    guess : number, Expr, callable, str or tuple, optional
        What the reader predicts: an answer, or the letter of a choice.
    within : float, default: 0
        How far off a number may be, as a part of the answer.

    Examples
    --------
    >>> from autodiff_edu.course import Miss, Prediction
    >>> x = ad.scalar("x")
    >>> slope = Prediction("What is the slope of x·x?", 2 * x, "Two factors, so two terms.",
    ...                    [Miss(x, "This is the term of one factor.")])
    >>> slope.judge(x + x)
    'Right. Two factors, so two terms.'
    >>> slope.judge(x)
    'No. This is the term of one factor. At x = 1 it gives 1, and the right answer gives 2.'
    """

    kind: ClassVar = "questions"

    def __init__(self, question: str, answer: Any, why: str, misses: Sequence[Miss],
                 guess: Any = None, within: float = 0.0):  # fmt: skip
        self.question, self.answer, self.why = question, answer, why
        self.misses, self.guess, self.within = tuple(misses), guess, within

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The right answer among the wrong ones, ordered by value, or by their letters.

        Examples
        --------
        >>> from autodiff_edu import course
        >>> [choice.text for choice in course.predict(7, "there and back").choices]
        ['0, 0', '0, 1', '1, 1', '2, 1']
        """
        pairs = [(self.answer, Choice(spelled(self.answer), self.why, True))]
        pairs += [(m.answer, Choice(spelled(m.answer), self.reason(m))) for m in self.misses]
        return tuple(choice for _, choice in sorted(pairs, key=lambda pair: rank(pair[0])))

    def point(self, miss: Miss) -> Point | None:
        """A point at which the wrong answer is wrong; empty where no letter matters.

        Parameters
        ----------
        miss : Miss
            The wrong answer.

        Returns
        -------
        dict or None
            A number for each letter; None if the answers are words.

        Examples
        --------
        >>> from autodiff_edu import course
        >>> asked = course.predict(7, "there and back")
        >>> asked.point(asked.misses[0])
        {}
        """
        if miss.at is not None:
            return miss.at
        true, wrong = miss.says or (self.answer, miss.answer)
        return None if isinstance(true, str) else difference(true, wrong)

    def reason(self, miss: Miss) -> str:
        """The sentence of a wrong answer, and the point at which it differs.

        Parameters
        ----------
        miss : Miss
            The wrong answer.

        Returns
        -------
        str
            Plain sentences.

        Examples
        --------
        >>> from autodiff_edu import course
        >>> asked = course.predict(7, "there and back")
        >>> asked.reason(asked.misses[0])[-56:]
        'e who thinks that simplification never changes a value.'
        """
        at = self.point(miss)
        if not at:
            return miss.why
        true, wrong = miss.says or (self.answer, miss.answer)
        result, truth = numbers(wrong, at), numbers(true, at)
        if miss.says:
            return f"{miss.why} At {place(at)} it would be {result}, and it is {truth}."
        return f"{miss.why} At {place(at)} it gives {result}, and the right answer gives {truth}."

    def judge(self, guess: Any) -> str:
        """The verdict on a prediction.

        Parameters
        ----------
        guess : number, Expr, callable, str or tuple
            An answer in any form, or the letter of a choice.

        Returns
        -------
        str
            Plain sentences, which begin with Right or No.

        Raises
        ------
        TypeError
            If it cannot be compared with the answer.

        Examples
        --------
        >>> from autodiff_edu import course
        >>> course.predict(7, "there and back").judge((0, 1))[:6]
        'Right.'
        """
        choices = self.choices
        if isinstance(guess, str):
            word = guess.strip().casefold()
            for letter, choice in zip("abcdefgh", choices):
                if word in (letter, choice.text.casefold()):
                    return choice.verdict
        if isinstance(guess, str) or isinstance(self.answer, str):
            raise TypeError(
                f"{guess!r:.60} is none of the choices: write the letter of one, as 'a'"
            )
        if self.agrees(guess, self.answer):
            return Choice("", self.why, True).verdict
        for miss in self.misses:
            if self.agrees(guess, miss.answer):
                return Choice("", self.reason(miss)).verdict
        other = Miss(guess, "It is another answer." if letters(self.answer) else "")
        return Choice("", self.reason(other) or f"It is {spelled(self.answer)}. {self.why}").verdict

    def agrees(self, guess: Any, answer: Any) -> bool:
        """Is this the same answer, by value?

        Parameters
        ----------
        guess, answer : number, Expr, callable or tuple
            What is compared.

        Returns
        -------
        bool
            True if both have the same values at random points.

        Raises
        ------
        TypeError
            If the guess has other letters than the question.

        Examples
        --------
        >>> from autodiff_edu import course
        >>> course.predict(7, "there and back").agrees((0.0, 1), (0, 1))
        True
        """
        strange = {*letters(guess)} - {*letters([self.answer, *(m.answer for m in self.misses)])}
        if strange:
            raise TypeError(f"the question has no {', '.join(sorted(strange))}: write a formula in "
                            f"{', '.join(letters(self.answer)) or 'numbers alone'}")  # fmt: skip
        try:
            return equal(guess, answer, self.within)
        except (TypeError, ValueError) as error:
            form = f"as {spelled(self.misses[0].answer)}" if self.misses else "as a number"
            raise TypeError(f"{guess!r:.60} cannot be compared: write it {form}") from error

    def __repr__(self) -> str:
        lines = [self.question]
        lines += [f"   {'abcdefgh'[k]}) {c.text}" for k, c in enumerate(self.choices)]
        if self.guess is not None:
            lines += [f"You predict {spelled(self.guess)}. {self.judge(self.guess)}"]
        return "\n".join(lines)

    def image(self, widest: int = 0) -> str:
        """The question, and choices that open; a prediction has its verdict above them.

        Parameters
        ----------
        widest : int, default: 0
            Not used.

        Returns
        -------
        str
            HTML, which needs neither a kernel nor scripts.

        Examples
        --------
        >>> from autodiff_edu import course
        >>> course.predict(7, "there and back").image().count("<details")
        4
        """
        words = tag("p", f"<b>Predict.</b> {marked(self.question)}")
        if self.guess is None:
            words += tag("p", f"<i>{HINT}</i>")
        else:
            verdict = f"You predict {spelled(self.guess)}. {self.judge(self.guess)}"
            words += tag("p", f"<b>{marked(verdict)}</b>")
        return f'<div class="{TYPESET}">{words}{opening(self.choices)}</div>'


def rank(answer: Any) -> tuple[int, tuple[tuple[bool, float], ...], str]:
    """Numbers come first, by value, and nan after them; then formulas and words, by letters."""
    row = answer if isinstance(answer, (tuple, list)) else [answer]
    if any(isinstance(part, (str, Expr)) for part in row):
        return 1, (), spelled(answer)
    return 0, tuple([(x != x, x if x == x else 0.0) for x in map(float, row)]), ""
