"""Task 7. The same engine for arrays: new operations, and adjoints that fit their operands."""

import numpy as np

from .graph import VALUES
from .node import apply
from .reverse import PULL


def matmul(a, b):
    """The product of two matrices."""
    return apply("matmul", a, b)


def transpose(a):
    """Rows become columns."""
    return apply("transpose", a)


def total(x):
    """The sum of all entries."""
    return apply("sum", x)


def broadcast(x, like):
    """x, repeated to the shape of `like`."""
    return apply("broadcast", x, like)


def unbroadcast(x, like):
    """x, summed to the shape of `like`: what broadcasting repeated is added up."""
    return apply("unbroadcast", x, like)


def zeros(like):
    """Zeros, in the shape of `like`."""
    return apply("zeros", like)


def summed(x, like):
    """The array x, summed to the shape of the array `like`. This is the value of `unbroadcast`.

    Axes that `like` does not have stand on the left. Where `like` has the length 1, it stays 1.
    """
    ### BEGIN SOLUTION
    x = np.sum(x, axis=tuple(range(np.ndim(x) - np.ndim(like))))
    ones = tuple(k for k, length in enumerate(np.shape(like)) if length == 1)
    return np.sum(x, axis=ones, keepdims=True)
    ### END SOLUTION


VALUES.update(
    matmul=np.matmul,
    transpose=np.transpose,
    sum=np.sum,
    broadcast=lambda x, like: np.broadcast_to(x, np.shape(like)),
    unbroadcast=summed,
    zeros=np.zeros_like,
)


def fitting(rule):
    """A rule for numbers becomes one for arrays: each part gets the shape of its operand."""
    ### BEGIN SOLUTION
    return lambda ct, v, *xs: [unbroadcast(part, x) for part, x in zip(rule(ct, v, *xs), xs)]
    ### END SOLUTION


for op in ("add", "sub", "mul", "div"):
    PULL[op] = fitting(PULL[op])

# What is the adjoint of each operand of the six new operations? Here are three:
PULL["broadcast"] = lambda ct, v, x, like: (unbroadcast(ct, x), zeros(like))
PULL["unbroadcast"] = lambda ct, v, x, like: (broadcast(ct, x), zeros(like))
PULL["zeros"] = lambda ct, v, like: (zeros(like),)
# Write those of "matmul", "transpose" and "sum".
### BEGIN SOLUTION
PULL["matmul"] = lambda ct, v, a, b: (matmul(ct, transpose(b)), matmul(transpose(a), ct))
PULL["transpose"] = lambda ct, v, a: (transpose(ct),)
PULL["sum"] = lambda ct, v, x: (broadcast(ct, x),)
### END SOLUTION
