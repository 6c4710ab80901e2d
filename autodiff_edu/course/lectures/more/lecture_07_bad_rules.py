"""Checkers for rules that do harm on purpose: that run in a circle, cost more than they save, or
deceive their own check.
"""

from collections.abc import Callable, Sequence
from typing import Any

from ....check import counterexample
from ....check.rule.instances import wildcards
from ....core.rewriter import Rewriter
from ....core.rule import RuleSet
from ....expr import Expr, Graph, RewriteLoopError, postorder
from ....ops import weight
from ....rewrite import Rewrite, Rule, simplify
from ....rewrite.engine.rule_table import Rules
from ...harness.chart import chart_graph
from ...harness.chart_rules import chart_rule, chart_sides, chart_step
from ...harness.check import call
from ...harness.checker import checker
from ...harness.feedback import Wrong, complain, spell
from ..lecture_07 import XY, Formula, content, end, used
from .lecture_07_conditions import value


def is_rule(rule: Any) -> bool:
    return isinstance(rule, Rule)


def true_equation(rule: Rewrite, name: str) -> None:
    """No point is known at which the rule breaks the promise of its mode."""
    broken = counterexample(rule, rule.mode)
    if broken is not None:
        chart_rule(f"{name}: a rule that is wrong", rule)
        complain(name, f"a rule that is right in mode {rule.mode!r}", broken, f"{rule}")


@checker
def check_circle(student: Callable[[], Any], refused: Sequence[str] = ()) -> None:
    """student() is (one, other, expression): two rules that are right and never end together.

    student() is (one, other, expression): two rules that are right, of which the first
    decreases what it says, each of which ends by itself, and which together never do.

    Parameters
    ----------
    refused : sequence of str, default: ()
        The operations of an answer that is known already.
    """
    found, name = call(student, (), by_hand=False), student.__name__
    if not (isinstance(found, tuple) and len(found) == 3 and all(map(is_rule, found[:2]))):
        complain(name, "(one rule, another rule, an expression)", spell(found), f"{name}()")
    one, other, e = found
    if {r.left.op.name for r in (one, other)} == set(refused):
        raise Wrong(f"{name}: this pair is in the lecture; find another")
    for rule in (one, other):
        true_equation(rule, name)
        end([rule], e)
    chart_graph(f"{name}: your expression", [e])
    content(one, name)
    try:
        stage = simplify(e, mode="real", rules=[one, other])
    except RewriteLoopError as error:
        if one.name in str(error) and other.name in str(error):
            print(f"{name}: {error}")
            return
        raise Wrong(f"{name}: both rules must be in the circle\n  got       {error}") from None
    chart_step(f"{name}: your expression comes to an end", stage)
    complain(name, "a RewriteLoopError", stage.output, f"ad.simplify({e}, rules=[one, other])")


# ---- what it costs


@checker
def check_expression_growth(
    student: Formula, rules: Sequence[Rewrite], most: int, times: int
) -> None:
    """student(x) is an expression that these rules make many times larger.

    student(x) is an expression of at most so many operations, equal ones counted once,
    which these rules make so many times larger.

    Parameters
    ----------
    rules : sequence of Rule
        The rules that are used.
    most : int
        How many at most.
    times : int
        How many times as much.
    """
    x, name = XY[0], student.__name__
    e = call(student, (x,), by_hand=False)
    if not isinstance(e, Expr):
        complain(name, "an expression in x", spell(e), f"{name}(x)")
    before = len(end([], e).operations)
    chart_graph(f"{name}: your expression, {before} operations", [e])
    if before > most:
        complain(name, f"at most {most} operations", before, f"{e}")
    after = grown(e, rules, times * before)
    if after < times * before:
        complain(name, f"{times} times {before} operations, or more", after, f"{e}, rewritten")
    print(f"{name}: {before} operations become {after} or more")


class Enough(Exception):
    """The graph has grown so far that nobody has to wait for the end."""


