"""Checkers for rules: right answers of several kinds are accepted, and objections say where."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.course import (
    Unsolved,
    Wrong,
    check_circle,
    check_conditions,
    check_confluence,
    check_costlier,
    check_deceptive_rule,
    check_expression_growth,
    check_fired,
    check_own_rule,
)
from tests.helpers.depth import some

u, v, w = ad.wild("u v w")
x, y = ad.scalar("x"), ad.scalar("y")


def answer(*found):
    """A student's function that returns this."""

    def student():
        return found[0] if len(found) == 1 else found

    return student


# ---- a rule


HALVES = ad.Rule("halves", ad.maximum(u, v) + ad.minimum(u, v), u + v, mode="ieee")


def sums(x, y):
    return np.maximum(x, y) + np.minimum(x, y)


def test_a_right_rule_is_accepted(capsys):
    check_own_rule(answer(HALVES), [sums], [lambda x, y: np.maximum(x, y) - y])
    assert "used in 1 formulas, shorter, and right at 200 points of each" in capsys.readouterr().out


@pytest.mark.each(
    "rule, words",
    [
        (
            ad.Rule("r", ad.maximum(u, v) + ad.minimum(u, v), u + v),
            "this is not its mode\n.*strictest mode",
        ),
        (ad.Rule("r", ad.maximum(u, v) + v, u + v, mode="ieee"), "that the rule is used"),
        (ad.Rule("r", ad.maximum(u, v) + ad.minimum(u, v), 2 * u, mode="ieee"), "differs"),
        (ad.Rule("r", u + v, v + u, mode="ieee"), "come to no end"),
        (
            ad.Rule("r", ad.maximum(u, v) + ad.minimum(u, v), ad.abs(u) + ad.abs(v), mode="ieee"),
            "fewer operations",
        ),
        ("u + v", r"a rule, `return ad.Rule\(...\)`"),
    ],
)
def test_a_wrong_rule_is_told_why(rule, words):
    with pytest.raises(Wrong, match=words):
        check_own_rule(answer(rule), [sums])


def test_formulas_that_look_alike_stay():
    with pytest.raises(Wrong, match="this formula as it is"):
        check_own_rule(answer(HALVES), [sums], [lambda x, y: 1 + sums(y, x)])


# ---- one end in every order

GIVEN = [
    ad.Rule("product of exps", ad.exp(u) * ad.exp(v), ad.exp(u + v), cost_policy=""),
    ad.Rule("times itself", u * u, ad.square(u), cost_policy=""),
]


def squares(rng, x, y):
    one = np.exp(x if rng.random() < 0.5 else y)
    return one * one if rng.random() < 0.5 else np.square(one) * one


@pytest.mark.each(
    "left, right",
    some(
        [
            (ad.square(ad.exp(u)), ad.exp(u + u)),
            (ad.exp(u + u), ad.square(ad.exp(u))),
        ],
        2,
    ),
)
def test_a_critical_pair_may_be_joined_from_either_side(left, right):
    def twice(rng, x, y):
        one = np.exp(x if rng.random() < 0.5 else y)
        return one * one

    check_confluence(answer(ad.Rule("mine", left, right, cost_policy="")), GIVEN, twice)


def test_two_ends_are_shown_with_the_orders():
    other = ad.Rule("mine", ad.sin(u), ad.sin(u + 0), cost_policy="", when=lambda u: False)
    other.check = lambda: type("Report", (), {"findings": []})
    with pytest.raises(Wrong, match=r"exp\(x \+ x\) and square\(exp\(x\)\)\n.*by product of exps,"):
        check_confluence(
            answer(other), GIVEN, squares, examples=[lambda x, y: np.exp(x) * np.exp(x)]
        )


# ---- conditions

SIDES = {"root of product": (ad.sqrt(u * u), u), "fourth root": (ad.sqrt(ad.sqrt(u)) ** 4, u)}


def test_conditions_are_exact():
    check_conditions(lambda u: {"root of product": u >= 0, "fourth root": 0 <= u}, SIDES, u)


