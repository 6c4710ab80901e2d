"""Stabilisation of lengths: the logarithm of one, and what is divided by it.

Letters: x an expression, a axes, k keepdims.
"""

from ....expr import Expr, later
from ....library.norms import norm2
from ....ops import divide, exp, log, square, sum
from ...algebra.identities import spread_of
from ...algebra.monomial import Monomial
from ...algebra.named_quotients import SPREADS, has_name
from ...algebra.reading import DEPTH_LIMIT
from ...algebra.writing import raised
from ...engine.rule_table import table
from ...engine.validate import wild
from ..shapes import node_of
from .quotients import Divided, Way
from .roots import OVER

x = wild("x")
a, k = wild("a k")

length = node_of(norm2, x, axis=a, keepdims=k)


def is_no_exp(x: Expr) -> bool:
    """The square of an exponential is one."""
    return x.op is not exp


def is_factor(x: Expr, n: Expr) -> bool:
    """Is x over one of its lengths, or in another quotient with a name, a factor already?"""
    stack = [n]
    while stack:
        m = stack.pop()
        if m.op is divide and m.inputs[0] is x and has_name(x, m.inputs[1]):
            return True
        stack += m.inputs if m.op in Divided.inner and len(stack) < DEPTH_LIMIT else ()
    return False


class OverLength(Divided):
    """s / ‖x‖ · x is s · (x / ‖x‖): the quotient alone is of moderate size."""

    parts = frozenset((norm2, divide, *SPREADS))
    functions = frozenset((norm2,))
    divisors = frozenset((norm2, *SPREADS))

    def way(self, d: Expr, found: Monomial, n: Expr) -> Way | None:
        length, _ = spread_of(d)
        if length.op is not norm2:
            return None
        (x,) = length.inputs
        times = min(found.powers.get(x, 0), -found.powers[d])
        if times < 1 or is_factor(x, n) or (x / d).type is not x.type:
            return None
        return {x: times, d: -times}, raised(x / d, times, n.dtype)


# fmt: off
RULES = table(
    "safe",
    ("log of sum of squares",
     log(node_of(sum, square(x), axis=a, keepdims=k)),  2 * log(length), OVER),
    when=is_no_exp, phase="stabilise", decreases="unstable",
) + [
    OverLength("over its length", "s/‖x‖ may overflow, or underflow, where x/‖x‖ does not"),
]
# fmt: on


def examples() -> dict[str, Expr]:
    from ..letters import A, v, x

    return {
        "log of sum of squares": log(sum(square(A), axis=0)),
        "over its length": x / norm2(v) * v,
    }


# rules that were stored before look for these here
MOVED = {"rules.stable.roots": "root_of_mean is_vector"}
__getattr__, _ = later(__name__.partition(".rewrite.")[0] + ".rewrite", MOVED)
