"""Rewriting comes to an end because each step decreases a measure: is that so, step by step?"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ...core.rule import RuleSet
from ...core.uses import operations
from ...expr import Graph, text
from ...ops import weight
from ...rewrite import MEASURE, RULES, Rewrite, Simplification
from .instances import Untouched


class Measured(NamedTuple):
    """The measure of a graph: how often rules that decrease what is unstable match, what all
    operations cost, how many there are, how often rules that decrease disorder match."""

    unstable: int
    cost: int
    nodes: int
    order: int


def measure(graph: Graph, rules: Iterable[Rewrite] = RULES, mode: str = "safe") -> Measured:
    rules = tuple(rules)
    cost = sum(weight(n) for n in graph.operations)
    count = {what: matches(graph, rules, what, mode) for what in ("unstable", "order")}
    return Measured(count["unstable"], cost, operations(graph.operations), count["order"])


def matches(graph: Graph, rules: Sequence[Any], decreases: str, mode: str) -> int:
    """The number of places at which a rule that decreases this matches."""
    fitting = [rule for rule in rules if rule.decreases == decreases]
    if not fitting:
        return 0
    chosen = RuleSet(fitting, mode)
    context = Untouched(graph.outputs, mode)
    return sum(
        any(True for _ in rule.matches(n, context))
        for n in graph.operations
        for rule in chosen.candidates(n)
    )


def falls(decreases: str, before: Measured, after: Measured) -> bool:
    """Is this component lower, or one before it, and the first that changed is lower? Any rule
    may uncover a formula that is unstable: that component binds only the rules that lower it."""
    k = MEASURE.index(decreases)
    if k == 0:
        return after[0] < before[0]
    return after[1 : k + 1] < before[1 : k + 1]


class Place:
    """One step of a simplification, and the measure before and after it."""

    def __init__(self, stage: Simplification, k: int, rules: Iterable[Rewrite], mode: str = "real"):
        self.step, self.k, rules = stage.steps[k], k, tuple(rules)
        self.before = measure(stage.frame(k), rules, mode)
        self.after = measure(stage.frame(k + 1), rules, mode)

    def __repr__(self) -> str:
        changes = zip(MEASURE, self.before, self.after, strict=True)
        said = ", ".join(f"{what} {a} → {b}" for what, a, b in changes)
        return f"{text(self.step.before)} → {text(self.step.after)} changes {said}"


def watch(stage: Simplification, rules: Iterable[Rewrite] = RULES, mode: str = "safe") -> None:
    """Assert that each step of a simplification decreases what its rule says, and nothing before
    that rises. Equal nodes that merge and constants that fold lower the cost, or the nodes.

    rules, mode: those with which the stage was made. Raises AssertionError at the first step that
    does not. Slow: it looks at the whole graph at each step.
    """
    named = {rule.name: rule for rule in rules}
    for k, step in enumerate(stage.steps):
        place, rule = Place(stage, k, named.values(), mode), named.get(step.rule)
        if rule is None:
            fine, said = falls("nodes", place.before, place.after), "cost or nodes"
        elif rule.decreases == "order":
            fine, said = is_in_order(place, rule, stage.frame(k + 1), mode), "order"
        else:
            fine, said = falls(rule.decreases, place.before, place.after), rule.decreases
        if not fine:
            raise AssertionError(f"step {k}, {step.rule!r}, does not decrease {said}: {place}")


def is_in_order(place: Place, rule: Any, frame: Graph, mode: str) -> bool:
    """Do cost or nodes fall; or stay, and the rule does not match what it made? What is above may
    match now: there are always fewer nodes above, so that comes to an end too."""
    after, before, made = place.after[1:3], place.before[1:3], place.step.after
    if after != before or made.op is None:
        return after <= before
    return not any(True for _ in rule.matches(made, Untouched(frame.outputs, mode)))
