"""Checkers for rules of one's own: are they right, and under which condition, and do they meet?

A rule is judged by what it does in a simplification, and by its own `check`.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from itertools import permutations
from typing import Any

import numpy as np

from ...check.rule.instances import wildcards
from ...core.pattern import instantiate
from ...core.rule import MODES
from ...expr import (
    Constant,
    Expr,
    Graph,
    Input,
    RewriteLoopError,
    TensorType,
    evaluate,
    same,
)
from ...rewrite import RULES, Rewrite, Rule, Simplification, simplify
from ..harness.check import call
from ..harness.checker import checker
from ..harness.feedback import Wrong, complain, expect, spell

Rng = np.random.Generator
Formula = Callable[..., Expr]
STRANGE = np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 1e308, -1e308, 1e-308, 5e-324, 0.1])
ORDINARY = np.array([0, 1, -1, 2, -2, 0.5, -0.5, 3.25, -7.5, 1e-3, -1e-3, 1e3, -1e3])


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
    if mode != strictest(rule):
        says = "the strictest mode in which the rule is right"
        complain(f"{name}: this is not its mode", says, repr(rule.mode), f"{name}()")
    for formula in formulas:
        e = formula(*XY)
        alone = used(rule, e, [rule], mode)
        used(rule, e, RULES + rule, mode)
        sizes = [len(g.operations) for g in (alone.before, alone.graph)]
        if sizes[1] >= sizes[0]:
            complain(name, "fewer operations", "{} → {}".format(*sizes), f"{e}")
        for _ in range(points):
            at = {i: draw(rng) for i in XY}
            said = f"{e} → {alone.output}, x, y = {spell(tuple(at.values()))}"
            with np.errstate(all="ignore"):
                expect(evaluate(e, at), evaluate(alone.output, at), said, 1e-12, 0.0)
    for formula in alike:
        stage = ending(formula(*XY), mode, [rule])
        if stage.steps:
            complain(name, "this formula as it is", stage.output, f"{formula(*XY)}")
    content(rule, name)
    print(
        f"{name}: used in {len(formulas)} formulas, shorter, and right at {points} points of each"
    )


XY = [Input(letter, TensorType("float64", ())) for letter in "xy"]


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
    """The first of the modes in which its check finds nothing; its own, where there is none."""
    if not isinstance(rule, Rule):
        return rule.mode
    for mode in MODES:
        twin = copy(rule)
        twin.mode = mode
        if not twin.check().findings:
            return mode
    return rule.mode


def used(rule: Rewrite, e: Expr, rules: Any, mode: str) -> Simplification:
    stage = ending(e, mode, rules)
    if rule.name not in stage.counts:
        what = "rules=ad.RULES + rule" if len(rules) > 1 else "rules=[rule]"
        at = f"ad.simplify({e}, mode={mode!r}, {what})"
        complain(rule.name, "that the rule is used", stage.output, at)
    return stage


def ending(e: Expr, mode: str, rules: Any) -> Simplification:
    """A simplification that comes to an end."""
    try:
        return simplify(e, mode=mode, rules=rules)
    except RewriteLoopError as error:
        raise Wrong(f"{error}\n  at        {e}") from None


def content(rule: Rewrite, name: str) -> None:
    """Its own check finds nothing."""
    findings = rule.check().findings
    if findings:
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
        ends = [(order, end(order, e).output) for order in permutations([*given, rule])]
        (first, wanted), *others = ends
        at = {i: float(rng.uniform(-0.5, 0.5)) for i in XY}
        expect(evaluate(e, at), evaluate(wanted, at), f"{e} → {wanted}", 1e-9)
        for order, found in others:
            if not same([found], [wanted]):
                orders = " and ".join(", ".join(r.name for r in o) for o in (first, order))
                complain(student.__name__, "one end", f"{wanted} and {found}", f"{e}, by {orders}")
    print(f"{student.__name__}: {len(tried)} expressions come to one end in every order of rules")


def end(rules: Sequence[Rewrite], e: Expr) -> Graph:
    return ending(e, "real", rules).graph


# ---- conditions


@checker
def check_conditions(
    student: Callable[[Any], Any],
    sides: Mapping[str, tuple[Expr, Any]],
    w: Expr,
    *,
    trials: int = 60,
    seed: int | None = None,
) -> None:
    """student(w) tells for each equation in the wildcard w the condition under which it holds.

    student(w) tells for each equation (left, right) in the wildcard w the condition that
    holds where both sides are equal and nowhere else, and that facts can prove.

    Parameters
    ----------
    sides : dict
        The two sides by name, functions of w.
    w : Expr
        The wildcard.
    """
    found, name = call(student, (w,), by_hand=False), student.__name__
    if not (isinstance(found, Mapping) and found.keys() == sides.keys()):
        complain(name, f"a dict with {', '.join(sides)}", spell(found), f"{name}({w})")
    rng = np.random.default_rng(seed)
    for rule, condition in found.items():
        if not isinstance(condition, Expr):
            complain(name, f"a condition on {w}, such as {w} != 2", spell(condition), rule)
        for point in [*rng.normal(scale=5, size=trials), *ORDINARY]:
            equal, holds = agree(sides[rule], w, point), bool(value(condition, w, point))
            if equal != holds:
                words = "true where both sides are equal, and nowhere else"
                what = "false where both sides are equal" if equal else "true where they differ"
                complain(f"{name}: at some number it is {what}", words, condition, rule)
        proved(Rule(rule, *sides[rule], mode="real", needs=condition), name)
    print(f"{name}: {len(found)} conditions hold where the sides are equal, and nowhere else")


def agree(sides: Sequence[Any], w: Expr, point: float) -> bool:
    left, right = (value(side, w, point) for side in sides)
    return bool(np.isclose(left, right, rtol=1e-12, atol=0))


def value(side: Any, w: Expr, point: float) -> Any:
    """The value of a pattern, or of a number, for a number in the place of its wildcard."""
    if not isinstance(side, Expr):
        return side
    with np.errstate(all="ignore"):
        e = instantiate(side, {str(w.name): Constant(float(point), "float64")})
        return evaluate(e, {}) if isinstance(e, Expr) else e


def proved(rule: Rule, name: str) -> None:
    """In safe mode the rule is used for a positive number, and not for any number."""
    for facts in (("positive",), ()):
        p = Input("p", TensorType("float64", ()), frozenset(facts))
        e = instantiate(rule.left, {str(w.name): p for w in wildcards(rule)})
        try:
            uses = simplify(e, rules=[rule]).counts[rule.name]
        except KeyError:
            uses = -1
        if bool(facts) != (uses > 0):
            at = f"{e} in mode 'safe', for {'p > 0' if facts else 'any p'}"
            words = "a condition that facts can prove: u != 0, u > 0 or u >= 0"
            complain(name, words, rule.needs[0], at)
