"""The measure that rewriting lowers, so that it comes to an end.

It has four components, compared like words in a dictionary: how much is unstable, what the
operations cost, how many nodes they are, how much stands out of its usual order. Each rule names
the one that it lowers; those before that one stay as they are, or fall.
"""

from math import prod
from typing import Any

from ...expr import Constant, Expr
from ...ops import OPS, matmul

MEASURE = ("unstable", "cost", "nodes", "order")

FREE = frozenset(("length",))  # bookkeeping that counts as no operation
PLAIN = frozenset(
    "add subtract multiply negative square abs maximum minimum where sign cast less less_equal "
    "greater greater_equal equal not_equal logical_and logical_or logical_not".split()
)
SLOW = {"divide": 2, "reciprocal": 2, "sqrt": 2}
OTHER, PRODUCT = 4, 2  # any other function; each term of a product of arrays
SEVERAL = {"norm2": 3}  # for each entry of any other operation
OF_MATRIX = {"inv": 3, "pinv": 9}  # how often n³ for an n by n matrix; 1 for any other function
MANY = 10  # what an unknown length counts as


def weight(n: Expr) -> int:
    """What one operation costs, in additions; 0 where numbers are only moved."""
    op = n.op
    if op.elementwise:
        unit = 1 if op.name in PLAIN else multiplications(n) or SLOW.get(op.name, OTHER)
        return unit if not n.type.shape else unit * entries(n.type)
    if op.view or op.name in FREE:
        return 0
    if op is matmul:
        return PRODUCT * entries(n.type) * length(n.inputs[0].type.shape[-1])
    if op is OPS.get("contract"):
        return PRODUCT * terms(n)
    if getattr(op, "core", None):
        return OF_MATRIX.get(op.name, 1) * entries(n.inputs[0].type) * shortest(n.inputs[0])
    return SEVERAL.get(op.name, 1) * max([1, *[entries(i.type) for i in n.inputs]])


def terms(n: Expr) -> int:
    """The number of products that an einsum adds up."""
    names = dict(n.static)["subscripts"].partition("->")[0].split(",")
    axes = zip(names, n.inputs, strict=True)
    return prod({c: length(m) for word, i in axes for c, m in zip(word, i.type.shape)}.values())


def shortest(x: Expr) -> int:
    return min(map(length, x.type.shape[-2:]), default=1)


def entries(t: Any) -> int:
    return prod(map(length, getattr(t, "shape", ())))


def length(n: int | None) -> int:
    return MANY if n is None else n


def multiplications(n: Expr) -> int:
    """How many make up a power with a whole exponent, by squaring; 0 for any other."""
    if n.op.name != "power" or not isinstance(n.inputs[1], Constant):
        return 0
    e = n.inputs[1].value
    if e.ndim or not float(e).is_integer():
        return 0
    if 0 <= e <= 1:
        return 1
    k = int(abs(e))
    return k.bit_length() + k.bit_count() - 2 + 3 * int(e < 0)
