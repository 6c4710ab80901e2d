"""Finding the rules that may match a node without trying them all."""

from collections.abc import Iterable, Sequence
from typing import Any

from ..expr import Expr
from .match import SPREAD, head

NONE: tuple = (), ()


class RuleSet:
    """Rules by what can be seen of a node at a glance: its operation and those below it."""

    def __init__(self, rules: Iterable[Any], mode: str):
        self.mode, self.rules = mode, tuple(rules)
        self.rows: dict[Any, list[tuple]] = {}
        for rule in self.rules:
            if rule.allowed(mode):
                for op, may_match in rule.roots:
                    self.rows.setdefault(op, []).append((may_match, rule))
        self.seen: dict[tuple, tuple] = {}

    def candidates(self, n: Expr) -> Sequence[Any]:
        """The rules that may match, in the order of their table."""
        return self.phases(n)[1]

    def phases(self, n: Expr) -> tuple[Sequence[Any], Sequence[Any]]:
        """Those of them that shorten, and all."""
        op, ins = n.op, n.inputs
        if op not in self.rows:
            return NONE
        heads = tuple([i.op for i in ins])
        if None in heads or SPREAD in heads:
            heads = tuple(map(head, ins))
        same = len(ins) == 2 and ins[0] is ins[1]
        found = self.seen.get((op, same, heads))
        if found is None:
            fit = dict.fromkeys(rule for look, rule in self.rows[op] if look(same, heads))
            first = tuple([rule for rule in fit if rule.phase != "stabilise"])
            found = self.seen[op, same, heads] = first, tuple(fit)
        return found
