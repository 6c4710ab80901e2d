"""Predictions of lecture 15."""

from .prediction import Miss, Prediction
from .values import letter

w, h = letter("w"), letter("h")
PREDICTIONS = {
    "nodes of a loop": Prediction(
        "A hundred thousand steps: how many nodes has the graph of the last h, and how many the "
        "graph of its derivative? Write two numbers, or open a choice.",
        (5, 11),
        "A loop is one node, with the step inside of it. Its derivative is one more loop.",
        [
            Miss((300_001, 900_001), "This is a graph with all steps written out, three "
                 "operations each. A loop is one node."),
            Miss((5, 300_011), "The derivative does not write the steps out: it is a loop, too."),
            Miss((100_001, 200_001), "This is a node for each step. The loop has one for all."),
        ],
    ),
    "written out": Prediction(
        "How many operations are there after three steps, if Python runs the loop?",
        9,
        "A product, a sum and a tanh in each of three steps.",
        [
            Miss(3, "These are the operations of one step. Each step makes new ones."),
            Miss(7, "The first state is a number, but w times a number is an operation."),
            Miss(14, "Inputs and numbers are nodes, but they are no operations."),
        ],
    ),
    "calls": Prediction(
        "How often is the Python function called while ten steps run?",
        0,
        "It is called while the graph is built, with a symbol, and never while it runs.",
        [
            Miss(10, "Python would do this. `scan` builds a graph of the step, and runs that."),
            Miss(1, "That is for the building of the graph, and not for the run."),
            Miss(11, "There is no call for the states, which are computed by the graph."),
        ],
    ),
    "factor of the error": Prediction(
        "The derivative goes back k steps only. At w = 0.7, where h rests at 0.7803, by which "
        "factor does the error become smaller with each further step? An answer within "
        "10 % is right.",
        3.65,
        "Each step back multiplies by w (1 − h²) = 0.274, and 1 / 0.274 = 3.65.",
        [
            Miss(1.43, "This is 1/w. The slope of tanh, 1 − h², is a factor, too.",
                 (w * (1 - h * h), w)),
            Miss(2.56, "This is 1/(1 − h²). The weight w is a factor, too.",
                 (w * (1 - h * h), 1 - h * h)),
            Miss(10, "The table gives one digit in two steps, and not one in each."),
        ],
        within=0.1,
    ),
}  # fmt: skip
