"""What may be said of numbers of which something is proved: |x| is x where x ≥ 0, and so on.

These rules take nothing for granted in any mode: a fact is declared, or follows from the graph.
Where the right side is an answer, a nan or an underflow would make it a wrong one, so that the
proof must be exact; the others keep a nan, and hold of a 0 as well.
Letters: x an expression.
"""

from ...core.pattern import Bindings, instantiate
from ...expr import Expr
from ...library import ceil, floor, isfinite, isinf, isnan, trunc
from ...library.rounding import rint
from ...ops import abs, equal, maximum, scalar, sign
from ..engine.validate import Listed, wild
from ..facts.prover import is_provable

x = wild("x")


class Proved(Listed):
    """A rule that is used only where what it needs is proved, in any mode."""

    def holds(self, bindings: Bindings, node: Expr, mode: str) -> bool:
        return super().holds(bindings, node, mode) and self.proved(bindings)


class Exact(Listed):
    """A rule for which only an exact proof will do."""

    def proved(self, bindings: Bindings) -> bool:
        return all(
            says and is_provable(says[0], instantiate(says[1], bindings), True)
            for says in self.facts
        )


class Answer(Exact, Proved):
    """An answer to a question: only where an exact proof gives it, in any mode."""


# fmt: off
KEPT = (
    ("abs of a positive",   abs(x),         x,     x > 0),
    ("max with zero",       maximum(x, 0),  x,     x >= 0),
    ("positive or zero",    maximum(0, x),  x,     x > 0),
)
FINAL = (
    ("abs of a size",       abs(x),         x,     x >= 0),
    ("zero or more",        maximum(0, x),  x,     x >= 0),
    ("floor of a whole",    floor(x),       x,     equal(floor(x), x)),
    ("ceil of a whole",     ceil(x),        x,     equal(floor(x), x)),
    ("round of a whole",    rint(x),        x,     equal(floor(x), x)),
    ("trunc of a whole",    trunc(x),       x,     equal(floor(x), x)),
)
ANSWERS = (
    ("sign of a positive",  sign(x),        1,     x > 0),
    ("above zero",          x > 0,          True,  x > 0),
    ("not below zero",      x >= 0,         True,  x >= 0),
    ("not zero",            x != 0,         True,  x != 0),
    ("finite for sure",     isfinite(x),    True,  isfinite(x)),
    ("never inf",           isinf(x),       False, isfinite(x)),
    ("never nan",           isnan(x),       False, isfinite(x)),
)
# fmt: on
SLOPE = "the slope of a step is 0, as is that of |x| at 0; here it is 1"
RULES = [
    kind(name, left, right, needs=needs, any_dtype=True, decreases="cost", final=rows is FINAL,
         caveat=SLOPE if rows is FINAL else "")
    for kind, rows in ((Proved, KEPT), (Proved, FINAL), (Answer, ANSWERS))
    for name, left, right, needs in rows
]  # fmt: skip


def examples() -> dict[str, Expr]:
    known = scalar("p", positive=True, finite=True, integer=True)
    return {rule.name: instantiate(rule.left, {"x": known}) for rule in RULES}
