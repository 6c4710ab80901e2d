"""Task 1. A formula is a graph of nodes. To write it down computes nothing."""


class Node:
    """One step of a formula. Two nodes are equal only if they are the same object.

    op        "input", "constant", or one of: add sub mul div neg exp log sin cos
    operands  a tuple of nodes, in the order of the formula; empty for inputs and constants
    value     the name of an input, the number of a constant, None for everything else
    """

    __array_ufunc__ = None  # NumPy leaves `array - node` to our __rsub__

    def __init__(self, op, operands=(), value=None):
        self.op, self.operands, self.value = op, operands, value

    def __repr__(self):
        return f"Node({self.op})" if self.value is None else f"Node({self.op} {self.value})"

    # Write `-x`, and `+ - * /` with a Node on the left, on the right, or on both sides:
    # __neg__, __add__, __radd__, __sub__, __rsub__, __mul__, __rmul__, __truediv__, __rtruediv__.
    # Python calls x.__rsub__(2) for `2 - x`. Each of them is one call of `apply`, below.
    ### BEGIN SOLUTION
    def __neg__(self):
        return apply("neg", self)

    def __add__(self, other):
        return apply("add", self, other)

    def __sub__(self, other):
        return apply("sub", self, other)

    def __mul__(self, other):
        return apply("mul", self, other)

    def __truediv__(self, other):
        return apply("div", self, other)

    def __radd__(self, other):
        return apply("add", other, self)

    def __rsub__(self, other):
        return apply("sub", other, self)

    def __rmul__(self, other):
        return apply("mul", other, self)

    def __rtruediv__(self, other):
        return apply("div", other, self)

    ### END SOLUTION


def variable(name):
    """An input of the formula."""
    return Node("input", (), name)


def constant(value):
    """A number in the formula."""
    return Node("constant", (), value)


def apply(op, *operands):
    """A new node: this operation of these operands. A number becomes the node of a constant."""
    ### BEGIN SOLUTION
    nodes = (x if isinstance(x, Node) else constant(x) for x in operands)
    return Node(op, tuple(nodes))
    ### END SOLUTION


def exp(x):
    return apply("exp", x)


def log(x):
    return apply("log", x)


def sin(x):
    return apply("sin", x)


def cos(x):
    return apply("cos", x)
