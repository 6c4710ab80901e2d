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
        rows = self.rows.get(n.op)
        if rows is None:
            return ()
        ins = n.inputs
        heads = [head(i) if i.op is None or i.op is SPREAD else i.op for i in ins]
        key = (n.op, len(ins) == 2 and ins[0] is ins[1], *heads)
        found = self.seen.get(key)
        if found is None:
            fit = [rule for may_match, rule in rows if may_match(key[1], key[2:])]
            found = self.seen[key] = tuple(dict.fromkeys(fit))
        return found

    def concerns(self, nodes: Iterable[Expr]) -> bool:
        """May any rule match any of these nodes?"""
        return any(self.candidates(n) for n in nodes)
