"""Predictions of lecture 2."""

from .prediction import Miss, Prediction
from .values import letter

n = letter("n")
PREDICTIONS = {
    "ten times smaller": Prediction(
        "The step h becomes ten times smaller. How many times smaller does the error become, of "
        "the forward and of the central difference? Write two numbers, `(…, …)`.",
        (10, 100),
        "The first term that is left is h in the forward difference, and h² in the central one.",
        [
            Miss((10, 10), "In the central difference the terms with h cancel. The next is h²."),
            Miss((10, 20), "Two evaluations do not halve the error. They change its power of h."),
            Miss((100, 10), "The central difference is the better of both, not the forward one."),
        ],
    ),
    "steps of the rules": Prediction(
        "How many steps do the rules take for the program, one for each node? It has nine "
        "operations, and each 4 and each 1 that it writes is a node of its own.",
        16,
        "Nine operations, six numbers and the x: every node has one D(·).",
        [
            Miss(9, "These are the operations. D(4), D(1) and D(x) are rewritten, too."),
            Miss(12, "Each 4 and each 1 is a node of its own, and there are six of them."),
            Miss(15, "The x is a node, too: D(x) becomes 1."),
        ],
    ),
    "four tangents": Prediction(
        "What are the first four tangents at 0.2: of x, of 4·x, of 1 − x, and of their product?",
        (1, 4, -1, 2.4),
        "The product rule gives 4 · 0.8 + 0.8 · (−1) = 2.4.",
        [
            Miss((1, 4, 1, 4), "1 − x becomes smaller when x becomes larger: its tangent is −1."),
            Miss((1, 4, -1, -4), "The tangent of a product is not the product of the tangents."),
            Miss((1, 4, -1, 3.2), "This is one of the two terms. The second factor moves, too."),
        ],
    ),
    "runs": Prediction(
        "How many times must the program of n inputs run for a whole gradient: by forward "
        "differences, by central ones, and how many sweeps does reverse mode take? Write three "
        "formulas in `n = ad.scalar(\"n\")`, or open a choice.",
        (n + 1, 2 * n, 1),
        "One run for each input and one at x itself; two for each input; and a single sweep.",
        [
            Miss((n, 2 * n, 1), "A forward difference needs the value at x itself, too."),
            Miss((n + 1, n + 1, 1), "A central difference uses x + h and x − h, and not x."),
            Miss((n + 1, 2 * n, n), "Reverse mode gets all partial derivatives in one sweep."),
        ],
    ),
}  # fmt: skip
