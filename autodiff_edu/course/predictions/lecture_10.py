"""Predictions of lecture 10."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "slopes of remainders": Prediction(
        "What is the slope of R₁ for the right rule, and what for a wrong one?",
        (2, 1),
        "The right rule leaves a term with h². A wrong one leaves an error times h.",
        [
            Miss((1, 2), "The better rule has the steeper line: its remainder falls faster."),
            Miss((2, 2), "The error of a wrong rule is multiplied by h, and that is larger than "
                 "h²."),
            Miss((2, 0), "The wrong term is multiplied by h, so it becomes smaller with h."),
        ],
    ),
    "beside a kink": Prediction(
        "The rectifier max(x, 0), with h = 1e-5. What does the central difference say at 0, "
        "what at 4e-6, and what does the engine say at 0?",
        (0.5, 0.7, 1),
        "At 0 it is the mean of both slopes. At 4e-6 the left point lies behind the kink. The "
        "engine passes on all to the first operand.",
        [
            Miss((0, 1, 1), "A central difference uses both sides, also at the kink."),
            Miss((0.5, 1, 1), "4e-6 − h lies on the left of the kink, where the value is 0."),
            Miss((0.5, 0.7, 0.5), "The engine does not take the mean. It takes one of the two "
                 "slopes, by a convention."),
        ],
    ),
}  # fmt: skip
