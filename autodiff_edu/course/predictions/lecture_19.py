"""Predictions of lecture 19."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "brackets of a product": Prediction(
        "A and B are 1000 × 1000, and v has length 1000. How many times the flops of A·(B·v) "
        "does (A·B)·v take? An answer within 5 % is right.",
        500.5,
        "A product of matrices takes 2 · 1000³ flops, and the two products with a vector 4 · "
        "1000².",
        [
            Miss(1, "The results are equal up to rounding. The flops are not."),
            Miss(2, "Both have two products, but A·B is one of matrices."),
            Miss(1000, "The other way has two products with a vector, and not one."),
        ],
        within=0.05,
    ),
    "bytes by blocks": Prediction(
        "21 operations read and write whole arrays. By blocks, only x is read and the result "
        "is written. How many times fewer bytes is that? An answer within 10 % is right.",
        25,
        "Fifty arrays in place of two: an operation writes one, and reads one or two.",
        [
            Miss(1, "The same operations are done. But what lies between them stays in the cache."),
            Miss(10.5, "Each operation reads one or two arrays *and* writes one."),
            Miss(42, "By blocks, two arrays go through main memory, and not one."),
        ],
        within=0.1,
    ),
    "law of Amdahl": Prediction(
        "The products take 40 % of the time, and a compiler cannot make them faster. By how "
        "much can it make the whole program faster at most?",
        2.5,
        "If all else took no time, 40 % would be left, and 1 / 0.4 = 2.5.",
        [
            Miss(1.67, "That is 1 / 0.6. The 60 % can vanish, and the 40 % remain."),
            Miss(1.4, "At most, all of the 60 % vanish."),
            Miss(40, "The part that stays decides, as one divided by its share."),
        ],
        within=0.01,
    ),
}  # fmt: skip