class Growing(Rewriter):
    """A rewriter that stops when the graph has become large."""

    enough = 0

    def record(self, *step: Any) -> None:
        super().record(*step)
        if len(self.steps) % 16 == 0 and self.size() > 2 * self.enough:
            raise Enough

    def size(self) -> int:
        """The operations of the graph as it stands."""
        return sum(n.op is not None and uses > 0 for n, uses in self.uses.count.items())


def grown(e: Expr, rules: Sequence[Rewrite], enough: int) -> int:
    """The operations that the rules make of e, or at least as many as are enough."""
    engine = Growing(Graph(e), RuleSet(Rules(rules), "real"))
    engine.enough = enough
    try:
        engine.shorten()
    except Enough:
        return engine.size()
    except RewriteLoopError as error:
        raise Wrong(f"{error}\n  at        {e}") from None
    return len(Graph(engine.roots).operations)


@checker
def check_costlier(student: Callable[[], Any], times: int, refused: Sequence[str] = ()) -> None:
    """student() is (rule, expression): a rule that is right and makes the work larger.

    student() is (rule, expression): a rule that is right, and is used there, which leaves
    no more operations than there were, and so many times the work.

    Parameters
    ----------
    times : int
        How many times as much.
    refused : sequence of str, default: ()
        The operations of an answer that is known already.
    """
    found, name = call(student, (), by_hand=False), student.__name__
    if not (isinstance(found, tuple) and len(found) == 2 and is_rule(found[0])):
        complain(name, "(a rule, an expression)", spell(found), f"{name}()")
    rule, e = found
    if {n.op.name for n in postorder([rule.left]) if n.op is not None} & set(refused):
        raise Wrong(f"{name}: this rule is in the lecture; find one without {', '.join(refused)}")
    true_equation(rule, name)
    stage = used(rule, e, [rule], rule.mode)
    sizes = [len(g.operations) for g in (stage.before, stage.graph)]
    if sizes[1] > sizes[0]:
        chart_step(f"{name}: there are more operations afterwards", stage)
        complain(name, f"at most {sizes[0]} operations", sizes[1], f"{e} → {stage.output}")
    before, after = (sum(map(weight, g.operations)) for g in (stage.before, stage.graph))
    chart_step(f"{name}: the work is {before:,} before and {after:,} after", stage)
    if after < times * before:
        complain(name, f"{times} times the work, {before}", after, f"{e} → {stage.output}")
    print(f"{name}: {sizes[0]} → {sizes[1]} operations, work {before} → {after}")


@checker
def check_deceptive_rule(student: Callable[[], Any], gap: float) -> None:
    """student() is (rule, number): a wrong rule with which its own check is content.

    student() is (rule, number): a rule in one wildcard, without conditions, with which its
    own check is content, and a number at which its sides differ by that gap.

    Parameters
    ----------
    gap : float
        How far the sides are to differ.
    """
    found, name = call(student, (), by_hand=False), student.__name__
    if not (isinstance(found, tuple) and len(found) == 2 and is_rule(found[0])):
        complain(name, "(a rule, a number)", spell(found), f"{name}()")
    rule, point = found
    wilds = wildcards(rule)
    if rule.when or rule.needs or rule.example is not None or len(wilds) != 1:
        raise Wrong(f"{name}: one wildcard, and neither when=, needs= nor example=, are allowed")
    both = rule.left, rule.right
    left, right = (value(side, wilds[0], point) for side in both)
    if isinstance(point, (int, float)):
        chart_sides(f"{name}: your rule at {point:g}", both, wilds[0], point)
    if not abs(left - right) >= gap:
        at = f"{rule}, {wilds[0]} = {spell(point)}"
        complain(name, f"two sides that differ by {gap} or more", f"{left} and {right}", at)
    content(rule, name)
    print(f"{name}: rule.check() is content, and at {spell(point)} the sides are {left}, {right}")
