"""Why a node was not made shorter: the rules that came nearest, as text for the card of its part.

Each question asks the simplification again, and so only small graphs have the answers with them.
"""

from collections.abc import Collection, Mapping
from typing import Any

from ...expr import Expr, Rewriting
from ..diagram.escape import shorten

MOST = 16  # operations of the result, of which each is asked about
LONG = 240  # letters of a line

Misses = dict[str, list[list[str]]]


def misses(short: Rewriting, home: Mapping[Expr, str], parts: Collection[str]) -> Misses | None:
    """For each part the rules that came nearest, each with its sentences; None of a graph that is
    too large."""
    why_not: Any = getattr(short, "why_not", None)
    nodes = [n for n in short.graph.order if n.op is not None]
    if why_not is None or len(nodes) > MOST:
        return None
    asked = {home[n]: why_not(None, n).answers for n in nodes if home.get(n) in parts}
    return {p: [[a.rule.name, *(shorten(line, LONG) for line in a.lines)] for a in answers]
            for p, answers in asked.items() if answers}  # fmt: skip
