"""The predictions of the lectures, by number and name.

They stand in `lecture_NN.py` here, and so the cell that asks does not give the answer away.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from .prediction import Prediction


def predict(lecture: int, name: str, guess: Any = None) -> Prediction:
    """A question of a lecture, and what a prediction of the answer means.

    Parameters
    ----------
    lecture : int
        The number of the lecture.
    name : str
        The name of the question.
    guess : number, Expr, callable, str or tuple, optional
        Your prediction: an answer in any form, or the letter of a choice. Without one, the choices
        are shown, and each opens.

    Returns
    -------
    Prediction
        What a notebook shows.

    Raises
    ------
    ValueError
        If the lecture has no such question.

    Examples
    --------
    >>> from autodiff_edu import course
    >>> course.predict(7, "there and back", (0, 0))
    What do the two programs give at x = 1: as written, and simplified?
       a) 0, 0
       b) 0, 1
       c) 1, 1
       d) 2, 1
    You predict 0, 0. No. This is for one who thinks that simplification never changes a value.
    """
    questions = predictions(lecture)
    if name not in questions:
        there = ", ".join(map(repr, questions)) or "none"
        raise ValueError(f"lecture {lecture!r:.20} has no question {name!r:.40}: it has {there}")
    q = questions[name]
    return Prediction(q.question, q.answer, q.why, q.misses, guess, q.within)


def predictions(lecture: int) -> dict[str, Prediction]:
    """The questions of a lecture by name."""
    if isinstance(lecture, bool) or not isinstance(lecture, int):
        raise ValueError(f"predict takes the number of a lecture, not {lecture!r:.40}")
    module = f"{__package__}.lecture_{lecture:02}"
    return import_module(module).PREDICTIONS if find_spec(module) else {}
