"""Predictions of lecture 3."""

from .prediction import Miss, Prediction
from .values import letter

k = letter("k")
PREDICTIONS = {
    "characters": Prediction(
        "The formula of l₃′ has 217 characters. How many has that of l₇′? An answer within "
        "10 % is right.",
        10_369,
        "It has 10,369. Each round more than doubles the formula.",
        [
            Miss(506, "Each round would add the same. But it copies the one before it."),
            Miss(3_472, "Twice as many each round: the product rule copies more than that."),
            Miss(100_000, "Each round makes it between two and three times as long, not five."),
        ],
        within=0.1,
    ),
    "steps": Prediction(
        "How many rewriting steps does x·x + (x − 2) take, until no D is left? It has five nodes.",
        5,
        "One for each node: D(x) is one node, though it is used three times.",
        [
            Miss(3, "These are the operations. D(x) and D(2) are rewritten, too."),
            Miss(7, "D(x) is used three times, but it is one node, and is rewritten once."),
            Miss(8, "The result has eight nodes. It takes one step for each of the five."),
        ],
    ),
    "school and engine": Prediction(
        "Which values do (u′v − uv′) / v² and u′/v − (u/v)·v′/v have in floating point, at "
        "u = v = 1e200, u′ = 1, v′ = 0? Write two numbers.",
        (0.0, 1e-200),
        "v² overflows to inf, and a number divided by inf is 0. The engine does not square v.",
        [
            Miss((1e-200, 1e-200), "v² is 1e400, which no float64 can hold. It becomes inf."),
            Miss((1e-200, 0.0), "The square is in the first formula, and so it loses the value."),
            Miss((float("nan"), 1e-200), "1e200 / inf is 0. Only inf / inf would be nan."),
        ],
    ),
    "tree and graph": Prediction(
        "How many nodes have the tree and the graph of y = y·y, repeated k times? Write two "
        "formulas in `k = ad.scalar(\"k\")`, or open a choice.",
        (2 ** (k + 1) - 1, k + 1),
        "The tree doubles in each round, and has one node more. The graph has one node more.",
        [
            Miss((2**k, k), "The leaves are nodes, too: x in the graph, and 2ᵏ times in the tree."),
            Miss((2 * k + 1, k + 1), "The tree does not add two nodes in a round: it doubles."),
            Miss((2 ** (k + 1) - 1, 2 * k + 1), "Both operands are one node in the graph."),
        ],
    ),
    "memory": Prediction(
        "How many D(·) are rewritten for l₇: with a memory of one D(·) for each node, and without? "
        "Both may be off by a thirtieth.",
        (31, 379),
        "Five a round with memory, and one for x. Without memory each round doubles, and adds 5.",
        [
            Miss((31, 62), "Without memory each round differentiates the one before it twice."),
            Miss((379, 379), "With memory a node has one D(·), however often it is used."),
            Miss((31, 31), "Without memory each use of a node is differentiated anew."),
        ],
        within=0.03,
    ),
}  # fmt: skip
