"""Simplify a graph: rewrite it by rules until none applies, and keep every step.

Two passes: one that shortens, then one that stabilises (and shortens what that leaves). They are
repeated until nothing changes, so that simplifying twice is simplifying once.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ..expr import Expr, Graph, Step, as_graph, enters, uncollected
from ..nested import Nested, inside
from .collection import Rules
from .index import RuleSet
from .rewriter import Rewriter
from .rule import MODES, Rewrite
from .simplified import About, Simplification
from .subjects import RULES

ROUNDS = 20
LATE = ("stabilise", "factor")  # what is unstable must be seen as it was written


@enters("simplify")
def simplify(
    what: Any, mode: str = "safe", rules: Iterable[Rewrite] | None = None
) -> Simplification:
    """A shorter graph of the same value, with one Step for every rule that was used.

    mode: "ieee" changes nothing but the sign of a zero; "safe" changes finite values only as
    rounding does, and as adding or multiplying in another order does; "real" takes all numbers to
    be finite and arguments to lie in their domains.
    rules: use these rules instead of `RULES`: RULES + mine, RULES - "over itself", or some of your
    own alone. Raises RewriteLoopError where they run in a circle.
    """
    if mode not in MODES:
        raise ValueError(f"a mode is one of {', '.join(MODES)}, not {mode!r}")
    phases = rule_sets(mode, RULES if rules is None else Rules(rules))
    with uncollected():
        return Passes(as_graph(what), phases).run()


@lru_cache
def rule_sets(mode: str, rules: Rules) -> tuple[RuleSet, RuleSet, RuleSet]:
    """The rules that shorten, those that come later, and all of them together."""
    late = Rules(rule for rule in rules if rule.phase in LATE)
    shorten = Rules(rule for rule in rules if rule.phase not in LATE)
    return RuleSet(shorten, mode), RuleSet(late, mode), RuleSet(rules, mode)


class Passes:
    """Passes in a row, with one log."""

    def __init__(self, before: Graph, phases: tuple[RuleSet, RuleSet, RuleSet]):
        self.before, self.roots = before, list(before.outputs)
        self.shorten, self.stabilise, self.together = phases
        self.log: list[tuple[Expr, Expr]] = []
        self.steps: list[Step] = []
        self.marks: list[int] = []

    def run(self) -> Simplification:
        for _ in range(ROUNDS):
            first = self.apply(self.shorten)
            again = bool(first.steps and first.refused)
            if any(isinstance(op, Nested) for op in first.ops):
                stage = inside(Graph(self.roots), self.shorten.mode, self.simplified)
                self.roots = list(stage.outputs)
                again |= self.keep(stage)
            if self.stabilise.concerns(set(first.final.values())):
                second = self.apply(self.together)
                again |= bool(second.steps and second.refused)
            if not again:
                break
        after = Graph(self.roots, self.before.inputs, self.before.names)
        about = {rule.name: About(rule.phase, rule.mode) for rule in self.together.rules}
        return Simplification(self.before, after, self.steps, self.log, self.marks, about)

    def apply(self, rules: RuleSet) -> Rewriter:
        one_pass = Rewriter(self.roots, rules)
        self.roots = one_pass.run()
        self.keep(one_pass)
        return one_pass

    def keep(self, one_pass: Any) -> bool:
        """Add a pass to the log. Did it do anything?"""
        done = len(self.log)
        self.log += one_pass.log
        self.steps += one_pass.steps
        self.marks += [done + mark for mark in one_pass.marks]
        return bool(one_pass.steps)

    def simplified(self, body: Graph, mode: str) -> Graph:
        """The body of an operation, simplified; the same object where nothing is to be done."""
        stage = Passes(body, (self.shorten, self.stabilise, self.together)).run()
        return stage.after if stage.steps else body
