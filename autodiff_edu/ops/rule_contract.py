"""What the rules of an operation's derivative are given, and what they must return.

Letters: x what a change belongs to, an input in a pullback, an output in a pushforward; c its
change, a cotangent or a tangent.
"""

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from ..expr import HOOKS, Constant, Disconnected, Expr, Input, Null, Shape, TensorType, put_in
from .broadcasting import float_type, zero

Exprs = Sequence[Expr]
Slots = Sequence[Expr | None]


class Words(NamedTuple):
    """How messages speak of one direction of derivatives."""

    rule: str
    change: str
    slot: str


PULLBACK = Words("pullback", "cotangent", "input")
PUSHFORWARD = Words("pushforward", "tangent", "output")


def pulled(op: Any, inputs: Exprs, outputs: Exprs, changes: Slots, static: dict) -> list:
    """The cotangent of each input, or None, by the operation's pullback. Raises TypeError."""
    given = changes if op.takes_none else filled(changes, outputs)
    ours = op.takes_none and getattr(op, "is_ours", True)
    rule = partial(op.pullback, **static)
    found = (rule if ours else partial(in_symbols, rule))(inputs, outputs, given)
    return accepted(found, inputs, PULLBACK, op.name, outputs[0])


def pushed(op: Any, inputs: Exprs, outputs: Exprs, changes: Slots, static: dict) -> list:
    """The tangent of each output, or None, by the operation's pushforward. Raises TypeError."""
    given = changes if op.takes_none else filled(changes, inputs)
    found = op.pushforward(inputs, outputs, given, **static)
    return accepted(found, outputs, PUSHFORWARD, op.name, outputs[0])


def in_symbols(rule: Any, inputs: Exprs, outputs: Exprs, changes: Slots) -> Any:
    """What a rule says of symbols, which then become what they stand for. So a slope that the rule
    itself takes by one operand has nothing of another, as in f(x, x) and f(x, x * x)."""
    if len(inputs) < 2:
        return rule(inputs, outputs, changes)
    ends = [[stand_in(e, inputs) for e in slots] for slots in (inputs, outputs, changes)]
    found = rule(*ends)
    meant = zip(chain(*ends), chain(inputs, outputs, changes), strict=True)
    values = {s: e for s, e in meant if s is not e and s is not None and e is not None}
    if isinstance(found, Expr):
        return put_in([found], values)[0]
    if type(found) not in (list, tuple):
        return found
    there = iter(put_in([e for e in found if isinstance(e, Expr)], values))
    return [next(there) if isinstance(e, Expr) else e for e in found]


def stand_in(e: Expr | None, inputs: Exprs) -> Expr | None:
    """A symbol for what depends on something, or is two of the inputs."""
    if e is None or not isinstance(e.type, TensorType) or isinstance(e, Constant):
        return e
    if e.op is None:
        return Input(e.name or "x", e.type) if sum(e is i for i in inputs) > 1 else e
    fixed = all(isinstance(i, Constant) for i in e.inputs)
    return e if fixed else Input(e.name or "x", e.type)


def filled(changes: Slots, of: Exprs) -> list[Expr]:
    """Exact zeros for the changes of what takes no part."""
    return [zero(x) if c is None else c for c, x in zip(changes, of, strict=True)]


def accepted(found: Any, of: Exprs, words: Words, name: str, n: Expr) -> list[Expr | None]:
    """What a rule returned, one change for each, in the dtypes of derivatives; the operation has
    this name, and was applied in n. Raises TypeError."""
    if type(found) not in (list, tuple) or len(found) != len(of):
        raise HOOKS["wrong_count"](found, of, words, name, n)
    if all(map(usual, found, of)):
        return [*found]
    return [
        c if usual(c, x) else accept(c, k, x, words, name, n)
        for k, (c, x) in enumerate(zip(found, of, strict=True))
    ]


def usual(c: Any, x: Expr) -> bool:
    """Is the change of exactly the type that it should have, or none? Nearly all are."""
    return c is None or (isinstance(c, Expr) and c.type is x.type and x.type.is_float)


def accept(c: Any, k: int, x: Expr, *where: Any) -> Expr | None:
    """A change of another type, if it can stand for one of x."""
    if isinstance(c, (Null, Disconnected)):
        return c if isinstance(c, Null) else None
    if not (isinstance(c, Expr) and c.type.is_float and agree(c.type.shape, x.type.shape)):
        raise HOOKS["wrong_change"](c, k, x, *where)
    wanted = float_type(x.dtype)
    return c if c.dtype == wanted else c.astype(wanted)


def agree(some: Shape, others: Shape) -> bool:
    """Can values of both shapes have the same shape?"""
    pairs = zip(some, others, strict=False)
    return len(some) == len(others) and all(None in (a, b) or a == b for a, b in pairs)
