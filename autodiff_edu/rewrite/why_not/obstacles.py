"""The words of rules that find nothing to do at a node.

A rule that is a class may have a method `obstacle(node, context)`, which gives a sentence. The
engine's own have theirs here: those that collect in the words of their own reading, the others in
words for the parts for which they look.
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
SEEKS = {  # by classes of rules
    "LinearOfNothing": "an operation that is linear, with exact zeros of differentiation as all "
        "its operands",
    "Outward": "an operand that is spread to a larger shape before the operation, though it "
        "is the same everywhere",
    "InFront": "an operand that loses axes in front, which the other operand puts back",
    "ExactDivision": "two sums of which one divides the other without a remainder",
    "SlopeOfShift": "a slope through the largest entries, which are subtracted again",
    "SumOfDeviations": "a sum of differences from a mean, which is always zero",
    "OverLength": "a vector times something that is divided by its length",
    "OverProduct": "the product of all other numbers, divided by the product of all",
    "LogOfWeighted": "a weighted sum of exponentials under a logarithm",
    "Share": "an exponential, divided by a sum in which it stands",
    "LogOfSigned": "a sum of exponentials with factors of any sign, under a logarithm",
    "ShareOfSigned": "an exponential, divided by a sum with factors of any sign in which it stands",
    "UnderNewAxes": "a quotient by a sum of exponentials, which then gets new axes",
    "SharesTimesVector": "a matrix of exponentials, times a vector that is divided by their sums",
    "OverItself": "a sum of exponentials with factors, divided by the same sum",
    "MeetInSum": "two terms with the same factors, one of which has the function of this rule "
        "as one more",
    "Pair": "two factors of one product that some rule joins, as a function and its own slope",
}  # fmt: skip
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
    seeks = SEEKS.get(type(rule).__name__)
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
