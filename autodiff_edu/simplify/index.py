"""Finding the rules that may match a node without trying them all."""

from collections.abc import Iterable, Sequence
from typing import Any

from ..expr import Expr
from .match import SPREAD, head


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
        op, ins = n.op, n.inputs
        if op not in self.rows:
            return ()
        heads = tuple([head(i) if i.op is None or i.op is SPREAD else i.op for i in ins])
        same = len(ins) == 2 and ins[0] is ins[1]
        found = self.seen.get((op, same, heads))
        if found is None:
            fit = [rule for may_match, rule in self.rows[op] if may_match(same, heads)]
            found = self.seen[op, same, heads] = tuple(dict.fromkeys(fit))
        return found

    def concerns(self, nodes: Iterable[Expr]) -> bool:
        """May any rule match any of these nodes?"""
        return any(self.candidates(n) for n in nodes)
