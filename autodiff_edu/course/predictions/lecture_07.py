"""Predictions of lecture 7."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "there and back": Prediction(
        "What do the two programs give at x = 1: as written, and simplified?",
        (0, 1),
        "Near 1e16 numbers are 2 apart, so the sum is rounded. Simplified, the constants cancel.",
        [
            Miss((0, 0), "This is for one who thinks that simplification never changes a value."),
            Miss((1, 1), "That holds for real numbers. But 1e16 + 1 is no floating point number."),
            Miss((2, 1), "1e16 + 1 lies between two numbers, and is rounded down to 1e16."),
        ],
    ),
    "steps that save": Prediction(
        "Four rewrites lead from the left to the right. How many of them save an operation?",
        3,
        "The two products with 1 and the difference with 0 go. x + x becomes 2·x: one for one.",
        [
            Miss(4, "The last one replaces a sum by a product. Both are one operation."),
            Miss(2, "There is a difference with 0, too, besides the two products with 1."),
            Miss(1, "Each 1 and each 0 that differentiation left costs an operation."),
        ],
    ),
    "ways to add": Prediction(
        "In how many ways can one add the four terms x, 2, 3x and x: in any order, with any "
        "brackets? And how many different results are there after simplification?",
        (120, 1),
        "24 orders with 5 bracketings each, and one table of terms for all of them.",
        [
            Miss((24, 1), "These are the orders. Each of them has five bracketings."),
            Miss((120, 120), "The table of terms is the same for every order and bracketing."),
            Miss((5, 1), "These are the bracketings of one order. There are 24 orders."),
        ],
    ),
    "three values": Prediction(
        "Which values has log(1 + exp(x)), computed as written, at −40, 0 and 1000? "
        "inf is `np.inf`; two digits are enough.",
        (0.0, 0.693147, float("inf")),
        "1 + 4e-18 is rounded to 1, whose logarithm is 0. And exp(1000) overflows.",
        [
            Miss((4.248e-18, 0.693147, 1000.0), "These are the true values. The program does not "
                 "find the first and the last."),
            Miss((0.0, 0.693147, 1000.0), "exp(1000) is too large for a float64: it becomes inf."),
            Miss((4.248e-18, 0.693147, float("inf")), "1 + exp(−40) has no room for the small "
                 "number: it is rounded to 1."),
        ],
        within=0.01,
    ),
}  # fmt: skip
