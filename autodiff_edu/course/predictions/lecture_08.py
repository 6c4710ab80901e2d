"""Predictions of lecture 8."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "price of a gradient": Prediction(
        "The gradient by 50 inputs: how many times the operations of f does each way take, by "
        "differences, in forward mode, and in reverse mode? An answer within 10 % is right.",
        (51, 54, 2),
        "51 evaluations; f with 50 tangents beside it; f and one sweep back.",
        [
            Miss((2, 2, 2), "Differences and forward mode begin anew for each of the 50 inputs."),
            Miss((51, 54, 50), "One sweep back gives all 50 partial derivatives."),
            Miss((51, 2, 54), "Forward mode needs a tangent for each input. Reverse mode needs "
                 "one sweep for one result."),
        ],
        within=0.1,
    ),
    "two brackets": Prediction(
        "A and B are 50 × 50, and v has length 50. How many operations does (A·B)·v take, and "
        "how many A·(B·v)? An answer within 5 % is right.",
        (255_000, 10_000),
        "A product of matrices takes 2 · 50³ = 250,000 operations, and one with a vector 2 · "
        "50² = 5,000.",
        [
            Miss((255_000, 255_000), "The results are equal, and the costs are not: B·v is a "
                 "vector."),
            Miss((10_000, 10_000), "A·B is a product of matrices, and takes 2 · 50³."),
            Miss((127_500, 5_000), "Each term takes a multiplication and an addition."),
        ],
        within=0.05,
    ),
}  # fmt: skip
