"""Predictions of lecture 17."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "states for a gradient": Prediction(
        "The value takes the memory of one state. How many states does the derivative by that "
        "one parameter take, over a hundred steps? An answer within 5 % is right.",
        101,
        "Each step's result is read once more on the way back. And one more array is needed "
        "for the work.",
        [
            Miss(1, "That is enough for the value, where each state overwrites the one before."),
            Miss(2, "The way back reads all states of the way forward, the last one first."),
            Miss(200, "A step has several results, but only one of them is read again."),
        ],
        within=0.05,
    ),
    "what a rule reads": Prediction(
        "A hundred steps h + v, where v has 50 000 numbers, and a hundred steps "
        "sin(cos(w·h)): how many states does the gradient keep of each? An answer within "
        "5 % is right.",
        (2, 299),
        "The rule of a sum reads nothing. The rules of a product, of cos and of sin read what "
        "they get.",
        [
            Miss((101, 299), "The rule of a sum passes the cotangent on. It reads no state."),
            Miss((2, 101), "Three operations in a step read an operand each."),
            Miss((50_000, 1), "The number of parameters does not count. It counts what the rules "
                 "read."),
        ],
        within=0.05,
    ),
    "fewest steps": Prediction(
        "What are t(10, 1), where only the first state can be kept, and t(10, 9)?",
        (45, 9),
        "9 + 8 + … + 1 with one place. With nine places each step is made once, but for the "
        "last.",
        [
            Miss((10, 10), "With one place, every step back begins anew at the first state."),
            Miss((100, 9), "The first step back needs nine steps forward, the second eight, and "
                 "so on."),
            Miss((55, 10), "The last step needs no step forward: its state is there."),
        ],
    ),
}  # fmt: skip