@pytest.mark.each(
    "condition, words",
    [
        (u > 0, r"false where both .*\n.*\n  got       u > 0\n  at        root of product$"),
        (u != 0, r"true where they differ\n.*\n.*\n  at        root of product$"),
        (ad.abs(u) >= -1, r"true where they differ\n"),
        (ad.exp(u) >= 1, "that facts can prove"),
        (True, "such as u != 2"),
    ],
)
def test_an_inexact_condition_is_told_how_it_fails(condition, words):
    def conditions(u):
        return {"root of product": condition, "fourth root": u >= 0}

    with pytest.raises(Wrong, match=words):
        check_conditions(conditions, SIDES, u)


# ---- harm

BLIND = [ad.Rule("multiply out", u * (v + w), u * v + u * w, mode="real", cost_policy="")]


def test_what_swells(capsys):
    def swelling(x):
        for _ in range(3):
            x = (x + 1) * (x + 1)
        return x

    check_expression_growth(swelling, BLIND, most=6, times=10)
    assert "6 operations become" in capsys.readouterr().out
    with pytest.raises(Wrong, match="10 times 2 operations"):
        check_expression_growth(lambda x: x * (x + 1), BLIND, most=6, times=10)
    with pytest.raises(Wrong, match="at most 5 operations"):
        check_expression_growth(swelling, BLIND, most=5, times=10)


def test_more_work_without_more_operations(capsys):
    column, row = ad.tensor("c", shape=(100, 1)), ad.tensor("r", shape=(1, 100))
    spread = ad.Rule(
        "spread", ad.exp(u) * ad.exp(v), ad.exp(u + v), mode="real", cost_policy="fewer"
    )
    check_costlier(answer(spread, np.exp(column) * np.exp(row)), times=3)
    assert "3 → 2 operations" in capsys.readouterr().out
    with pytest.raises(Wrong, match="100 times the work"):
        check_costlier(answer(spread, np.exp(column) * np.exp(row)), times=100)
    with pytest.raises(Wrong, match="without exp"):
        check_costlier(answer(spread, np.exp(column) * np.exp(row)), times=3, refused=["exp"])


@pytest.mark.each(
    "pair, e",
    [
        ((("a", u + (-v), u - v), ("b", u - v, u + (-v))), x - y),
        ((("a", u / 2, 0.5 * u), ("b", 0.5 * u, u / 2)), x / 2),
        ((("a", -(u - v), v - u), ("b", u - v, -(v - u))), x - y),
    ],
)
def test_circles_of_several_kinds(pair, e):
    (a, b) = pair
    alone = ad.simplify(e, rules=[ad.Rule(*a)])
    found = answer(ad.Rule(*a), ad.Rule(*b, cost_policy=""), e)
    if a[1].op.name == "negative":  # the second goes on for ever by itself
        with pytest.raises(Wrong, match="come to no end"):
            check_circle(found)
    else:
        check_circle(found)
    assert len(alone.steps) < 2


def test_a_pair_of_the_lecture_is_refused():
    pair = ad.Rule("a", ad.square(u), u * u), ad.Rule("b", u * u, ad.square(u))
    with pytest.raises(Wrong, match="this pair is in the lecture"):
        check_circle(answer(*pair, x * x), refused=["square", "multiply"])


def test_a_sly_rule(capsys):
    tent = ad.maximum(ad.minimum(u - 2e6, 9e6 - u), 0)
    rule = ad.Rule("flat", tent, ad.minimum(ad.maximum(u, 0), 0))
    check_deceptive_rule(answer(rule, 2e6 + 2), gap=1.0)
    assert "at 2000002.0 the sides are 2.0, 0.0" in capsys.readouterr().out
    with pytest.raises(Wrong, match="differ by 3.0 or more"):
        check_deceptive_rule(answer(rule, 2e6 + 2), gap=3.0)


@pytest.mark.each(
    "check",
    [
        lambda todo: check_own_rule(todo, [sums]),
        lambda todo: check_confluence(todo, GIVEN, squares),
        lambda todo: check_conditions(todo, SIDES, u),
        lambda todo: check_expression_growth(todo, BLIND, 6, 10),
        lambda todo: check_costlier(todo, 10),
        lambda todo: check_circle(todo),
        lambda todo: check_deceptive_rule(todo, 1.0),
        lambda todo: check_fired(todo, {"user": (ad.simplify(x * 1), "plus zero")}),
    ],
)
def test_a_task_that_nobody_has_begun(check):
    def todo(*_):
        raise NotImplementedError

    with pytest.raises(Unsolved, match="todo is not written yet"):
        check(todo)
