"""What can be proved of an expression's value, from declared facts and from the graph.

Each function answers True only where it has a proof, looking a few operations deep.
"""

from collections.abc import Callable

import numpy as np

from ..expr import Constant, Expr, Input
from ..ops import OPS

DEEP = 6


def nonnegative(x: Expr, depth: int = DEEP) -> bool:
    """Is the value at least 0, or nan?"""
    return positive(x, depth) or prove(x, NONNEGATIVE, "nonnegative", lambda v: v >= 0, depth)


def positive(x: Expr, depth: int = DEEP) -> bool:
    """Is the value above 0, or nan? (exp underflows to 0, but no formula can tell.)"""
    return prove(x, POSITIVE, "positive", lambda v: v > 0, depth)


def prove(n: Expr, by_op: dict, fact: str, holds: Callable, depth: int) -> bool:
    if isinstance(n, Constant):
        return bool(np.all(holds(n.value)))
    if isinstance(n, Input):
        return fact in n.facts
    stated = n.op is not None and OPS.get(n.op.name) is n.op  # a box may have any name
    known = by_op.get(n.op.name) if depth and stated else None
    return bool(known and known(*n.inputs, depth - 1))


def both(fact: Callable[..., bool]) -> Callable[..., bool]:
    return lambda x, y, d: fact(x, d) and fact(y, d)


def passed(fact: Callable[..., bool]) -> Callable[..., bool]:
    return lambda x, *rest: fact(x, rest[-1])


def always(*_: object) -> bool:
    return True


POSITIVE = {
    "exp": always,
    "cosh": always,
    "sigmoid": always,
    "softplus": always,
    "add": lambda x, y, d: (
        (positive(x, d) and nonnegative(y, d)) or (nonnegative(x, d) and positive(y, d))
    ),
    "multiply": both(positive),
    "divide": both(positive),
    "sqrt": passed(positive),
    "broadcast_to": passed(positive),
    "reshape": passed(positive),
}

NONNEGATIVE = {
    "square": always,
    "abs": always,
    "sqrt": always,
    "add": both(nonnegative),
    "multiply": lambda x, y, d: x is y or (nonnegative(x, d) and nonnegative(y, d)),
    "divide": both(nonnegative),
    "sum": passed(nonnegative),
    "mean": passed(nonnegative),
    "broadcast_to": passed(nonnegative),
    "reshape": passed(nonnegative),
}


def whole(*constants: Constant) -> bool:
    """Are these constants 0-d whole numbers?"""
    return all(not c.ndim and float(c.value).is_integer() for c in constants)
