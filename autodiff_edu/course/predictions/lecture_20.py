"""Predictions of lecture 20."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "divisions for a slope": Prediction(
        "How many divisions does the program for the slope need, besides the search itself?",
        3,
        "The search is one call. The slope comes from the equation at the solution.",
        [
            Miss(0, "The derivative of the step a/x needs the quotients again."),
            Miss(100, "The slope does not go through the steps of the search."),
            Miss(1, "The equation is differentiated by x and by a, and the results are divided."),
        ],
    ),
    "slope of a root": Prediction(
        "x³ + x = a. What is the slope of x at a = 10, where x = 2? An answer within 1 % is right.",
        0.0769,
        "∂F/∂x = 3x² + 1 = 13 and ∂F/∂a = −1, so the slope is 1/13.",
        [
            Miss(0.0833, "The x in x³ + x has a slope too: 3x² + 1 = 13."),
            Miss(13, "That is how fast a moves with x. The slope of x is one divided by it."),
            Miss(-0.0769, "Both minus signs count: −(−1) / 13."),
        ],
        within=0.01,
    ),
    "equations for a matrix": Prediction(
        "A is 5 × 5. How many linear equations must be solved for all entries of Ā?",
        1,
        "The one for b̄. The rest is an outer product.",
        [
            Miss(25, "Each entry of Ā is a product of two numbers that are there after one "
                 "equation."),
            Miss(5, "All columns of Ā are multiples of one vector, b̄."),
            Miss(2, "The solution x is there already, from the forward pass."),
        ],
    ),
}  # fmt: skip
