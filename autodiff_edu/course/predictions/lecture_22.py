"""Predictions of lecture 22."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "slope at 1": Prediction(
        "What are the value and the slope at a = 1?",
        (1, 1),
        "The first guess is the root already, so the loop makes no step and returns a itself.",
        [
            Miss((1, 0.5), "That is right for the root. But at a = 1 the loop makes no step."),
            Miss((1, 0), "The loop returns its argument, which depends on a."),
            Miss((1, 2), "The function that ran is a itself, and its slope is 1."),
        ],
    ),
    "paths": Prediction(
        "How many paths are there for x to the power of int(x), with x from 0 to 10? And how "
        "many for the sum of four sorted numbers?",
        (10, 24),
        "int(x) has ten answers. Four numbers can be sorted in 4 · 3 · 2 · 1 ways.",
        [
            Miss((10, 4), "It matters which number comes second and third, too."),
            Miss((1, 1), "Each answer of Python makes a path of its own."),
            Miss((9, 24), "int(x) can be 0, 1, 2 and so on up to 9."),
        ],
    ),
    "slope of a search": Prediction(
        "Bisection finds the root of 2, and its value is right. What is its slope, as the "
        "engine differentiates it? An answer within 0.1 % is right.",
        0.707107,
        "On one path the result is a times a fixed number, 0.7071.",
        [
            Miss(0.353553, "That is the slope of the root. The answers of the search do not show "
                 "it."),
            Miss(0, "The interval begins at 0 and a, so all that follows is a multiple of a."),
            Miss(1.414214, "That is the value. The slope is the value divided by a."),
        ],
        within=0.001,
    ),
}  # fmt: skip
