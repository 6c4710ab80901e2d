"""Simplification: rewrite a graph by rules until none applies, and keep every step.

Two passes: one that shortens, then one that stabilises (and shortens what that leaves). They are
repeated until nothing changes, so that simplifying twice is simplifying once.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ..expr import Expr, Graph, Rewriting, Step, as_graph, enters, uncollected
from ..nested import Nested, inside
from .index import RuleSet
from .rewriter import Rewriter
from .rule import MODES
from .rules import RULES, SHORTEN, STABILISE

ROUNDS = 20


@enters("simplify")
def simplify(what: Any, mode: str = "safe", rules: Iterable[Any] | None = None) -> Rewriting:
    """A shorter graph of the same value, with one Step for every rule that was used.

    mode: "ieee" changes nothing but the sign of a zero; "safe" changes finite values only as
    rounding does, and as adding or multiplying in another order does; "real" takes all numbers to
    be finite and arguments to lie in their domains.
    rules: use these rules alone. Raises RewriteLoopError where they run in a circle.
    """
    if mode not in MODES:
        raise ValueError(f"a mode is one of {', '.join(MODES)}, not {mode!r}")
    before = as_graph(what)
    sets = rule_sets(mode) if rules is None else [RuleSet(rules, mode)]
    with uncollected():
        return Simplification(before).run(*sets)


@lru_cache
def rule_sets(mode: str) -> tuple[RuleSet, RuleSet, RuleSet]:
    """The rules that shorten, those that stabilise, and all of them together."""
    return RuleSet(SHORTEN, mode), RuleSet(STABILISE, mode), RuleSet(RULES, mode)


class Simplification:
    """Passes in a row, with one log."""

    def __init__(self, before: Graph):
        self.before, self.roots = before, list(before.outputs)
        self.log: list[tuple[Expr, Expr]] = []
        self.steps: list[Step] = []
        self.marks: list[int] = []

    def run(
        self, shorten: RuleSet, stabilise: RuleSet | None = None, together: RuleSet | None = None
    ) -> Rewriting:
        for _ in range(ROUNDS):
            first = self.apply(shorten)
            again = bool(first.steps and first.refused)
            if together is not None and any(isinstance(op, Nested) for op in first.ops):
                stage = inside(Graph(self.roots), shorten.mode, simplified)
                self.roots = list(stage.outputs)
                again |= self.keep(stage)
            if stabilise and together and stabilise.concerns(set(first.final.values())):
                second = self.apply(together)
                again |= bool(second.steps and second.refused)
            if not again:
                break
        after = Graph(self.roots, self.before.inputs, self.before.names)
        return Rewriting("simplify", self.before, after, self.steps, self.log, self.marks)

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


def simplified(body: Graph, mode: str) -> Graph:
    """The body of an operation, simplified; the same object where nothing is to be done."""
    stage = simplify(body, mode)
    return stage.after if stage.steps else body
