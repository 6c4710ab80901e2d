"""Overrides: what stands in place of a derivative, for all slots at once or for each of them.

A slot is an input of the operation, for a pullback, or an output, for a pushforward. Every rule is
called as rule(inputs, outputs, changes), and equal rules make equal operations.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...expr import Disconnected, DisconnectedType, Expr, Null, NullType, is_function
from ...ops import PULLBACK, Words, filled, in_symbols
from .base import Nested
from .body import inline_body

Rule = Callable[[Any, Any, Any], Any]
Rules = Rule | tuple[Rule | None, ...] | None
Slots = Sequence[Any]


# ---- the forms in which a rule may be given


@dataclass(frozen=True)
class Nowhere:
    """No derivative: `why` it does not exist, or None where there is no path."""

    why: str | None = None

    def __call__(self, inputs: Any, outputs: Any, changes: Any) -> Expr:
        return Disconnected() if self.why is None else Null(self.why)


@dataclass(frozen=True)
class Boxed:
    """A rule that is a graph, of (inputs, outputs, changes) or, as in Theano's grad_overrides, of
    (inputs, changes)."""

    box: Any

    def __call__(self, inputs: Any, outputs: Any, changes: Any) -> list[Expr]:
        given = [*inputs, *changes]
        if self.box.arity != len(given):
            given = [*inputs, *outputs, *changes]
        whole = inline_body(self.box.body, given) if self.box.inline else self.box(*given)
        return [whole] if isinstance(whole, Expr) else [*whole]


@dataclass(frozen=True)
class OfOperands:
    """A rule that is given the operands themselves, and no symbols for them."""

    rule: Rule

    def __call__(self, inputs: Any, outputs: Any, changes: Any) -> Any:
        return self.rule(inputs, outputs, changes)


def normalize_override(rule: Any, words: Words, name: str, inputs: int, outputs: int) -> Rules:
    """A user's override in its normal form. Raises TypeError, ValueError."""
    if not isinstance(rule, (list, tuple)):
        return one_rule(rule, words, name, inputs, outputs)
    slots = inputs if words == PULLBACK else outputs
    if len(rule) != slots:
        raise ValueError(f"{name} has {count(slots, words[2])}, and its {words[0]} is a list "
                         f"of {count(len(rule), 'rule')}: give one for each")  # fmt: skip
    return tuple([one_rule(r, words, name, inputs, outputs) for r in rule])


def one_rule(rule: Any, words: Words, name: str, inputs: int, outputs: int) -> Rule | None:
    if isinstance(rule, (Disconnected, DisconnectedType)) or rule is DisconnectedType:
        return Nowhere()
    if isinstance(rule, (Null, NullType)):
        return Nowhere(rule.why)
    if isinstance(rule, Nested):
        changes = outputs if words == PULLBACK else inputs
        takes = inputs + changes, inputs + outputs + changes
        if rule.arity not in takes:
            raise TypeError(
                f"{rule.name} takes {count(rule.arity or 0, 'operand')}; as the {words[0]} of "
                f"{name} it takes {takes[0]} or {takes[1]}: the inputs, the outputs, which may be "
                f"left out, and the {words[1]}s"
            )
        return Boxed(rule)
    if rule is None or is_function(rule):
        return rule
    raise TypeError(
        f"the {words[0]} of {name} is a callable, an OpFromGraph, or a list with one of these, "
        f"None, a Null or a Disconnected for each {words[2]}; it is not {rule!r}"
    )


def count(n: int, word: str) -> str:
    return f"{n} {word}{'s' * (n != 1)}"


# ---- which derivatives pass


def passing(pattern: Any, name: str, inputs: int, outputs: int) -> tuple[tuple[bool, ...], ...]:
    """A user's connection pattern in its normal form. Raises ValueError."""
    rows = tuple([tuple(map(bool, row)) for row in pattern])
    if [len(row) for row in rows] != [outputs] * inputs:
        raise ValueError(
            f"{name} has {count(inputs, 'input')} and {count(outputs, 'output')}: its "
            "connection_pattern is a row for each input, of one truth value for each output"
        )
    return rows


def connected(own: list[list[bool]], pullback: Rules, pushforward: Rules) -> list[list[bool]]:
    """The connection pattern of an operation whose body has this one of its own: a rule connects
    what it is for, unless it says that there is no path."""
    by_input = pullback if isinstance(pullback, tuple) else (pullback,) * len(own)
    found = []
    for row, rule in zip(own, by_input, strict=True):
        forward = pushforward if isinstance(pushforward, tuple) else (pushforward,) * len(row)
        if rule is not None:
            row = [rule != Nowhere()] * len(row)
        found.append([y or r is not None for y, r in zip(row, forward, strict=True)])
    return found


# ---- what they say


def overridden(
    rules: Any, inputs: Any, outputs: Any, changes: Any, of: Sequence[Expr], own: Callable
) -> Any:
    """What the rule, or one rule for each slot, says in place of the derivative; where there is
    none, the derivative itself. `of` are the ends that change."""
    if rules is None:
        return own(inputs, outputs, changes)
    given = filled(changes, of)
    if not isinstance(rules, tuple):
        return said(rules, inputs, outputs, given)
    default = own(inputs, outputs, changes) if any(r is None for r in rules) else rules
    return [
        d if rule is None else alone(said(rule, inputs, outputs, given))
        for rule, d in zip(rules, default, strict=True)
    ]


def said(rule: Rule, inputs: Slots, outputs: Slots, changes: Slots) -> Any:
    """What a rule says; a user's is written in symbols."""
    if isinstance(rule, (Nowhere, Boxed, OfOperands)):
        return rule(inputs, outputs, changes)
    return in_symbols(rule, inputs, outputs, changes)


def alone(found: Any) -> Any:
    """The change of one slot, which a rule for it alone may return in a list."""
    return found[0] if isinstance(found, (list, tuple)) and len(found) == 1 else found
