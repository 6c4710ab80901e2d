"""Predictions of lecture 12."""

from .prediction import Miss, Prediction

INF, NAN = float("inf"), float("nan")
PREDICTIONS = {
    "bits of 1": Prediction(
        "What is the largest whole k for which the computer finds 1 + 2⁻ᵏ larger than 1?",
        52,
        "The next number after 1 is 1 + 2⁻⁵². Half of this distance is rounded back to 1.",
        [
            Miss(53, "1 + 2⁻⁵³ lies in the middle of two numbers, and is rounded to 1."),
            Miss(64, "A float64 has 64 bits, but 12 of them hold the sign and the exponent."),
            Miss(1074, "2⁻¹⁰⁷⁴ is the smallest positive number. But 1 has no digits so small."),
        ],
    ),
    "three programs at 1000": Prediction(
        "What do `log(1 + exp(z))`, `log1p(exp(z))` and `softplus(z)` give at 1000? Write three "
        "numbers; inf is `np.inf`.",
        (INF, INF, 1000.0),
        "exp(1000) overflows, whatever comes after it. Only softplus does not compute it.",
        [
            Miss((1000.0, 1000.0, 1000.0), "exp(1000) is no float64: it becomes inf."),
            Miss((INF, 1000.0, 1000.0), "log1p helps where exp(z) is small. At 1000 it is inf."),
            Miss((INF, INF, INF), "softplus computes the whole function without exp(1000)."),
        ],
    ),
    "zero times infinity": Prediction(
        "What does the computer find for 1/(1 + e¹⁰⁰⁰), and for this times e¹⁰⁰⁰? Write two "
        "numbers; inf is `np.inf`, and nan is `np.nan`.",
        (0.0, NAN),
        "One divided by infinity is 0. Zero times infinity is nan.",
        [
            Miss((0.0, 1.0), "The true product is 1. But the computer has lost both factors."),
            Miss((0.0, 0.0), "Zero times a number is 0. Zero times infinity is nan."),
            Miss((0.0, INF), "Zero times infinity is neither of both: it is nan."),
        ],
    ),
    "steps to softplus": Prediction(
        "How many rewrites lead from log(1 + eᶻ) to softplus(z)?",
        3,
        "The 1 goes to the end of the sum, then log1p is found, and at last softplus.",
        [
            Miss(1, "No rule knows the whole formula. One rule finds a part, the next the rest."),
            Miss(2, "log1p, then softplus: that is two. Before them, the 1 goes to the end."),
            Miss(4, "Nothing else has to change: log1p(exp(z)) is softplus."),
        ],
    ),
}  # fmt: skip
