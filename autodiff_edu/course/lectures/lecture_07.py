"""Checkers for rules of one's own: are they right, and under which condition, and do they meet?

A rule is judged by what it does in a simplification, and by its own `check`.
"""

from collections.abc import Callable, Sequence
from copy import copy
from itertools import permutations, product
from typing import Any, NoReturn

import numpy as np

from ...core.rule import MODES
from ...expr import Expr, Graph, Input, RewriteLoopError, TensorType, evaluate, postorder, same
from ...rewrite import RULES, Rewrite, Rule, Simplification, simplify
from ..harness.chart import chart_graph, chart_values
from ..harness.chart_rules import SIMPLE, chart_ends, chart_rule, chart_step
from ..harness.check import call
from ..harness.checker import checker
from ..harness.feedback import Wrong, complain, differences, expect, spell

Rng = np.random.Generator
Formula = Callable[..., Expr]
CLOSE = 1e-12, 0.0  # rtol and atol: a rule keeps a value, but for rounding
STRANGE = np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 1e308, -1e308, 1e-308, 5e-324, 0.1])


@checker
def check_own_rule(
    student: Callable[[], Any],
    formulas: Sequence[Formula],
    alike: Sequence[Formula] = (),
    *,
    points: int = 200,
    seed: int | None = None,
) -> None:
    """student() is a rule that is used in each formula of x and y.

    Alone and with the engine's rules it makes each formula shorter, and keeps its value, at 0,
    inf and nan as well. Formulas that only look alike stay as they are. Its mode is the
    strictest in which it is right, and its own check finds nothing.

    Parameters
    ----------
    formulas : sequence of callable
        Functions of x and y, to which it applies.
    alike : sequence of callable, default: ()
        Functions of x and y, which only look alike.
    points : int, default: 200
        At how many random points values are compared, for each formula.
    """
    rule, name, rng = the_rule(student), student.__name__, np.random.default_rng(seed)
    mode = rule.mode
    chart_rule(f"{name}: your rule", rule)
    if mode != strictest(rule):
        says = "the strictest mode in which the rule is right"
        complain(f"{name}: this is not its mode", says, repr(rule.mode), f"{name}()")
    for formula in formulas:
        e = formula(*XY)
        alone = used(rule, e, [rule], mode)
        used(rule, e, RULES + rule, mode)
        sizes = [len(g.operations) for g in (alone.before, alone.graph)]
        if sizes[1] >= sizes[0]:
            chart_step(f"{name}: this is not shorter", alone)
            complain(name, "fewer operations", "{} → {}".format(*sizes), f"{e}")
        for _ in range(points):
            same_value(name, alone, {i: draw(rng) for i in XY})
    for formula in alike:
        stage = ending(formula(*XY), mode, [rule])
        if stage.steps:
            chart_step(f"{name}: this formula is another one", stage)
            complain(name, "this formula as it is", stage.output, f"{formula(*XY)}")
    content(rule, name)
    first = ending(formulas[0](*XY), mode, [rule])
    chart_step(f"{name}: a formula, and what your rule makes of it", first)
    print(
        f"{name}: used in {len(formulas)} formulas, shorter, and right at {points} points of each"
    )


XY = [Input(letter, TensorType("float64", ())) for letter in "xy"]


def same_value(name: str, stage: Simplification, at: dict[Input, float]) -> None:
    """Raise Wrong, with a picture, unless a formula has the value of its result."""

    def values(at: dict[Input, float]) -> tuple[Any, Any]:
        with np.errstate(all="ignore"):
            return evaluate(stage.before.outputs[0], at), evaluate(stage.output, at)

    if not any(differences(*values(at), *CLOSE)):
        return
    simple = (dict(zip(at, pair, strict=True)) for pair in product(SIMPLE, repeat=len(at)))
    at = next((point for point in simple if any(differences(*values(point), *CLOSE))), at)
    right, own = values(at)
    both = [stage.before.outputs[0], stage.output]
    chart_values(f"{name}: your rule changes the value", both, at, [right, right])
    said = f"{both[0]} → {both[1]}, x, y = {spell(tuple(at.values()))}"
    expect(right, own, said, *CLOSE)


def draw(rng: Rng) -> float:
    """A number, in half of the cases one that is strange."""
    return float(rng.choice(STRANGE) if rng.random() < 0.5 else rng.normal(scale=10))


def the_rule(student: Callable[[], Any]) -> Rewrite:
    """What the student's function returns, if it is a rule."""
    rule = call(student, (), by_hand=False)
    if not isinstance(rule, Rewrite):
        complain(student.__name__, "a rule, `return ad.Rule(...)`", spell(rule), "its result")
    return rule


