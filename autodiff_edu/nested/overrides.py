"""Overrides: what stands in place of a derivative, for all inputs at once or for each of them."""

from collections.abc import Callable, Sequence
from typing import Any

from ..expr import Disconnected, DisconnectedType, Expr, Null, NullType
from ..ops import zero
from .derived import Slots
from .nested import Nested


def filled(changes: Slots, of: Sequence[Expr]) -> list[Expr]:
    """Zeros for the changes of what takes no part."""
    return [zero(x) if c is None else c for c, x in zip(changes, of, strict=True)]


def overridden(rule: Any, inputs: Any, outputs: Any, changes: Any, own: Callable) -> Any:
    """What a rule, or one rule for each slot, says in place of the derivative."""
    if not isinstance(rule, (list, tuple)):
        return said(rule, inputs, outputs, changes)
    default = own(inputs, outputs, changes) if any(r is None for r in rule) else rule
    return [
        d if r is None else one(said(r, inputs, outputs, changes))
        for r, d in zip(rule, default, strict=True)
    ]


def one(found: Any) -> Any:
    """The change of one slot, which a rule for it alone may return in a list."""
    return found[0] if isinstance(found, (list, tuple)) and len(found) == 1 else found


def said(rule: Any, inputs: Any, outputs: Any, changes: Any) -> Any:
    if isinstance(rule, (Null, NullType)) and not isinstance(rule, DisconnectedType):
        return Null(rule.why)
    if isinstance(rule, (Disconnected, DisconnectedType)) or rule is DisconnectedType:
        return Disconnected()
    if isinstance(rule, Nested):
        whole = [*inputs, *outputs, *changes]
        brief = [*inputs, *changes]  # Theano's grad_overrides did not take the outputs
        found = rule(*(brief if rule.arity == len(brief) else whole))
        return list(found) if isinstance(found, tuple) else [found]
    return rule(inputs, outputs, changes)
