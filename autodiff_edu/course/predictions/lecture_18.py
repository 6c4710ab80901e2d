"""Predictions of lecture 18."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "a sparse Hessian": Prediction(
        "Rosenbrock's function of 100 000 numbers: how many entries of its Hessian are not "
        "zero, and how many products with a vector find them all?",
        (299_998, 3),
        "The diagonal and one entry on each side of it. Columns that share no row are found "
        "together.",
        [
            Miss((100_000, 1), "Neighbours stand in one term, so there are entries beside the "
                 "diagonal."),
            Miss((299_998, 100_000), "One product can serve many columns: all that have no row in "
                 "common."),
            Miss((10_000_000_000, 100_000),
                 "Numbers that stand in no term together have the second derivative 0."),
        ],
    ),
    "steps of Newton": Prediction(
        "How many steps does Newton's method need from (−1.2, 1), and in how many of them "
        "does f become larger?",
        (6, 2),
        "Two steps lead up. A step leads to where the parabola is flat, and f is no parabola.",
        [
            Miss((6, 0), "Nothing in the method makes f fall. It looks for a place where a "
                 "parabola is flat."),
            Miss((1, 0), "One step would be enough for a parabola."),
            Miss((1000, 0), "The gradient alone needs thousands of steps. Second derivatives know "
                 "the bend of the valley."),
        ],
    ),
    "pattern of six": Prediction(
        "How many nonzeros has the Hessian of Rosenbrock's function of six numbers?",
        16,
        "Six on the diagonal, and five on each side of it.",
        [
            Miss(36, "Only neighbours meet in a term."),
            Miss(6, "Neighbours stand in a term together, so there are entries beside the "
                 "diagonal."),
            Miss(11, "The matrix is symmetric: the five pairs stand in it twice."),
        ],
    ),
}  # fmt: skip
