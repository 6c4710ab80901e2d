"""Finding the rules that may match a node without trying them all."""

from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from typing import Any

from ...expr import Expr
from ..facts.prover import DEEP
from .pattern import ANY, CONSTANT, SPREAD, Heads, head, height, matcher

Given = tuple[Any, bool, tuple]  # an operation; are its two operands one? their heads
Way = tuple[Any, Any]  # a rule, and the test of one form of its left side
Phases = tuple[list[Way], list[Way], list[Way]]
UNTOLD = frozenset((None, SPREAD))  # operations that do not tell a head
LATE = ("factor", "stabilise")  # what is unstable must be seen as it was written


class RuleSet:
    """Rules by what can be seen of a node at a glance: its operation and those below it. They look
    through `regions`, however large these are, and otherwise a few operations down; without any
    they may look anywhere."""

    def __init__(
        self, rules: Iterable[Any], mode: str, final: bool = True, regions: Container = ()
    ):
        self.mode, self.final, self.rules, self.regions = mode, final, tuple(rules), regions
        self.about: dict[Any, list[Any]] = {}  # rules, by the operations that they replace
        for rule in self.rules:
            for op in rule.replaces if rule.allowed(mode, final) else ():
                self.about.setdefault(op, []).append(rule)
        self.forms: dict[Any, Forms] = {}  # the same with their tests, made when they are needed
        self.seen: dict[Given, Phases] = {}

    @cached_property
    def depth(self) -> int:
        """How many operations their patterns have below each other, and the proofs below these."""
        patterns = [rule.left for rule in self.rules if hasattr(rule, "left")]
        return DEEP + max(map(height, patterns), default=0)

    def among(self, operations: Iterable[Any]) -> "Present":
        """These rules in a graph of these operations."""
        return Present(self, operations)

    def candidates(self, n: Expr) -> Iterable[Any]:
        """The rules that may match, in the order of their table."""
        return dict.fromkeys(rule for rule, _ in self.phases(given_by(n))[1])

    def phases(self, seen: Given) -> Phases:
        """The rules, each with the test that may succeed, if it has one: those that come first,
        all, and the late ones."""
        found = self.seen.get(seen)
        if found is None:
            op, same, heads = seen
            forms = self.forms.get(op) or self.forms.setdefault(op, Forms(self.tests(op)))
            found = self.seen[seen] = in_phases(forms.ways(same, heads))
        return found

    def tests(self, op: Any) -> Iterator[tuple]:
        """For each form of a rule about this operation: what must be seen of the operands, the
        rule, and the order of its operands, if it has patterns."""
        for rule in self.about.get(op, ()):
            for may_match, *order in rule.forms(op):
                yield may_match, rule, *order


def in_phases(every: list[Way]) -> Phases:
    """Those that come first, all, and the late ones."""
    late = [way for way in every if way[0].phase in LATE]
    first = [way for way in every if way[0].phase not in LATE] if late else every
    return first, every, late


def ways_of(rule: Any, order: int | None = None) -> list[Way]:
    """A rule with the tests of its patterns, if it has some: those in one order of the operands are
    the first half of its variants, or the other."""
    if order is None:
        return [(rule, None)]
    half = len(rule.variants) // len(rule.roots)
    return [(rule, matcher(p)) for p in rule.variants[half * order : half * (order + 1)]]


class Forms:
    """The forms of all rules about one operation, each with what is seen of it at once. An operand
    says by its head alone which of them are left; a set of them is a whole number, with one bit a
    form."""

    def __init__(self, rows: Iterable[tuple]):
        self.rows = list(rows)
        self.made: dict[int, list[Way]] = {}
        self.twice = self.asked = 0  # those that want one operand twice; those that must be asked
        self.wanting: dict[tuple[int, Any], int] = {}  # those that want this head at this place
        self.choosy: dict[int, int] = {}  # those that want a certain head at this place
        for k, (may_match, *_) in enumerate(self.rows):
            bit = 1 << k
            if not isinstance(may_match, Heads):
                self.asked |= bit
                continue
            self.twice |= bit * may_match.twice
            for wanted in enumerate(may_match.wanted):
                self.wanting[wanted] = self.wanting.get(wanted, 0) | bit
        for (place, wanted), bits in self.wanting.items():
            if wanted != ANY:
                self.choosy[place] = self.choosy.get(place, 0) | bits

    def ways(self, same: bool, heads: tuple) -> list[Way]:
        """Those that may match, in the order of their table."""
        left, found = (1 << len(self.rows)) - 1, list[Way]()
        for place, given in enumerate(heads):
            left &= ~self.refusing(place, given)
        if not same:
            left &= ~self.twice
        while left:
            bit = left & -left
            k = bit.bit_length() - 1
            left ^= bit
            if not bit & self.asked or self.rows[k][0](same, heads):
                found += self.made.get(k) or self.made.setdefault(k, ways_of(*self.rows[k][1:]))
        return found

    def refusing(self, place: int, given: Any) -> int:
        """The forms that want another head at this place."""
        content = self.wanting.get((place, given), 0)
        if isinstance(given, float):  # a constant that some rules name
            content |= self.wanting.get((place, CONSTANT), 0)
        return self.choosy.get(place, 0) & ~content


class Present:
    """The rules of a set that speak of operations which a graph has. It may get more of them."""

    def __init__(self, rules: RuleSet, operations: Iterable[Any]):
        self.rules, self.operations = rules, set(operations)
        self.seen: dict[Given, Phases] = {}
        self.partly: list[Given] = []  # where rules were left out
        self.concerned: dict[Any, bool] = {}  # do rules speak of these operations?

    def admit(self, built: Iterable[Expr]) -> None:
        """The graph has these nodes now."""
        before = len(self.operations)
        for n in built:
            self.operations.add(n.op)
        if len(self.operations) > before:
            for seen in self.partly:
                del self.seen[seen]
            self.partly, self.concerned = [], {}

    def phases(self, n: Expr) -> Phases:
        """Those that come first, all, and the late ones."""
        seen = given_by(n)
        found = self.seen.get(seen)
        if found is None:
            found = self.rules.phases(seen)
            ways = [way for way in found[1] if self.concerns(way[0])]
            if len(ways) < len(found[1]):
                self.partly.append(seen)
                found = in_phases(ways)
            self.seen[seen] = found
        return found

    def concerns(self, rule: Any) -> bool:
        """Does the rule speak of operations that the graph has by now?"""
        known = self.concerned.get(rule)
        if known is None:
            known = self.concerned[rule] = rule.concerns(self.operations)
        return known


def given_by(n: Expr) -> Given:
    """The operation of a node, whether its two operands are one, and their heads."""
    ins = n.inputs
    heads = tuple([i.op for i in ins])
    if not UNTOLD.isdisjoint(heads):
        heads = tuple(map(head, ins))
    return n.op, len(ins) == 2 and ins[0] is ins[1], heads
