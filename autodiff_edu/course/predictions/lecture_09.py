"""Predictions of lecture 9."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "entries of a Jacobian": Prediction(
        "X is 569 × 30, and w has 30 entries. How many entries has the Jacobian of X @ w with "
        "respect to X?",
        9_712_830,
        "569 results times 569 · 30 entries of X.",
        [
            Miss(17_070, "That is how many entries X has. The Jacobian has so many for each "
                 "result."),
            Miss(323_761, "That is 569 · 569, one score by another. X has 30 entries for each "
                 "score."),
            Miss(569, "That is how many results there are."),
        ],
    ),
    "copies": Prediction(
        "A column (3, 1) and a row (4,) are added. The cotangent of the result is [[1, 0, 2, "
        "0], [0, 3, 0, 1], [1, 1, 1, 1]]. What are the cotangents of the column and of the "
        "row? Write seven numbers.",
        (3, 4, 4, 2, 4, 3, 2),
        "The column gets the sum of each row of the table, and the row the sum of each column.",
        [
            Miss((2, 4, 3, 2, 3, 4, 4), "The column was copied along the rows of the table, so "
                 "each entry adds up one row."),
            Miss((0.75, 1, 1, 0.5, 1.25, 0.75, 0.5),
                 "Contributions of copies are added. No mean is taken."),
            Miss((1, 1, 1, 1, 1, 1, 1), "Each entry moves all of its copies, and gets the "
                 "cotangents of all of them."),
        ],
    ),
    "products of the right shape": Prediction(
        "There are eight products of C̄ or its transpose with B or its transpose. How many of "
        "them have the shape of A, where A is 2 × 3 and B is 3 × 4? And how many where both "
        "are 3 × 3?",
        (1, 8),
        "Only C̄ Bᵀ fits in the first case. In the second, all shapes are equal.",
        [
            Miss((2, 8), "B C̄ᵀ is 3 × 2, the shape of A transposed."),
            Miss((1, 1), "Square matrices can be multiplied in any order, so all eight exist."),
            Miss((8, 8), "Most of the eight do not exist for 2 × 3 and 3 × 4: the inner lengths "
                 "differ."),
        ],
    ),
}  # fmt: skip
