"""Which operations of a program of single numbers stand in the line of the one that uses them.

A name for each result costs a tenth of the time. So an operation without a name of the user's, of
which one other operation makes use, stands in that one's line, as long as the line stays short:

v1 = x * x
v2 = sin(v1) + 3.0 * v1
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain

from ...expr import Expr
from ..plan import Plan

WIDEST = 4  # operations in a line


def inlined(plan: Plan, forms: Mapping[Expr, str], asked: Iterable[Expr]) -> dict[Expr, Expr]:
    """The operations that stand in another's line, with that other one. Each has a form, the text
    of the operation; those that are asked keep their lines."""
    uses = Counter(chain(plan.graph.outputs, *[n.inputs for n in plan.order]))
    alone = {*plan.graph.outputs, *asked}
    free = {n for n in plan.order if uses[n] == 1 and not n.name and forms[n]} - alone
    found: dict[Expr, Expr] = {}
    width = dict.fromkeys(plan.order, 1)  # how many operations stand in the line of each
    for n in plan.order:
        for k, i in enumerate(n.inputs):
            if i in free and width[n] + width[i] <= WIDEST and forms[n].count(f"{{{k}}}") == 1:
                found[i] = n
                width[n] += width[i]
    return found


def bracketed(text: str, inner: str, outer: str, k: int) -> str:
    """The text of an operand, in brackets where it needs them or is read more easily with them;
    `inner` and `outer` are the forms of the two, and k is the operand's place."""
    if inner.endswith(")") or is_call(outer):
        return text
    product = " * " in inner or " / " in inner
    first = k == 0 and inner in ("{0} + {1}", "{0} - {1}")
    plain = outer in ("{0} + {1}", "{0} - {1}") and (product or first)
    return text if plain else f"({text})"


def is_call(form: str) -> bool:
    """Is it one call, whose brackets hold the operands?"""
    name, _, rest = form.partition("(")
    return name.isidentifier() and rest.endswith(")")
