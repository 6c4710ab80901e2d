"""Predictions of lecture 6."""

from .prediction import Miss, Prediction
from .values import letter

n = letter("n")
PREDICTIONS = {
    "contributions": Prediction(
        "How many contributions does the sweep make after the seed, and how many of them go "
        "to x₁?",
        (6, 1),
        "The product passes on two, cos and sin one each, and the sum one to each input.",
        [
            Miss((4, 1), "That is one for each operation. An operation passes one on to each "
                 "operand."),
            Miss((6, 2), "x₁ is used once, by the sum. The two paths meet at the sum already."),
            Miss((12, 6), "One sweep serves both inputs."),
        ],
    ),
    "one by one": Prediction(
        "The rules differentiate x₁·x₂·…·xₙ by each input, and each result is simplified by "
        "itself. How many multiplications do all n results take? Write a formula in `n = "
        "ad.scalar(\"n\")`, or open a choice.",
        n * (n - 2),
        "Each is a product of n − 1 factors, and so n − 2 multiplications.",
        [
            Miss(n * (n - 1), "A product of n − 1 factors takes n − 2 multiplications."),
            Miss(3 * n - 5, "That is the sweep, which shares what the results have in common."),
            Miss((n * n + n - 4) / 2, "So many are left when equal beginnings are shared, too."),
        ],
    ),
}  # fmt: skip
