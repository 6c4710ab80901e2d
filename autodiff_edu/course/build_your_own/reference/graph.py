"""Task 2. The order in which a formula can be computed, and its value."""

import numpy as np

VALUES = {  # how each operation computes its value from those of its operands
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "cos": np.cos,
}


def order(y):
    """A list of y and of all nodes below it: each once, and operands before what uses them.

    A formula may be a chain of 100,000 operations: use a list as a stack, and no recursion.
    """
    ### BEGIN SOLUTION
    placed, stack = {}, [y]
    while stack:
        waiting = [x for x in stack[-1].operands if x not in placed]
        stack.extend(waiting)
        if not waiting:
            placed[stack.pop()] = True
    return list(placed)  # a dict keeps the order in which its keys came
    ### END SOLUTION


def values(y, at):
    """A dict from every node of `order(y)` to its value. `at` is a dict from inputs to numbers.

    Take the functions from VALUES, and call one function once for each node.
    """
    ### BEGIN SOLUTION
    value = {}
    for node in order(y):
        if node.op == "input":
            value[node] = at[node]
        elif node.op == "constant":
            value[node] = node.value
        else:
            value[node] = VALUES[node.op](*[value[x] for x in node.operands])
    return value
    ### END SOLUTION


def evaluate(y, at):
    """The value of y."""
    return values(y, at)[y]
