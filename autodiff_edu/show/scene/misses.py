"""Why a node was not made shorter: the rules that came nearest, as text for the card of its part.

Each question asks the simplification again, and so only small graphs have the answers with them.
"""

from collections.abc import Collection, Mapping, Sequence

from ...expr import HOOKS, Expr, Rewriting, shorten
from ...rewrite import Simplification
from ...rewrite.why_not.answers import Answer

MOST = 16  # operations of the result, of which each is asked about
LONG = 240  # letters of a line

Misses = dict[str, list[list[str]]]


def misses(short: Rewriting, home: Mapping[Expr, str], parts: Collection[str]) -> Misses | None:
    """For each part the rules that came nearest, each with its sentences; None of a graph that is
    too large."""
    nodes = [n for n in short.graph.order if n.op is not None and home.get(n) in parts]
    if not isinstance(short, Simplification) or len(nodes) > MOST:
        return None
    answers = {home[n]: HOOKS["why_not"](short, None, n).answers for n in nodes}
    return {p: sentences(several) for p, several in answers.items() if several}


def sentences(answers: Sequence[Answer]) -> list[list[str]]:
    """The names of rules and the sentences that they share."""
    rules: dict[tuple[str, ...], list[str]] = {}
    for answer in answers:
        lines = tuple([shorten(line, LONG) for line in answer.lines])
        rules.setdefault(lines, []).append(answer.rule.name)
    return [[", ".join(names), *lines] for lines, names in rules.items()]
