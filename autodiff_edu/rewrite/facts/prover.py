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
from typing import Any

import numpy as np

from ...expr import Constant, Expr, Literal
from ...library import floor, isfinite
from ...ops import OPS, equal

DEEP = 6

# ---- facts and the conditions that state them

HOLDS: dict[str, Callable[[Any], Any]] = {
    "positive": lambda v: v > 0,
    "nonnegative": lambda v: v >= 0,
    "nonzero": lambda v: v != 0,
    "finite": np.isfinite,
    "integer": lambda v: np.isfinite(v) & (v == np.floor(v)),
}
STATES = {
    "greater": "positive",
    "greater_equal": "nonnegative",
    "not_equal": "nonzero",
    "isfinite": "finite",
    "equal": "integer",
}
IMPLIED_BY = {"nonnegative": ("positive",), "nonzero": ("positive",)}


def proof(condition: Expr, exactly: bool = False) -> tuple[Expr, ...] | None:
    """The declared facts on which the condition rests, or None where it is not proved.

    An exact proof comes first, for a rule may have asked for one.
    """
    stated = parse_fact(condition)
    for proving in (Prover(True), Prover(exactly)):
        if stated and proving(*stated):
            return tuple(proving.rests)
    return None


def parse_fact(condition: Expr) -> tuple[str, Expr] | None:
    """The fact that a condition states, and of what: None where it states another."""
    name, inputs = condition.op.name if condition.op is not None else "", condition.inputs
    if name == "isfinite" or (name in STATES and name != "equal" and is_zero(inputs[1])):
        return STATES[name], inputs[0]
    if name == "equal" and inputs[0].op is floor and inputs[0].inputs[0] is inputs[1]:
        return STATES[name], inputs[1]
    return None


def is_zero(n: Expr) -> bool:
    """Is this the number 0, in a pattern or in a graph?"""
    value = n.value if isinstance(n, (Constant, Literal)) else None
    return value is not None and not np.ndim(value) and bool(value == 0)


def stated(fact: str, x: Any) -> Expr:
    """The condition that states a fact: x > 0, x >= 0, x != 0, isfinite(x), floor(x) == x."""
    if fact in ("finite", "integer"):
        return isfinite(x) if fact == "finite" else equal(floor(x), x)
    compare = next(name for name, said in STATES.items() if said == fact)
    found: Expr = OPS[compare](x, 0)
    return found


def is_provable(fact: str, x: Expr, exactly: bool = False) -> bool:
    """Can the fact be proved of x, of real numbers or exactly?"""
    return Prover(exactly)(fact, x)


# ---- proving


class Prover:
    """One search for a proof; `rests` holds the declared facts that it has met."""

    def __init__(self, exactly: bool) -> None:
        self.exactly = exactly
        self.rests: list[Expr] = []
        self.depth = DEEP

    def __call__(self, fact: str, *those: Expr) -> bool:
        """Does the fact hold of all of those?"""
        return all(self.each(fact, x) for x in those)

    def each(self, fact: str, x: Expr) -> bool:
        if x.op is None:
            return self.leaf(fact, x)
        if fact in OF_DTYPE.get(x.dtype.kind, ()):
            return True
        if not x.type.is_float and x.op not in PICKS:
            return False
        tables = (EXACT,) if self.exactly else (EXACT, REAL)
        ways = [way for table in tables for way in table[fact].get(x.op, ())]
        return any(self.by_op(f, how, x) for f, how in ways)

    def leaf(self, fact: str, x: Expr) -> bool:
        if isinstance(x, Constant):
            return bool(np.all(HOLDS[fact](x.value)))
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


def every(p: Prover, fact: str, *those: Expr) -> bool:
    return p(fact, *those)


def passed(p: Prover, fact: str, x: Expr, *_: Expr) -> bool:
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


# ---- the tables: what is exact, and what more is true of real numbers

WAYS = {
    "always": always, "every": every, "passed": passed, "branches": branches, "a_sum": a_sum,
    "a_product": a_product, "even": even, "of_nonzero": of_nonzero, "of_finite": of_finite,
    "one_of": one_of,
}  # fmt: skip
OF_DTYPE = {
    "b": ("finite", "integer", "nonnegative"), "u": ("finite", "integer", "nonnegative"),
    "i": ("finite", "integer"),
}  # fmt: skip

BOUNDED = "sin cos tanh sigmoid softmax erf erfc sign arctan"
MOVES = "broadcast_to reshape transpose expand_dims squeeze index max min"
# An entry of the result is an entry of an operand, or its sign: integers cannot wrap.
PICKS = frozenset(OPS[name] for name in f"{MOVES} maximum minimum where sign".split())

Table = dict[str, dict[Any, list[tuple[str, Callable[..., bool]]]]]


def table(**facts: dict[str, str]) -> Table:
    """For each fact: operation → the facts that imply it, and how its operands prove them.

    An operation of one's own is not among them, whatever its name.
    """
    found: Table = {fact: {} for fact in facts}
    for fact, ways in found.items():
        for f in (fact, *IMPLIED_BY.get(fact, ())):
            for way, names in facts[f].items():
                for name in names.split():
                    ways.setdefault(OPS[name], []).append((f, WAYS[way]))
    return found


EXACT = table(
    positive={
        "passed": f"{MOVES} sqrt", "every": "minimum", "one_of": "maximum", "a_sum": "add",
        "branches": "where",
    },
    nonnegative={
        "passed": f"{MOVES} sqrt sum cast", "every": "add minimum", "one_of": "maximum",
        "branches": "where", "of_finite": "square abs norm2 erfc",
    },
    nonzero={"passed": f"{MOVES} negative abs sign", "branches": "where"},
    finite={
        "passed": f"{MOVES} {BOUNDED} negative abs floor ceil rint trunc",
        "every": "maximum minimum", "branches": "where",
    },
    integer={
        "passed": f"{MOVES} negative abs sign", "every": "maximum minimum", "branches": "where",
    },
)  # fmt: skip
REAL = table(
    positive={
        "always": "exp exp2 cosh sigmoid softplus softmax", "every": "multiply divide",
        "of_nonzero": "square abs", "passed": "reciprocal sum mean product power",
    },
    nonnegative={
        "always": "square abs norm2 erfc", "every": "divide", "a_product": "multiply",
        "even": "power", "passed": "mean product",
    },
    nonzero={"every": "multiply", "passed": "square divide power"},
    finite={"always": BOUNDED},
    integer={
        "always": "sign", "every": "add subtract multiply", "passed": "square sum product cast",
    },
)  # fmt: skip
