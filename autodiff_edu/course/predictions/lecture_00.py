"""Predictions of the tour."""

from .prediction import Miss, Prediction
from .values import letter

x = letter("x")
PREDICTIONS = {
    "operations of the derivative": Prediction(
        "How many operations does the derivative of x·x + (x − 2) have, as the rules of calculus "
        "make it, before anything is made shorter?",
        5,
        "The product rule makes two products and a sum. The sum and the difference of f remain a "
        "sum and a difference.",
        [
            Miss(2, "2x + 1 has two operations. The rules of calculus alone do not make that."),
            Miss(3, "f itself has three operations. The product rule makes three from one."),
            Miss(7, "A number or an x in the graph is no operation: nothing is computed there."),
        ],
    ),
    "rewrites": Prediction(
        "How many rewrites lead from (1·x + x·1) + (1 − 0) to 2x + 1?",
        4,
        "Two products with 1, one difference with 0, and at last x + x, which becomes 2x.",
        [
            Miss(3, "Three rewrites remove a 1 or a 0. The result is x + x + 1, so one is left."),
            Miss(2, "The two products with 1 are not the same: each is rewritten by itself."),
            Miss(5, "Two of the five operations remain, and one of these is rewritten."),
        ],
    ),
    "slope 0": Prediction(
        "To which x must you pull until the slope of x·x + (x − 2) is 0?",
        -0.5,
        "There 2x + 1 is 0.",
        [
            Miss(0, "Only the slope of x·x is 0 there. The other x adds 1.", (2 * x + 1, 2 * x)),
            Miss(0.5, "The slope is 2x + 1, and both terms are positive there.",
                 (2 * x + 1, 2 * x - 1)),
            Miss(1, "There f is 0, and not its slope.", (2 * x + 1, x * x + (x - 2))),
        ],
    ),
}  # fmt: skip
