"""Matching: a pattern, which is an expression with wildcards, compiled into a function.

What can be seen of an operand at a glance, its head, tells which patterns are worth trying.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Set
from itertools import product
from operator import itemgetter
from typing import Any, NamedTuple

from .node import Constant, Expr, Literal, Wild
from .types import UNTYPED

Bindings = dict[str, Any]
Matcher = Callable[[Expr, Bindings], bool]
Signature = tuple[Any, bool, tuple]


def matcher(p: Expr) -> Matcher:
    """A function that tests a node against a pattern, and binds its wildcards."""
    if p.op is not None:
        return op_matcher(p.op, dict(p.static), [matcher(i) for i in p.inputs])
    if isinstance(p, Wild):
        return wild_matcher(p.name or "", p.constant)
    if isinstance(p, Literal) or isinstance(p, Constant) and not p.exact and not p.ndim:
        return lambda n, bindings: isinstance(n, Constant) and n.is_all(p.value)
    if isinstance(p, Constant) and not p.exact:
        return lambda n, bindings: isinstance(n, Constant) and n.key == p.key
    return lambda n, bindings: is_zero(n)


def wild_matcher(name: str, constant: bool) -> Matcher:
    def match(n: Expr, bindings: Bindings) -> bool:
        return bindings.setdefault(name, n) is n

    def match_constant(n: Expr, bindings: Bindings) -> bool:
        return isinstance(n, Constant) and not n.exact and match(n, bindings)

    return match_constant if constant else match


def op_matcher(op: Any, static: Mapping[str, Any], parts: list[Matcher]) -> Matcher:
    def match(n: Expr, bindings: Bindings) -> bool:
        if n.op is not op:
            return False
        if static and not match_static(static, n, bindings):
            return False
        for part, i in zip(parts, n.inputs, strict=False):  # a shape's lengths match anything
            if not part(i, bindings):
                return False
        return True

    return match


def match_static(static: Mapping[str, Any], n: Expr, bindings: Bindings) -> bool:
    """Are the parameters of a node those of a pattern, in whatever way these are written?"""
    own, other = dict(n.static), {}
    for key, value in static.items():
        if isinstance(value, Wild):
            if bindings.setdefault(value.name or "", own[key]) != own[key]:
                return False
        elif value != own[key]:
            other[key] = value
    return not other or normalize_static(n, own | other) == own


def normalize_static(n: Expr, static: dict[str, Any]) -> dict[str, Any] | None:
    """The normal form of parameters for the operands of a node: axis=0 is stored as (0,)."""
    try:
        return n.op.normal([i.type for i in n.inputs], **static)
    except (TypeError, ValueError, IndexError):
        return None


def instantiate(p: Expr, bindings: Bindings) -> Any:
    """An expression with its wildcards replaced; numbers stay weak until they meet an operand."""
    return builder(p)(bindings)


def builder(p: Expr) -> Callable[[Bindings], Any]:
    """A function that makes the expression from bindings."""
    if isinstance(p, Wild):
        return itemgetter(p.name or "")
    if p.op is None:
        value = p.value if isinstance(p, Literal) else p
        return lambda bindings: value
    op, parts, static = p.op, [builder(i) for i in p.inputs], dict(p.static)

    def build(bindings: Bindings) -> Any:
        numbers = {
            k: bindings[v.name or ""] if isinstance(v, Wild) else v for k, v in static.items()
        }
        return op(*[part(bindings) for part in parts], **numbers)

    return build


def variants(p: Expr, apart: Set[str] = frozenset()) -> list[Expr]:
    """The pattern and what it becomes when operands of commutative operations change places."""
    if p.op is None:
        return [p]
    rows = [list(row) for row in product(*[variants(i, apart) for i in p.inputs])]
    if turns(p, apart):
        rows += [row[::-1] for row in rows]
    return [Expr(p.op, tuple(row), p.static, UNTYPED) for row in rows]


def turns(p: Expr, apart: Set[str]) -> bool:
    """Does the pattern become another one when the operands of its operation change places? Not
    where both are wildcards, unless one of them is told `apart` elsewhere."""
    if not p.op.commutative or p.inputs[0] is p.inputs[1]:
        return False
    one, other = p.inputs[:2]
    alike = isinstance(one, Wild) and isinstance(other, Wild) and one.constant is other.constant
    return not alike or not apart.isdisjoint((one.name, other.name))


def names_in(p: Expr, times: int = 1) -> Set[str]:
    """The names of the wildcards that stand in so many places of a pattern, or in more."""
    places, parts = Counter[str](), [p]
    for part in parts:  # which grow on the way
        parts += part.inputs
        places[part.name or ""] += isinstance(part, Wild)
    return {name for name, number in places.items() if number >= times}


# ---- heads: what can be seen of an operand at a glance, to find the rules that may match

ANY, CONSTANT, NOTHING = "any", "constant", "exact zero"
TELLING = frozenset((0.0, 1.0, -1.0, 2.0, 0.5))  # constants that rules name


def head_of_pattern(p: Expr) -> Any:
    if p.op is not None:
        return p.op
    if isinstance(p, Wild):
        return CONSTANT if p.constant else ANY
    if isinstance(p, Literal):
        return float(p.value) if p.value in TELLING else CONSTANT
    return head_of_constant(p) if isinstance(p, Constant) else NOTHING


def head(n: Expr) -> Any:
    """The operation of a node, or which kind of leaf it is."""
    op = n.op
    if op is None:
        return head_of_constant(n) if isinstance(n, Constant) else ANY
    return NOTHING if op.spreads and is_zero(n) else op


def head_of_constant(n: Constant) -> Any:
    if n.exact:
        return NOTHING
    if not n.type.shape and n.value not in TELLING:
        return CONSTANT
    return next((v for v in TELLING if n.is_all(v)), CONSTANT)


class Heads(NamedTuple):
    """The heads that operands of a node must have, and perhaps that two are one: seen at once."""

    heads: tuple[Any, ...]
    twice: bool


class SomeHead(NamedTuple):
    """For a rule that has no pattern: one of the operands has one of these heads, and perhaps none
    is a constant. It may be enough, too, that both operands are one, or that two are constants."""

    heads: Collection[Any]
    same: bool = False
    constants: bool = False
    varying: bool = False


def heads_of(p: Expr) -> Heads:
    """The heads of a node's operands, if the pattern is to match it."""
    heads = tuple(map(head_of_pattern, p.inputs))
    twice = len(p.inputs) == 2 and p.inputs[0] is p.inputs[1] and isinstance(p.inputs[0], Wild)
    return Heads(heads, twice)


