"""Predictions of lecture 21."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "three slopes": Prediction(
        "What are the three slopes at z = −20 and then at z = −200: of the formula as it "
        "stands, of the clipped one, and of the stable one? Write six numbers; nan is "
        "`float(\"nan\")`.",
        (-1, 0, -1, float("nan"), 0, -1),
        "exp(−200) is 0 in float32, and infinity times zero is nan. Below its limit, clip is "
        "constant.",
        [
            Miss((-1, -1, -1, -1, -1, -1),
                 "The clip is constant below its limit, and a constant has the slope 0."),
            Miss((-1, 0, -1, -1, 0, -1),
                 "At −200 the formula takes log(0), and multiplies infinity by zero."),
            Miss((float("nan"), 0, -1, float("nan"), 0, -1),
                 "At −20 the exponential is small, but float32 can still hold it."),
        ],
    ),
    "order of updates": Prediction(
        "At first v = 0 and w = 10. What are v and w after one call with the updates v ← 0.9 "
        "v − 1 and w ← w + v?",
        (-1, 10),
        "All right sides are computed from the old values, and the old v is 0.",
        [
            Miss((-1, 9), "An update is no assignment: w gets the old v."),
            Miss((0, 10), "Both are updated in the same call."),
            Miss((-0.1, 9.9), "The old v is 0, so 0.9 v − 1 is −1."),
        ],
    ),
}  # fmt: skip
