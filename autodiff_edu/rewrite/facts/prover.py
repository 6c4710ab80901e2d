"""What can be proved of an expression's value, from declared facts and from the graph.

    proof(exp(x) + y**2 > 0)     ()               it holds whatever x and y are
    proof(p * exp(x) > 0)        (p > 0,)         it rests on what was declared of p
    proof(x > 0)                 None             there is no proof

There are two grades of proof, both of them a few operations deep. The usual one is about real
numbers: exp(x) is above 0, although in floating point it may underflow to 0, and be nan where x is.
It serves rules that turn such a 0 or nan into the true value, and those that keep a nan. An exact
proof is about what is computed, nan and inf and underflow and empty arrays included. Only such a
one may answer a question of the user's, such as exp(x) > 0, which can guard a division. Integers
wrap: of these every proof is exact.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ...expr import Constant, Expr, Literal
from ...library import floor, isfinite
from ...ops import equal, greater, greater_equal, not_equal
from ..engine import validate
from ..engine.memo import remembered

DEEP = 6

# ---- facts and the conditions that state them

HOLDS: dict[str, Callable[[Any], Any]] = {
    "positive": lambda v: v > 0,
    "nonnegative": lambda v: v >= 0,
    "nonzero": lambda v: v != 0,
    "finite": np.isfinite,
    "integer": lambda v: np.isfinite(v) & (v == np.floor(v)),
}
COMPARED = {greater: "positive", greater_equal: "nonnegative", not_equal: "nonzero"}  # with 0
IMPLIED_BY = {"nonnegative": ("positive",), "nonzero": ("positive",)}


def proof(condition: Expr, exactly: bool = False) -> tuple[Expr, ...] | None:
    """The declared facts on which the condition rests, or None where it is not proved.

    An exact proof comes first, for a rule may have asked for one.
    """
    stated = parse_fact(condition)
    for search in (Prover(True), Prover(exactly)):
        if stated and search(*stated):
            return tuple(search.rests)
    return None


def parse_fact(condition: Expr) -> tuple[str, Expr] | None:
    """The fact that a condition states, and of what: None where it states another."""
    op, inputs = condition.op, condition.inputs
    if op is isfinite:
        return "finite", inputs[0]
    if op in COMPARED and is_zero(inputs[1]):
        return COMPARED[op], inputs[0]
    if op is equal and inputs[0].op is floor and inputs[0].inputs[0] is inputs[1]:
        return "integer", inputs[1]
    return None


def is_zero(n: Expr) -> bool:
    """Is this the number 0, in a pattern or in a graph?"""
    value = n.value if isinstance(n, (Constant, Literal)) else None
    return value is not None and not np.ndim(value) and bool(value == 0)


def stated(fact: str, x: Any) -> Expr:
    """The condition that states a fact: x > 0, x >= 0, x != 0, isfinite(x), floor(x) == x."""
    if fact in ("finite", "integer"):
        return isfinite(x) if fact == "finite" else equal(floor(x), x)
    compare = next(op for op, stated in COMPARED.items() if stated == fact)
    return compare(x, 0)


def is_provable(fact: str, x: Expr, exactly: bool = False) -> bool:
    """Can the fact be proved of x, of real numbers or exactly? While a graph is simplified each
    search is made once."""
    return bool(remembered(x, search_for(fact, exactly)))


def can_follow(fact: str, pattern: Expr) -> bool:
    """Is there a graph of this pattern, of floats, of which the fact can be proved?"""
    return pattern.op is None or bool(ways(pattern.op, fact, exactly=False))


@cache
def search_for(fact: str, exactly: bool) -> Callable[[Expr], bool]:
    """A new search, for the same question each time."""
    return lambda x: Prover(exactly)(fact, x)


# ---- proving


class Prover:
    """One search for a proof; `rests` holds the declared facts that it has met."""

    def __init__(self, exactly: bool) -> None:
        self.exactly = exactly
        self.rests: list[Expr] = []
        self.depth = DEEP
        self.held: dict[tuple[str, Expr], list[Expr]] = {}  # what was proved rests on these
        self.failed: dict[tuple[str, Expr], int] = {}  # how deep the search went in vain

    def __call__(self, fact: str, *those: Expr) -> bool:
        """Does the fact hold of all of those?"""
        return all(self.one(fact, x) for x in those)

    def one(self, fact: str, x: Expr) -> bool:
        if x.op is None:
            return self.leaf(fact, x)
        if fact in OF_DTYPE.get(x.dtype.kind, ()):
            return True
        if not x.type.is_float and not x.op.picks:
            return False
        return self.search(fact, x)

    def search(self, fact: str, x: Expr) -> bool:
        """Try all ways, each question once: in a graph whose nodes are shared it is met often."""
        asked, before = (fact, x), len(self.rests)
        if asked in self.held:
            self.rests += self.held[asked]
            return True
        if self.failed.get(asked, 0) >= self.depth:
            return False
        if any(self.by_op(f, how, x) for f, how in ways(x.op, fact, self.exactly)):
            self.held[asked] = self.rests[before:]
            return True
        self.failed[asked] = self.depth
        return False

    def leaf(self, fact: str, x: Expr) -> bool:
        if isinstance(x, Constant):  # a proof of numbers knows no inf: inf / inf is nan, not 1
            number = self.exactly or np.isfinite(x.value)
            return bool(np.all(HOLDS[fact](x.value) & number))
        if fact in OF_DTYPE.get(x.dtype.kind, ()):
            return True
        given = [f for f in (fact, *IMPLIED_BY.get(fact, ())) if f in getattr(x, "facts", ())]
        self.rests += [stated(f, x) for f in given[:1]]
        return bool(given)

    def by_op(self, fact: str, how: Callable[..., bool], x: Expr) -> bool:
        if not self.depth:
            return False
        self.depth, rests = self.depth - 1, len(self.rests)
        held = how(self, fact, *x.inputs)
        self.depth += 1
        if not held:
            del self.rests[rests:]
        return held


def always(*_: Any) -> bool:
    return True


def each(p: Prover, fact: str, *those: Expr) -> bool:
    return p(fact, *those)


def first(p: Prover, fact: str, x: Expr, *_: Expr) -> bool:
    return p(fact, x)


def branches(p: Prover, fact: str, _: Expr, x: Expr, y: Expr) -> bool:
    return p(fact, x, y)


def a_sum(p: Prover, fact: str, x: Expr, y: Expr) -> bool:
    """Of numbers without minus signs, one of which is above 0."""
    return p("nonnegative", x, y) and (p("positive", x) or p("positive", y))


def a_product(p: Prover, fact: str, x: Expr, y: Expr) -> bool:
    return x is y or p(fact, x, y)


def even(p: Prover, fact: str, x: Expr, e: Expr) -> bool:
    whole = isinstance(e, Constant) and not e.ndim and e.value % 2 == 0
    return bool(whole) or p("nonnegative", x)


def of_nonzero(p: Prover, fact: str, x: Expr) -> bool:
    return p("nonzero", x)


def of_finite(p: Prover, fact: str, x: Expr) -> bool:
    return p("finite", x)


def one_of(p: Prover, fact: str, x: Expr, y: Expr) -> bool:
    """The larger of two; a nan beats both."""
    one = p(fact, x) or p(fact, y)
    return one and (not p.exactly or all(p(fact, z) or p("finite", z) for z in (x, y)))


# ---- what operations state, and when it holds

WAYS = {
    "always": always, "each": each, "first": first, "branches": branches, "sum": a_sum,
    "product": a_product, "even power": even, "nonzero": of_nonzero, "finite": of_finite,
    "one": one_of,
}  # fmt: skip
OF_DTYPE = {
    "b": ("finite", "integer", "nonnegative"), "u": ("finite", "integer", "nonnegative"),
    "i": ("finite", "integer"),
}  # fmt: skip


def check_facts(op: Any) -> None:
    """Raises ValueError for a fact, or a word for when it holds, that there is not."""
    for field, table in (("facts", op.facts), ("exact_facts", op.exact_facts)):
        rows = [("positive", table)] if isinstance(table, str) else table.items()
        for fact, when in rows:
            says = f"{op.name} states {field}={table!r}, and there is no "
            validate.one_of(f"{says}fact ", fact, HOLDS)
            validate.one_of(f"{says}word ", when, WAYS)


@cache
def ways(op: Any, fact: str, exactly: bool) -> list[tuple[str, Callable[..., bool]]]:
    """The facts of an operation's value that imply this one, and how its operands prove them."""
    check_facts(op)
    exact = op.exact_facts
    if isinstance(exact, str):
        exact = dict.fromkeys(HOLDS, exact)
    if op.facts.get("finite") == "always":  # of finite operands
        exact = {"finite": "each", **exact}
    tables = [exact] if exactly else [exact, op.facts]
    facts = (fact, *IMPLIED_BY.get(fact, ()))
    return [(f, WAYS[table[f]]) for table in tables for f in facts if f in table]
