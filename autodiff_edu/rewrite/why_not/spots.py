"""The spot at which a pattern and a graph differ: the furthest partial match.

    log(x) + log(y)   at   log(a) + sin(b):   "log" fits, "x" fits, and then sin stands for log

The parts of a pattern are numbered as the matcher asks for them. A pattern of which only the first
k parts are left, with blanks for the rest, is a pattern again, and the matcher of the engine says
whether it fits. The spot is the last part of the shortest one that does not fit.
"""

from functools import lru_cache
from itertools import count
from typing import NamedTuple

from ...core.pattern import Matcher, matcher
from ...core.rule import Rule
from ...expr import UNTYPED, Constant, Expr, Literal, Wild, shorten, text

LONGEST = 70  # letters of a formula in a sentence
Path = tuple[int, ...]  # the place of an operand, from the root down


class Spot(NamedTuple):
    """The first part of a pattern that does not fit, and the node that stands there. So many parts
    before it fit, of so many."""

    pattern: Expr
    part: Expr
    node: Expr
    place: Path
    fits: int
    size: int


def furthest(rule: Rule, n: Expr) -> Spot | None:
    """The spot of the variant that fits furthest; None where one of them matches."""
    spots = [spot(pattern, n) for pattern in rule.variants]
    misses = [s for s in spots if s is not None]
    return max(misses, key=lambda s: s.fits) if len(misses) == len(spots) else None


def spot(pattern: Expr, n: Expr) -> Spot | None:
    """The spot of one pattern, and None if it matches."""
    places = parts(pattern)
    for k, (place, part) in enumerate(places):
        if not beginning(pattern, k + 1)(n, {}):
            return Spot(pattern, part, at(n, place), place, k, len(places))
    return None


@lru_cache(10_000)  # each node of a graph is asked about the patterns of all rules
def beginning(pattern: Expr, many: int) -> Matcher:
    """The matcher of its first parts."""
    return matcher(first_parts(pattern, many))


@lru_cache(10_000)
def parts(p: Expr) -> list[tuple[Path, Expr]]:
    """The parts of a pattern, each before its operands, from left to right."""
    below = [((k, *place), part) for k, i in enumerate(p.inputs) for place, part in parts(i)]
    return [((), p), *below]


def first_parts(pattern: Expr, many: int) -> Expr:
    """The pattern with blanks for all but its first parts."""
    blanks, turn = count(), count()

    def cut(p: Expr) -> Expr:
        if next(turn) >= many:
            return Wild(f"blank {next(blanks)}")
        if p.op is None:
            return p
        return Expr(p.op, tuple(map(cut, p.inputs)), p.static, UNTYPED)

    return cut(pattern)


def at(n: Expr, place: Path) -> Expr:
    for k in place:
        n = n.inputs[k]
    return n


# ---- in words


def brief(n: Expr) -> str:
    """The formula, shortened so that a sentence with it can still be read."""
    return shorten(text(n), LONGEST)


def asks(s: Spot) -> str:
    """The sentence that compares the pattern with the graph at the spot."""
    return f"The pattern asks for {demand(s)}, and the graph has {brief(s.node)} there."


def demand(s: Spot) -> str:
    part = s.part
    if isinstance(part, Wild):
        number = part.constant and not isinstance(s.node, Constant)
        return f"a number for {part.name}" if number else f"{part.name} once more, the same node"
    if isinstance(part, Literal) or isinstance(part, Constant) and not part.exact:
        return f"the {'array' if getattr(part.value, 'ndim', 0) else 'number'} {part.value}"
    if isinstance(part, Constant):
        return "the exact zero of differentiation"
    other = "other parameters of " if part.op is s.node.op else ""
    return f"{other}{part.op}, as in {text(part)}"
