"""Predictions of lecture 4."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "column of x₁": Prediction(
        "x₁ moves at the rate 1, and x₂ stands still. What are the tangents of v₁ to v₅? "
        "Write five numbers.",
        (0.5, 5, 0, 5.5, 5.5),
        "ln x₁ moves at the rate 1/x₁ and the product at the rate x₂. The sine stands still.",
        [
            Miss((2, 5, 0, 7, 7), "ln x₁ moves at the rate 1/x₁, and not at the rate x₁."),
            Miss((0.5, 7, 0, 7.5, 7.5), "In v₂ only x₁ moves, so its rate is the other factor, "
                 "x₂."),
            Miss((0.5, 5, 1, 5.5, 4.5), "v₃ = sin x₂ depends on x₂ alone, and x₂ stands still."),
        ],
    ),
    "direction": Prediction(
        "The seed is r = (3, −1). The first row of J is (5.5, 1.7163). What is the last "
        "tangent of y? An answer within 0.1 % is right.",
        14.7837,
        "3 · 5.5 − 1 · 1.7163: the tangents are linear in the seed.",
        [
            Miss(7.2163, "This is the sum of the row, for the seed (1, 1)."),
            Miss(3.7837, "x₁ moves at the rate 3. This is for the seed (1, −1)."),
            Miss(18.2163, "x₂ moves at the rate −1, so its part is subtracted."),
        ],
        within=0.001,
    ),
    "warm start": Prediction(
        "The loop begins with √2, and it is called with the number 2 and the tangent 1. The "
        "value is right. What is the tangent?",
        0,
        "The guess is good enough, so the loop never turns. It returns a number that does not "
        "depend on x.",
        [
            Miss(0.3535533906, "That is the slope of the root. The loop would have to turn once "
                 "to compute it."),
            Miss(1, "That is the tangent of x. The result is the guess, which x did not make."),
            Miss(0.1767766953, "This is half of the right slope. But the loop does not make one "
                 "turn."),
        ],
    ),
}  # fmt: skip
