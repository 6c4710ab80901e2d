"""What can be proved of an expression's value, from declared facts and from the graph.

    proof(exp(x) + y**2 > 0)     ()               it holds whatever x and y are
    proof(p * exp(x) > 0)        (p > 0,)         it rests on what was declared of p
    proof(x > 0)                 None             there is no proof

A proof looks a few operations deep, and speaks of numbers: a nan has no sign.
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


def proof(condition: Expr) -> tuple[Expr, ...] | None:
    """The declared facts on which the condition rests, or None where it is not proved."""
    proving, stated = Proving(), said(condition)
    return tuple(proving.rests) if stated and proving(*stated) else None


def said(condition: Expr) -> tuple[str, Expr] | None:
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


def known(fact: str, x: Expr) -> bool:
    """Can the fact be proved of x?"""
    return Proving()(fact, x)


# ---- proving


class Proving:
    """One search for a proof; `rests` holds the declared facts that it has met."""

    def __init__(self) -> None:
        self.rests: list[Expr] = []
        self.depth = DEEP

    def __call__(self, fact: str, *those: Expr) -> bool:
        """Does the fact hold of all of those?"""
        return all(self.each(fact, x) for x in those)

    def each(self, fact: str, x: Expr) -> bool:
        if x.op is None:
            return self.leaf(fact, x)
        if x.type.is_float or fact not in OF_DTYPE.get(x.dtype.kind, ()):
            return any(self.by_op(f, how, x) for f, how in HOW[fact].get(x.op, ()))
        return True

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


def every(p: Proving, fact: str, *those: Expr) -> bool:
    return p(fact, *those)


def passed(p: Proving, fact: str, x: Expr, *_: Expr) -> bool:
    return p(fact, x)


def branches(p: Proving, fact: str, _: Expr, x: Expr, y: Expr) -> bool:
    return p(fact, x, y)


def a_sum(p: Proving, fact: str, x: Expr, y: Expr) -> bool:
    """Of numbers without minus signs, one of which is above 0."""
    return p("nonnegative", x, y) and (p("positive", x) or p("positive", y))


def a_product(p: Proving, fact: str, x: Expr, y: Expr) -> bool:
    return x is y or p(fact, x, y)


def even(p: Proving, fact: str, x: Expr, e: Expr) -> bool:
    whole = isinstance(e, Constant) and not e.ndim and e.value % 2 == 0
    return bool(whole) or p("nonnegative", x)


def of_nonzero(p: Proving, fact: str, x: Expr) -> bool:
    return p("nonzero", x)


def one_of(p: Proving, fact: str, x: Expr, y: Expr) -> bool:
    return p(fact, x) or p(fact, y)


def rows(**facts: Any) -> dict[str, Callable[..., bool]]:
    """Operation → how its operands prove the fact, from names that share one way."""
    ways = {name: WAYS[way] for way, names in facts.items() for name in names.split()}
    return ways


WAYS = {
    "always": always, "every": every, "passed": passed, "branches": branches, "a_sum": a_sum,
    "a_product": a_product, "even": even, "of_nonzero": of_nonzero, "one_of": one_of,
}  # fmt: skip
OF_DTYPE = {
    "b": ("finite", "integer", "nonnegative"), "u": ("finite", "integer", "nonnegative"),
    "i": ("finite", "integer"),
}  # fmt: skip
MOVES = frozenset("broadcast_to reshape transpose expand_dims squeeze index max min".split())
TABLE = {
    "positive": rows(
        always="exp exp2 cosh sigmoid softplus softmax",
        every="multiply divide minimum",
        one_of="maximum", a_sum="add", branches="where", of_nonzero="square abs",
        passed="sqrt reciprocal sum mean product power",
    ),
    "nonnegative": rows(
        always="square abs norm2 erfc",
        every="add divide minimum",
        one_of="maximum", a_product="multiply", branches="where", even="power",
        passed="sqrt sum mean product cast",
    ),
    "nonzero": rows(
        every="multiply", branches="where",
        passed="negative abs square sign divide power",
    ),
    "finite": rows(
        always="sin cos tanh sigmoid softmax erf erfc sign arctan",
        every="maximum minimum", branches="where",
        passed="negative abs floor ceil rint trunc",
    ),
    "integer": rows(
        always="sign", every="add subtract multiply maximum minimum", branches="where",
        passed="negative abs square sum product cast",
    ),
}  # fmt: skip

# For each fact: operation → the facts that imply it, and how its operands prove them. An operation
# of one's own is not among them, whatever its name.
HOW: dict[str, dict[Any, list[tuple[str, Callable[..., bool]]]]] = {fact: {} for fact in TABLE}
for fact, found in HOW.items():
    for f in (fact, *IMPLIED_BY.get(fact, ())):
        for name, way in (TABLE[f] | dict.fromkeys(MOVES, passed)).items():
            found.setdefault(OPS[name], []).append((f, way))