def is_zero(n: Expr) -> bool:
    """Is this the exact zero of differentiation, of whatever shape?"""
    if n.op is not None and n.op.spreads:
        n = n.inputs[0]
    return isinstance(n, Constant) and n.exact


# ---- may a rule match? By its heads, and what is seen of a node at once


def signature(n: Expr) -> Signature:
    """The operation of n, whether its two operands are one, and their heads."""
    inputs = n.inputs
    heads = tuple([i.op if i.op is not None and not i.op.spreads else head(i) for i in inputs])
    return n.op, len(inputs) == 2 and inputs[0] is inputs[1], heads


def may_match(form: Any, same: bool, heads: tuple) -> bool:
    """Can a rule match that must see this of the operands?"""
    if isinstance(form, Heads):
        return (same or not form.twice) and all(map(fits, form.heads, heads))
    numbers = sum(map(is_number, heads))
    some = not ({*form.heads}.isdisjoint(heads) or form.varying and numbers)
    return some or form.same and same or form.constants and numbers > 1


def fits(form: Any, head: Any) -> bool:
    return form in (ANY, head) or form == CONSTANT and is_number(head)


def is_number(head: Any) -> bool:
    """Is this the head of a constant? Those that rules name have their value for a head."""
    return head == CONSTANT or isinstance(head, float)
