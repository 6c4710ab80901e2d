"""Finding the rules that may match a node without trying them all."""

from collections.abc import Container, Iterable
from typing import Any

from ...expr import Expr, cached_property
from ..facts.prover import DEEP
from .pattern import ANY, CONSTANT, SPREAD, Heads, SomeHead, head, height, matcher

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
        self.made: dict[Any, Forms] = {}  # their forms, made when they are needed

    @cached_property
    def depth(self) -> int:
        """How many operations their patterns have below each other, and the proofs below these."""
        patterns = [rule.left for rule in self.rules if hasattr(rule, "left")]
        return DEEP + max(map(height, patterns), default=0)

    def among(self, operations: Iterable[Any]) -> "RulesInGraph":
        """These rules in a graph of these operations."""
        return RulesInGraph(self, operations)

    def candidates(self, n: Expr) -> Iterable[Any]:
        """The rules that may match, in the order of their table."""
        op, same, heads = given_by(n)
        forms = self.forms(op)
        return dict.fromkeys(rule for rule, _ in forms.ways(forms.matching(same, heads)))

    def forms(self, op: Any) -> "Forms":
        """All forms of the rules about this operation: what must be seen of the operands, the rule,
        and the order of its operands, if it has patterns."""
        found = self.made.get(op)
        if found is None:
            rows = [
                (seen, rule, *order)
                for rule in self.about.get(op, ())
                for seen, *order in rule.forms(op)
            ]
            found = self.made[op] = Forms(rows)
        return found


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
        self.chosen: dict[int, list[Way]] = {}  # by sets
        self.twice = 0  # those that want one operand twice
        self.wanting: dict[tuple[int, Any], int] = {}  # those that want this head at this place
        self.choosy: dict[int, int] = {}  # those that want a certain head at this place
        self.anywhere: dict[Any, int] = {}  # those for which this head at any place is enough
        self.some = 0  # all for which something of one operand is enough
        self.same = self.constants = 0  # and of these: one operand twice, or two constants
        self.told: dict[tuple[int, Any], tuple[int, int, bool]] = {}
        for k, (seen, *_) in enumerate(self.rows):
            (self.add if isinstance(seen, Heads) else self.add_some)(1 << k, seen)

    def add(self, bit: int, seen: Heads) -> None:
        """The form with this bit must be seen so."""
        self.twice |= bit * seen.twice
        for place, wanted in enumerate(seen.wanted):
            if wanted != ANY:
                self.wanting[place, wanted] = self.wanting.get((place, wanted), 0) | bit
                self.choosy[place] = self.choosy.get(place, 0) | bit

    def add_some(self, bit: int, seen: SomeHead) -> None:
        """The same, where one operand is enough."""
        self.some |= bit
        self.same |= bit * seen.same
        self.constants |= bit * seen.constants
        for wanted in seen.wanted:
            self.anywhere[wanted] = self.anywhere.get(wanted, 0) | bit

    def matching(self, same: bool, heads: tuple) -> int:
        """The set of those that may match."""
        left, enough, constants = (1 << len(self.rows)) - 1, 0, 0
        for operand in enumerate(heads):
            allows, suffices, constant = self.told.get(operand) or self.tell(operand)
            left &= allows
            enough |= suffices
            constants += constant
        if same:
            enough |= self.same
        else:
            left &= ~self.twice
        if constants > 1:
            enough |= self.constants
        return left & (enough | ~self.some)

    def tell(self, operand: tuple[int, Any]) -> tuple[int, int, bool]:
        """What the head of an operand tells, given its place: the forms that do not want another
        one there, those for which it is enough, and whether it is that of a constant."""
        place, given = operand
        content = self.wanting.get(operand, 0)
        if isinstance(given, float):  # a constant that some rules name
            content |= self.wanting.get((place, CONSTANT), 0)
        constant = given == CONSTANT or isinstance(given, float)
        told = content | ~self.choosy.get(place, 0), self.anywhere.get(given, 0), constant
        self.told[operand] = told
        return told

    def ways(self, left: int) -> list[Way]:
        """Those of a set, in the order of their table."""
        found = self.chosen.get(left)
        if found is None:
            found, rest = list[Way](), left
            while rest:
                bit = rest & -rest
                k = bit.bit_length() - 1
                rest ^= bit
                found += self.made.get(k) or self.made.setdefault(k, ways_of(*self.rows[k][1:]))
            self.chosen[left] = found  # as a whole, since another thread may look
        return found


class RulesInGraph:
    """The rules of a set that speak of operations which a graph has. It may get more of them."""

    def __init__(self, rules: RuleSet, operations: Iterable[Any]):
        self.rules, self.operations = rules, set(operations)
        self.seen: dict[Given, Phases] = {}
        self.partly: list[Given] = []  # where rules were left out
        self.made: dict[tuple[Any, int], tuple[Phases, bool]] = {}  # by sets of forms
        self.concerned: dict[Any, bool] = {}  # do rules speak of these operations?

    def admit(self, built: Iterable[Expr]) -> None:
        """The graph has these nodes now."""
        before = len(self.operations)
        for n in built:
            self.operations.add(n.op)
        if len(self.operations) > before:
            for seen in self.partly:
                del self.seen[seen]
            self.partly, self.made, self.concerned = [], {}, {}

    def phases(self, n: Expr) -> Phases:
        """The rules that may match, each with the test that may succeed, if it has one: those that
        come first, all, and the late ones."""
        seen = given_by(n)
        found = self.seen.get(seen)
        if found is None:
            op, same, heads = seen
            forms = self.rules.forms(op)
            left = forms.matching(same, heads)
            found, all_concerned = self.made.get((op, left)) or self.concerning(op, forms, left)
            self.seen[seen] = found
            if not all_concerned:
                self.partly.append(seen)
        return found

    def concerning(self, op: Any, forms: Forms, left: int) -> tuple[Phases, bool]:
        """Those among these forms of the rules about an operation; and are these all of them?"""
        ways = forms.ways(left)
        having = [way for way in ways if self.concerns(way[0])]
        found = self.made[op, left] = in_phases(having), len(having) == len(ways)
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
    if len(ins) == 2:  # most of them: be quick
        one, other = ins
        same, heads = one is other, (one.op, other.op)
    else:
        same, heads = False, tuple([i.op for i in ins])
    return n.op, same, heads if UNTOLD.isdisjoint(heads) else tuple(map(head, ins))
