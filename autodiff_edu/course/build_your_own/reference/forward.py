"""Task 3. Forward mode: every value has a tangent, and both go from the inputs to the result."""

import numpy as np

from .graph import order, values

# PUSH has a rule for each operation: from the values and the tangents of its operands to the
# tangent of its result. For x * y it is a function of x, y, dx, dy. Write all nine:
# PUSH = {"add": lambda x, y, dx, dy: dx + dy, "sub": ..., "neg": lambda x, dx: -dx, "exp": ...}
### BEGIN SOLUTION
PUSH = {
    "add": lambda x, y, dx, dy: dx + dy,
    "sub": lambda x, y, dx, dy: dx - dy,
    "mul": lambda x, y, dx, dy: dx * y + x * dy,
    "div": lambda x, y, dx, dy: (dx * y - x * dy) / (y * y),
    "neg": lambda x, dx: -dx,
    "exp": lambda x, dx: np.exp(x) * dx,
    "log": lambda x, dx: dx / x,
    "sin": lambda x, dx: np.cos(x) * dx,
    "cos": lambda x, dx: -np.sin(x) * dx,
}
### END SOLUTION


def forward(y, at, direction):
    """A dict from every node of `order(y)` to the pair (value, tangent): both columns of a table.

    `at` is a dict from inputs to values, and `direction` one from inputs to tangents. An input that
    `direction` does not have stays where it is: its tangent is 0.0.
    """
    ### BEGIN SOLUTION
    value, tangent = values(y, at), {}
    for node in order(y):
        if node.operands:
            given = [known[x] for known in (value, tangent) for x in node.operands]
            tangent[node] = PUSH[node.op](*given)
        else:
            tangent[node] = direction.get(node, 0.0)
    return {node: (value[node], tangent[node]) for node in tangent}
    ### END SOLUTION
