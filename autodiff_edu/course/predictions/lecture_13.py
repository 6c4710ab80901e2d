"""Predictions of lecture 13."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "x in disguise": Prediction(
        "max(x, 0) − max(−x, 0) is the function x. What does the engine say of its derivative "
        "at −1, at 0 and at 1?",
        (1, 2, 1),
        "At 0 the engine takes the slope 1 for both rectifiers, and the chain rule adds them.",
        [
            Miss((1, 1, 1), "The derivative of x is 1 everywhere, but the engine differentiates "
                 "the program, term by term."),
            Miss((1, 0, 1), "This needs the slope 0 for both rectifiers. The engine takes the "
                 "other one, for both."),
            Miss((1, 1.5, 1), "Each rectifier contributes 0 or 1 here, and no fraction."),
        ],
    ),
    "four rectifiers": Prediction(
        "What are the derivatives at 0 of maximum(x, 0), of maximum(0, x), of where(x > 0, x, "
        "0) and of (|x| + x) / 2?",
        (1, 0, 0, 0.5),
        "Equal operands: the first gets all. x > 0 is false at 0. And |x| has the slope 0 "
        "there.",
        [
            Miss((0, 0, 0, 0), "All four have the same value, but the engine has a convention for "
                 "each operation."),
            Miss((1, 1, 0, 0.5), "`maximum` passes all to its first operand, and in the second "
                 "program that is 0."),
            Miss((1, 0, 0, 0), "The x in |x| + x has the slope 1, and it is halved."),
        ],
    ),
    "six gates": Prediction(
        "What are the derivatives at 2 of the six, in the order of the code?",
        (4, 2, 2, 0, 8, 1),
        "The gate stops one factor, or both. It doubles what comes back through both, or cuts "
        "4 down to 1.",
        [
            Miss((4, 4, 4, 4, 4, 4), "The values are equal. The gates change what flows back."),
            Miss((4, 2, 2, 2, 8, 1), "In the fourth program every path to x leads through the "
                 "gate."),
            Miss((4, 2, 2, 0, 16, 1), "The cotangent of the gate is 2u = 4, and the gate doubles "
                 "it once."),
        ],
    ),
}  # fmt: skip