def strictest(rule: Rewrite) -> str:
    """The first of the modes in which its check finds nothing; its own, where there is none. The
    last comes first: what it finds in a rule, stricter ones find, too."""
    mode = rule.mode
    for looser in MODES[::-1] if isinstance(rule, Rule) else ():
        twin = copy(rule)
        twin.mode = looser
        if twin.check().findings:
            return mode
        mode = looser
    return mode


def used(rule: Rewrite, e: Expr, rules: Any, mode: str) -> Simplification:
    stage = ending(e, mode, rules)
    if rule.name not in stage.counts:
        chart_graph(f"{rule.name}: not used in this formula", stage.graph.outputs)
        what = "rules=ad.RULES + rule" if len(rules) > 1 else "rules=[rule]"
        at = f"ad.simplify({e}, mode={mode!r}, {what})"
        complain(rule.name, "that the rule is used", stage.output, at)
    return stage


def ending(e: Expr, mode: str, rules: Any) -> Simplification:
    """A simplification that comes to an end."""
    try:
        return simplify(e, mode=mode, rules=rules)
    except RewriteLoopError as error:
        chart_graph("the rules come to no end at this formula", [e])
        raise Wrong(f"{error}\n  at        {e}") from None


def content(rule: Rewrite, name: str) -> None:
    """Its own check finds nothing."""
    findings = rule.check().findings
    if findings:
        chart_rule(f"{name}: your rule", rule)
        complain(name, "a rule of which rule.check() does not complain", findings[0], f"{rule}")


# ---- one end in every order


@checker
def check_confluence(
    student: Callable[[], Any],
    given: Sequence[Rewrite],
    expression: Callable[..., Expr],
    *,
    examples: Sequence[Formula] = (),
    trials: int = 40,
    seed: int | None = None,
) -> None:
    """student() is a rule with which the given ones lead to one end in every order.

    student() is a rule with which the given ones lead to one end in every order, at random
    expressions, expression(rng, x, y), without a change of value.

    Parameters
    ----------
    given : sequence of Rule
        The rules that are there.
    expression : callable
        Draws an expression: (rng, x, y) -> Expr.
    examples : sequence of callable, default: ()
        Functions of x and y that are tried first.
    """
    rule, rng = the_rule(student), np.random.default_rng(seed)
    content(rule, student.__name__)
    tried = [formula(*XY) for formula in examples]
    tried += [expression(rng, *XY) for _ in range(trials)]
    for e in tried:
        pair = two_ends([*given, rule], e)
        if pair is not None:
            object_to(student.__name__, [*given, rule], e)
        at = {i: float(rng.uniform(-0.5, 0.5)) for i in XY}
        wanted = end([*given, rule], e).output
        if any(differences(evaluate(e, at), evaluate(wanted, at), 1e-9, 1e-12)):
            chart_values(f"{student.__name__}: your rule changes the value", [e, wanted], at,
                         [evaluate(e, at)] * 2)  # fmt: skip
        expect(evaluate(e, at), evaluate(wanted, at), f"{e} → {wanted}", 1e-9)
    if examples:  # the first one is the same each time
        first = ending(tried[0], "real", [*given, rule])
        chart_step(f"{student.__name__}: a formula, and its one end", first)
    print(f"{student.__name__}: {len(tried)} expressions come to one end in every order of rules")


Ends = Sequence[tuple[Sequence[Rewrite], Expr]]  # orders of rules, and the end by each


def two_ends(rules: Sequence[Rewrite], e: Expr) -> Ends | None:
    """Two orders of the rules that lead to different ends, or None."""
    (first, one), *others = [(order, end(order, e).output) for order in permutations(rules)]
    return next((((first, one), pair) for pair in others if not same([pair[1]], [one])), None)


def object_to(name: str, rules: Sequence[Rewrite], e: Expr) -> NoReturn:
    """Raise Wrong, with the two ends of the smallest part that has two, drawn."""
    parts = [part for part in postorder([e]) if part.op is not None]
    ends, e = next((pair, part) for part in parts if (pair := two_ends(rules, part)))
    spelled = [", ".join(rule.name for rule in order) for order, _ in ends]
    chart_ends(f"{name}: two ends of {e}", [(end, f"by {s}") for (_, end), s in zip(ends, spelled)])
    (_, one), (_, other) = ends
    complain(name, "one end", f"{one} and {other}", f"{e}, by {' and '.join(spelled)}")


def end(rules: Sequence[Rewrite], e: Expr) -> Graph:
    return ending(e, "real", rules).graph
