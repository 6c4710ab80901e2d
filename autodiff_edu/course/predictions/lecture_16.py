"""Predictions of lecture 16."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "twice the same draw": Prediction(
        "`one` and `other` are two draws of N(0, 1). What are the means of one · one and of "
        "one · other?",
        (1, 0),
        "The first is the mean of a square. The second is the mean of a product of "
        "independent numbers.",
        [
            Miss((0, 0), "one · one is a square, which is never negative. Its mean is the "
                 "variance."),
            Miss((1, 1), "Two draws have two places, so they are different numbers."),
            Miss((0.5, 0), "The mean of the square of N(0, 1) is its variance, 1."),
        ],
    ),
    "two variances": Prediction(
        "Both estimators have the mean 4. How many times as large as the path's is the "
        "variance of the score function's? An answer within 10 % is right.",
        21.75,
        "87 in place of 4: it needs 22 times as many samples.",
        [
            Miss(1, "The means are equal. The variances are not: z² can be large where the path "
                 "has 2z."),
            Miss(4, "4 is the path's own variance. The other one is much larger."),
            Miss(87, "That is the variance itself, and the path's is 4."),
        ],
        within=0.1,
    ),
    "across a jump": Prediction(
        "What is the path's estimate of the derivative at t = 1, if the cost is larger by 1 "
        "for all z > 1?",
        1,
        "Each sample is differentiated on its own side of the jump, where the slope is 1.",
        [
            Miss(1.398942, "This is the right derivative. The path misses the samples that cross "
                 "the jump."),
            Miss(0, "On both sides of the jump the cost grows like z."),
            Miss(2, "The 1 that is added beyond the jump has no slope."),
        ],
    ),
}  # fmt: skip
