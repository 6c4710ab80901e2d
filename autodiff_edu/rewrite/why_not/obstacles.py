"""The words of rules that find nothing to do at a node.

A rule that is a class has words for the parts for which it looks, `seeks`, or a method
`obstacle(node, context)`, which gives a sentence. The rules that collect have theirs here, in the
words of their own reading.
"""

from collections.abc import Iterable
from functools import singledispatch
from typing import Any

from ...expr import Expr, text
from ..algebra.polynomial import Polynomial, with_common_factors
from ..algebra.product import CollectPowers
from ..algebra.reading import whole
from ..algebra.sum import CollectTerms, summands
from ..engine.match_context import MatchContext

FEW = 4  # parts that are named
UNSAID = "The rule looked at the node and at what is below it, and found nothing to write anew."


def obstacle(rule: Any, n: Expr, context: MatchContext) -> str:
    """A sentence about the parts for which the rule looks, and those of this node."""
    if n.op not in rule.replaces:
        return f"The rule rewrites {in_a_row(rule.replaces)}, and this node is {n.op}."
    own = getattr(rule, "obstacle", None)
    return own(n, context) if own is not None else search(rule, n, context)


@singledispatch
def search(rule: Any, n: Expr, context: MatchContext) -> str:
    """The sentence of a rule that names in a few words the parts for which it looks."""
    seeks = getattr(rule, "seeks", None)
    return f"The rule looks for {seeks}. Nothing like that is here." if seeks else UNSAID


@search.register
def search_for_terms(rule: CollectTerms, n: Expr, context: MatchContext) -> str:
    terms = (m for m, _ in summands(n, context))
    return f"It adds up terms that are alike. The terms are {in_a_row(terms)}."


@search.register
def search_for_powers(rule: CollectPowers, n: Expr, context: MatchContext) -> str:
    bases = whole(n, context.mode).powers
    return f"It collects a factor that a product has twice. The factors are {in_a_row(bases)}."


@search.register
def search_for_factors(rule: Polynomial, n: Expr, context: MatchContext) -> str:
    if rule.ways is with_common_factors:
        terms = (m for m, _ in summands(n, context))
        return f"It takes out a factor of two terms or more. The terms are {in_a_row(terms)}."
    return "It opens brackets where fewer operations remain, and finds no such bracket."


def in_a_row(parts: Iterable[Any]) -> str:
    """The first few, with commas between."""
    row = [text(e) if isinstance(e, Expr) else str(e) for e in dict.fromkeys(parts)]
    return ", ".join(row[:FEW]) + (", …" if len(row) > FEW else "")
