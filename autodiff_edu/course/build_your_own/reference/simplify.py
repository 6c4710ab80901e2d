"""Task 5. Shorter formulas with the same value, at nan and infinity too."""

import numpy as np

from .graph import evaluate, order
from .node import Node, constant


def simplify(y):
    """A formula that has the value of y wherever its inputs are, and never more nodes than y.

    Operations of constants become one constant. Each of these becomes x:
    x + 0, 0 + x, x - 0, x * 1, 1 * x, x / 1, -(-x). What an operand becomes may make its user
    shorter: go through `order(y)`. A node that two others share stays one node.
    """
    ### BEGIN SOLUTION
    short = {}
    for node in order(y):
        operands = tuple(short[x] for x in node.operands)
        short[node] = shorter(Node(node.op, operands) if operands else node)
    return short[y]
    ### END SOLUTION


def shorter(node):
    """One node whose operands are already short: a shorter one, or the node as it is."""
    ### BEGIN SOLUTION
    if node.operands and all(x.op == "constant" for x in node.operands):
        return constant(evaluate(node, {}))
    match node.op, *node.operands:
        case "add" | "sub", x, y if is_number(y, 0):
            return x
        case "add", x, y if is_number(x, 0):
            return y
        case "mul" | "div", x, y if is_number(y, 1):
            return x
        case "mul", x, y if is_number(x, 1):
            return y
        case "neg", x if x.op == "neg":
            return x.operands[0]
    return node
    ### END SOLUTION


def is_number(node, number):
    """Is this node the constant `number`, and no array?"""
    return node.op == "constant" and np.ndim(node.value) == 0 and node.value == number
