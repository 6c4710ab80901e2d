"""Checkers of conditions: where do both sides of an equation agree?"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ....check.rule.instances import wildcards
from ....core.pattern import instantiate
from ....expr import Constant, Expr, Input, TensorType, evaluate
from ....rewrite import Rule, simplify
from ...harness.chart_rules import SIMPLE, chart_sides
from ...harness.check import call
from ...harness.checker import checker
from ...harness.feedback import complain, spell

ORDINARY = np.array([0, 1, -1, 2, -2, 0.5, -0.5, 3.25, -7.5, 1e-3, -1e-3, 1e3, -1e3])


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
            equal, holds = judged(sides[rule], condition, w, point)
            if equal != holds:
                alike = (
                    p for p in SIMPLE if judged(sides[rule], condition, w, p) == (equal, holds)
                )
                draw(f"{name}: {rule}", sides[rule], condition, w, next(alike, point))
                words = "true where both sides are equal, and nowhere else"
                what = "false where both sides are equal" if equal else "true where they differ"
                complain(f"{name}: at some number it is {what}", words, condition, rule)
        draw(f"{name}: {rule}", sides[rule], condition, w, SIMPLE[0])
        proved(Rule(rule, *sides[rule], mode="real", needs=condition), name)
    print(f"{name}: {len(found)} conditions hold where the sides are equal, and nowhere else")


def judged(sides: Sequence[Any], condition: Expr, w: Expr, point: float) -> tuple[bool, bool]:
    """Whether both sides are equal for a number, and whether the condition says so."""
    return agree(sides, w, point), bool(value(condition, w, point))


def draw(title: str, sides: Sequence[Any], condition: Expr, w: Expr, at: float) -> None:
    """Chart both sides and the condition at a number."""
    equal = agree(sides, w, at)
    right = [value(side, w, at) for side in sides]
    words = "both sides are equal" if equal else "the sides differ"
    chart_sides(f"{title}, at {w} = {at:g}: {words}", [*sides, condition], w, at, *right, equal)


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
