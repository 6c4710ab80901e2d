"""Finding the rules that may match a node without trying them all."""

from collections.abc import Iterable, Sequence
from typing import Any

from ...expr import Expr
from .pattern import SPREAD, head

Way = tuple[Any, Any]  # a rule, and the test of one form of its left side
NONE: tuple = (), (), ()
LATE = ("factor", "stabilise")  # what is unstable must be seen as it was written


class RuleSet:
    """Rules by what can be seen of a node at a glance: its operation and those below it."""

    def __init__(self, rules: Iterable[Any], mode: str, final: bool = True):
        self.mode, self.rules = mode, tuple(rules)
        self.rows: dict[Any, list[tuple]] = {}
        for rule in self.rules:
            if rule.allowed(mode, final):
                for op, may_match, *match in rule.roots:
                    row = may_match, (rule, match[0] if match else None)
                    self.rows.setdefault(op, []).append(row)
        self.seen: dict[tuple, tuple] = {}

    def candidates(self, n: Expr) -> Iterable[Any]:
        """The rules that may match, in the order of their table."""
        return dict.fromkeys(rule for rule, _ in self.phases(n)[1])

    def phases(self, n: Expr) -> tuple[Sequence[Way], Sequence[Way], Sequence[Way]]:
        """Those that come first, all, and the late ones, each with the test that may succeed, if
        it has one."""
        op, ins = n.op, n.inputs
        if op not in self.rows:
            return NONE
        heads = tuple([i.op for i in ins])
        if None in heads or SPREAD in heads:
            heads = tuple(map(head, ins))
        same = len(ins) == 2 and ins[0] is ins[1]
        found = self.seen.get((op, same, heads))
        if found is None:
            ways = [way for may_match, way in self.rows[op] if may_match(same, heads)]
            first = [way for way in ways if way[0].phase not in LATE]
            late = [way for way in ways if way[0].phase in LATE]
            found = self.seen[op, same, heads] = tuple(first), tuple(ways), tuple(late)
        return found
