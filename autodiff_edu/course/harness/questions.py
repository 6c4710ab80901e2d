"""Questions before and after a lecture: each choice opens, and says why it is right or wrong.

They are data, a file for each lecture in `course/questions`; a wrong choice is what students often
believe.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, Literal, NamedTuple

from ...show.html.page import TYPESET, escape
from ...show.html.showable import Showable

When = Literal["before", "after"]
CODE = re.compile(r"`([^`]+)`")
TEX = re.compile(r"\$([^$]+)\$")
STYLES = {
    "li": "margin:0 0 14px",
    "details": "margin:4px 0 4px 8px",
    "summary": "cursor:pointer",
    "p": "margin:2px 0 6px 18px",
    "code": "color:inherit;background:none;font-size:1em",
}


class Choice(NamedTuple):
    """What one may answer, and why that is right or wrong."""

    text: str
    why: str
    right: bool = False

    @property
    def verdict(self) -> str:
        return f"{'Right' if self.right else 'No'}. {self.why}"


class Question(NamedTuple):
    """A question, and its choices in their order."""

    text: str
    choices: tuple[Choice, ...]


class Questions(Showable):
    """The questions before or after a lecture.

    Parameters
    ----------
    title : str
        Whose questions they are.
    questions : tuple of Question
        The questions.

    Examples
    --------
    >>> from autodiff_edu import course
    >>> print(repr(course.questions(1))[:40])
    Questions before lecture 1
    <BLANKLINE>
    1. What doe
    """

    kind: ClassVar = "questions"

    def __init__(self, title: str, questions: tuple[Question, ...]):
        self.title, self.questions = title, questions

    def image(self, widest: int = 0) -> str:
        """A list, in which each choice is a line that opens.

        Parameters
        ----------
        widest : int, default: 0
            Not used.

        Returns
        -------
        str
            HTML.

        Examples
        --------
        >>> from autodiff_edu import course
        >>> course.questions(1).image().count("<details")
        18
        """
        items = "".join(tag("li", marked(q.text) + opening(q.choices)) for q in self.questions)
        return f'<ol class="{TYPESET}">{items}</ol>'

    @property
    def answers(self) -> str:
        """The right choices with their reasons, as text.

        Examples
        --------
        >>> from autodiff_edu import course
        >>> course.questions(1).answers.count("Right.")
        5
        """
        right = [next(c for c in q.choices if c.right) for q in self.questions]
        return "\n".join(f"{k}. {c.text}. {c.verdict}" for k, c in enumerate(right, 1))

    def __repr__(self) -> str:
        lines = [self.title]
        for k, question in enumerate(self.questions, 1):
            lines += ["", f"{k}. {question.text}"]
            lines += [f"   {'abcd'[i]}) {c.text}" for i, c in enumerate(question.choices)]
        return "\n".join(lines)


def questions(lecture: int, when: When = "before") -> Questions:
    """The five questions before or after a lecture, to be answered by a click.

    Parameters
    ----------
    lecture : int
        Its number.
    when : {'before', 'after'}, default: 'before'
        Those that need only what was taught earlier, or those that need the lecture.

    Returns
    -------
    Questions
        What a notebook shows; `answers` is the text of the right choices.

    Raises
    ------
    ValueError
        If there are no such questions.

    Examples
    --------
    >>> from autodiff_edu import course
    >>> len(course.questions(5, "after").questions)
    5
    """
    known = numbered()
    if isinstance(lecture, bool) or lecture not in known:
        there = ", ".join(map(str, known))
        raise ValueError(f"there are no questions for lecture {lecture!r:.40}: choose of {there}")
    if when not in ("before", "after"):
        raise ValueError(f"questions come 'before' or 'after' a lecture, not {when!r:.40}")
    found = tomllib.loads(known[lecture])[when]
    return Questions(f"Questions {when} lecture {lecture}", tuple(map(read, found)))


@cache
def numbered() -> dict[int, str]:
    """The texts of the files, by the numbers of lectures."""
    there = sorted(
        files("autodiff_edu.course").joinpath("questions").iterdir(), key=lambda f: f.name
    )
    return {int(file.name[:2]): file.read_text("utf-8") for file in there}


def read(table: dict[str, Any]) -> Question:
    return Question(table["question"], tuple(Choice(**choice) for choice in table["choices"]))


# ---- as HTML


def tag(name: str, content: str, more: str = "") -> str:
    return f'<{name}{more} style="{STYLES[name]}">{content}</{name}>'


def choice(text: str) -> str:
    """A line that opens; where it is a formula alone, a screen reader reads its TeX."""
    formula = TEX.fullmatch(text)
    return tag("summary", marked(text), f' aria-label="{escape(formula[1])}"' if formula else "")


def opening(choices: tuple[Choice, ...]) -> str:
    lines = (choice(c.text) + tag("p", marked(c.verdict)) for c in choices)
    return "".join(tag("details", line) for line in lines)


def marked(text: str) -> str:
    """What stands between backquotes is code, and between dollars a formula for the page."""
    words = CODE.sub(lambda m: tag("code", m[1]), escape(text))
    return TEX.sub(r"\\(\1\\)", words)
