"""Predictions of lecture 14."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "rule of the guide": Prediction(
        "a = 2 and b = 3. What does the engine say with this rule of the derivative of 2x + "
        "3, of 10·(2x + 3) and of 0·(2x + 3)?",
        (5, 23, 3),
        "The rule says a·g + b, where g is 1, 10 and 0. It is wrong by b each time.",
        [
            Miss((2, 20, 0), "These are the right derivatives. The rule adds b to each."),
            Miss((5, 50, 0), "Only a is multiplied by what arrives. b is added to it, whatever "
                 "arrives."),
            Miss((5, 5, 5), "What arrives at the rule is 1, 10 and 0, and it is multiplied by a."),
        ],
    ),
    "who is called": Prediction(
        "We write down a cost, ask for its gradient, make a program of both, and run it three "
        "times. How often is `pullback` called, and how often `perform`?",
        (1, 3),
        "`pullback` gets symbols, once, from `ad.grad`. `perform` gets arrays in each run.",
        [
            Miss((3, 3), "The gradient is a graph. It is made once, and then only run."),
            Miss((1, 1), "Each run computes with new arrays, so it calls `perform`."),
            Miss((4, 4), "Neither is called when the program is made."),
        ],
    ),
    "cotangent of a square": Prediction(
        "What are the values of g at x = (0, 1), and those of the gradient? Write four "
        "numbers. Recall that y = 2x + 3, and that the cost is the sum of y².",
        (6, 10, 12, 20),
        "g is 2y, and the pullback doubles it.",
        [
            Miss((1, 1, 2, 2), "This g is that of the sum of y, without the square."),
            Miss((3, 5, 6, 10), "This is y itself. The derivative of y² is 2y."),
            Miss((6, 10, 6, 10), "The pullback multiplies by a = 2."),
        ],
    ),
}  # fmt: skip
