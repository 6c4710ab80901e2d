"""Stabilisation of roots: √(x² + y²) and √Σx² as operations that scale.

    √(1 + x²)               → hypot(x, 1)
    √(1 + x²) / (1 + x²)      stays

Where x² is inf, 1/√(1 + x²) − x·x/(1 + x²)/√(1 + x²) is 0 − 0, and one root that is mended alone
makes 1/x − 0 of it. So these rules are used where nothing else is computed from the squares. A
logarithm is mended everywhere: beside 1/log(1 + e^x) all that is divided by e^x is 0 indeed.

Letters: x y expressions, a axes, k keepdims, m what is computed on the way to a root n.
"""

from collections.abc import Iterator
from typing import Any

from ....core.pattern import Bindings
from ....expr import Expr
from ....library import hypot
from ....library.norms import norm2
from ....ops import matmul, mean, sqrt, square, sum
from ...engine.match_context import MatchContext
from ...engine.validate import Listed, wild
from ..shapes import node_of
from .softmax import count

x, y = wild("x y")
a, k = wild("a k")
SQUARES = "x² may overflow"
OVER = "x² may overflow, or underflow"
length = node_of(norm2, x, axis=a, keepdims=k)


class Root(Listed):
    """A root of squares, which alone uses them."""

    def __init__(self, name: str, left: Expr, right: Any, caveat: str, when: Any = None):
        super().__init__(name, left, right, "safe", when, caveat=caveat, phase="stabilise")

    def matches(self, node: Expr, context: MatchContext) -> Iterator[Bindings]:
        """Those of the equation, if nothing else uses what may overflow."""
        for bindings in super().matches(node, context):
            if not any(is_used(m, context) for m in on_the_way(node, bindings)):
                yield bindings

    def obstacle(self, n: Expr, context: MatchContext) -> str:
        """What else uses the squares, or that there are none."""
        for bindings in super().matches(n, context):
            for m in on_the_way(n, bindings):
                if is_used(m, context):
                    return f"Something else uses {m}, too, and it could overflow there still."
        return "The rule looks for a root of squares. Nothing like that is here."


def on_the_way(n: Expr, bindings: Bindings) -> Iterator[Expr]:
    """What a pattern matched between n and its wildcards."""
    ends, stack = {*bindings.values()}, [*n.inputs]
    while stack:
        m = stack.pop()
        if m.op is not None and m not in ends:
            yield m
            stack += m.inputs


def is_used(m: Expr, context: MatchContext) -> bool:
    """Is anything else computed from m? It may be a result."""
    results = len([root for root in context.roots if context.final.get(root, root) is m])
    return not context.uses.once(m) and context.uses.count[m] > 1 + results


def root_of_mean(x: Expr, a: tuple[int, ...], k: bool) -> Expr | None:
    n = count(x, a)
    return None if n is None else norm2(x, axis=a, keepdims=k) / sqrt(n)


def is_vector(x: Expr) -> bool:
    return x.ndim == 1


# fmt: off
RULES = [
    Root("hypot",               sqrt(square(x) + square(y)),                  hypot(x, y), SQUARES),
    Root("hypot with one",      sqrt(square(x) + 1),                          hypot(x, 1), SQUARES),
    Root("length",              sqrt(node_of(sum, square(x), axis=a, keepdims=k)),   length, OVER),
    Root("root of mean square", sqrt(node_of(mean, square(x), axis=a, keepdims=k)),
         root_of_mean, OVER),
    Root("length of vector",    sqrt(matmul(x, x)),                    norm2(x), OVER, is_vector),
]
# fmt: on


def examples() -> dict[str, Expr]:
    from ..letters import A, v

    return {
        "length": sqrt(sum(square(A), axis=0)),
        "root of mean square": sqrt(mean(square(A), axis=0)),
        "length of vector": sqrt(matmul(v, v)),
    }
