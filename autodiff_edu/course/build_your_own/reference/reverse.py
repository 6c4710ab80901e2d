"""Task 4. Reverse mode: adjoints go from the result to the inputs, and are formulas themselves."""

from .graph import order
from .node import constant, cos, sin

# PULL has a rule for each operation: from the adjoint of its result to one part for each operand.
# All of these are nodes. A rule is a function of the adjoint `ct`, the node `v` itself, and its
# operands; its result is a tuple with one part an operand. Write all nine:
# PULL = {"add": lambda ct, v, x, y: (ct, ct), "neg": lambda ct, v, x: (-ct,), "sub": ...}
### BEGIN SOLUTION
PULL = {
    "add": lambda ct, v, x, y: (ct, ct),
    "sub": lambda ct, v, x, y: (ct, -ct),
    "mul": lambda ct, v, x, y: (ct * y, ct * x),
    "div": lambda ct, v, x, y: (ct / y, -ct * v / y),
    "neg": lambda ct, v, x: (-ct,),
    "exp": lambda ct, v, x: (ct * v,),
    "log": lambda ct, v, x: (ct / x,),
    "sin": lambda ct, v, x: (ct * cos(x),),
    "cos": lambda ct, v, x: (-ct * sin(x),),
}
### END SOLUTION


def reverse(y, inputs, seed=None):
    """A list with one node for each of the inputs: its adjoint, as a formula.

    `seed` is the node of y's own adjoint, 1.0 if it is None. An input that y does not use has the
    adjoint 0.0. Nothing is computed: who wants numbers evaluates the formulas.
    """
    ### BEGIN SOLUTION
    adjoint = {y: constant(1.0) if seed is None else seed}
    for node in reversed(order(y)):
        if node.operands:
            parts = PULL[node.op](adjoint[node], node, *node.operands)
            for x, part in zip(node.operands, parts):
                adjoint[x] = adjoint[x] + part if x in adjoint else part
    return [adjoint.get(x, constant(0.0)) for x in inputs]
    ### END SOLUTION
