"""Which rules may match a node: one table for all graphs, by what can be seen of the node at once.

That is its signature: its operation, whether its two operands are one, and the heads of these. Most
nodes have a signature that was met before, and so cost one look into a dict.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...core.node import Expr
from ...core.seams import OfRules
from .pattern import ANY, CONSTANT, Heads, head

Signature = tuple[Any, bool, tuple]
LATE = ("factor", "stabilise")  # phases after the shortening: they see terms as they were written


class Candidates(NamedTuple):
    """Rules that may match a node, in the order of their table: those of the first phase, those of
    the late ones, and all."""

    early: list[Any]
    late: list[Any]
    every: list[Any]


class RuleSet(OfRules):
    """The rules that a mode allows, by the operations that they replace."""

    def __init__(self, rules: Iterable[Any], mode: str, final: bool = True):
        self.mode, self.final, self.rules = mode, final, tuple(rules)
        self.by_operation: dict[Any, list[Any]] = {}
        for rule in self.rules:
            for op in rule.replaces if rule.allowed(mode, final) else ():
                self.by_operation.setdefault(op, []).append(rule)
        self.forms: dict[Any, list[tuple]] = {}  # of all rules about an operation
        self.by_signature: dict[Signature, list[Any]] = {}

    def of(self, operations: Iterable[Any]) -> "RuleSet":
        """The rules for a graph with these operations: all of them."""
        return self

    def of_signature(self, s: Signature) -> list[Any]:
        rules = self.by_signature.get(s)
        if rules is None:
            op, same, heads = s
            if op not in self.forms:
                about = self.by_operation.get(op, ())
                self.forms[op] = [(rule, form) for rule in about for form, *_ in rule.forms(op)]
            may = [rule for rule, form in self.forms[op] if may_match(form, same, heads)]
            rules = self.by_signature[s] = list(dict.fromkeys(may))
        return rules


class RulesOfGraph:
    """The rules of a table that speak of operations which a graph has. The graph may get more."""

    def __init__(self, table: Any, operations: Iterable[Any]):
        self.table, self.operations = table, set(operations)
        self.rules: RuleSet = table.of(frozenset(self.operations))
        self.by_signature: dict[Signature, Candidates] = {}

    def admit(self, fresh: Iterable[Expr]) -> None:
        """The graph has these nodes now."""
        operations = {m.op for m in fresh}
        if not self.operations.issuperset(operations):
            self.operations |= operations
            self.rules = self.table.of(frozenset(self.operations))
            self.by_signature = {}

    def about(self, n: Expr) -> Candidates:
        """The rules that may match n."""
        s = signature(n)
        candidates = self.by_signature.get(s)
        if candidates is None:
            every = [r for r in self.rules.of_signature(s) if r.concerns(self.operations)]
            early = [r for r in every if r.phase not in LATE]
            late = [r for r in every if r.phase in LATE]
            candidates = self.by_signature[s] = Candidates(early, late, every)
        return candidates


def signature(n: Expr) -> Signature:
    """What can be seen of n at once."""
    inputs = n.inputs
    heads = tuple([i.op if i.op is not None and not i.op.spreads else head(i) for i in inputs])
    return n.op, len(inputs) == 2 and inputs[0] is inputs[1], heads


def may_match(form: Any, same: bool, heads: tuple) -> bool:
    """Can a rule match that must see this of the operands?"""
    if isinstance(form, Heads):
        return (same or not form.twice) and all(map(fits, form.wanted, heads))
    two = sum(map(is_number, heads)) > 1
    some = not form.wanted.isdisjoint(heads)
    return some or form.same and same or form.constants and two


def fits(wanted: Any, head: Any) -> bool:
    return wanted in (ANY, head) or wanted == CONSTANT and is_number(head)


def is_number(head: Any) -> bool:
    """Is this the head of a constant? Those that rules name have their value for a head."""
    return head == CONSTANT or isinstance(head, float)
