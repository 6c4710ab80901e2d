"""Predictions of lecture 1."""

from .prediction import Miss, Prediction

PREDICTIONS = {
    "one graph": Prediction(
        "How many operations has the graph of y, how often is x drawn, and how many arrows "
        "lead to operations? Write three numbers.",
        (3, 1, 6),
        "Three operations with two operands each. Every use of x begins at the same node.",
        [
            Miss((3, 3, 6), "x is one value. It is drawn once, however often it is used."),
            Miss((3, 1, 5), "The product uses x twice, so two arrows lead from x to it."),
            Miss((4, 1, 6), "The 2 is a constant. A constant is a node, but no operation."),
        ],
    ),
    "nodes of the tree": Prediction(
        "How many nodes has the tree of y?",
        7,
        "Three operations, three times x, and the 2.",
        [
            Miss(5, "That is the graph, in which x stands once. A tree writes x at each use."),
            Miss(6, "Two uses of x belong to the product, and one to the difference."),
            Miss(9, "The operands of the sum are operations, which are counted already."),
        ],
    ),
    "orders": Prediction(
        "There are six ways to arrange three operations in a row. How many of them are "
        "possible for y, and how many for z?",
        (2, 1),
        "In y the product and the difference can change places. In z each operation waits for "
        "the one before.",
        [
            Miss((6, 6), "An operation must come after its operands, so the last one of a formula "
                 "comes last."),
            Miss((1, 1), "In y neither the product nor the difference needs the other."),
            Miss((2, 2), "In z the sum needs the product, and the difference needs the sum."),
        ],
    ),
    "three squares": Prediction(
        "How many nodes has each as a graph: `u * u` with `u = x - 2`, then `(x - 2) * (x - "
        "2)`, then `(x - 2) ** 2`?",
        (4, 5, 4),
        "x, 2, the difference and the product; the difference twice in the second; the square "
        "has the one 2 for both.",
        [
            Miss((4, 4, 4), "Nothing is merged while you write. A difference that is written "
                 "twice is two nodes."),
            Miss((7, 7, 5), "These are the trees. In the graph x stands once."),
            Miss((5, 5, 4), "u is one node, which the product uses twice."),
        ],
    ),
}  # fmt: skip
