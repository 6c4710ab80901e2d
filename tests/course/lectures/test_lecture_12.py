"""Checkers for stability: exact references, rules that rescue, formulas that no rule rescues."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.course import Unsolved, Wrong, check_disguise, check_rescue, exact, without

pytestmark = pytest.mark.numeric

core = exact(lambda x: (1 + x.exp()).ln())
sigmoid = exact(lambda x: 1 / (1 + (-x).exp()))
TEN = np.log(10)


# ---- references


def test_a_reference_is_rounded_once():
    np.testing.assert_array_equal(
        core(np.array([[1000.0, -1000.0], [-40.0, -744.0]])),
        [[1000, 0], [4.248354255291589e-18, 1e-323]],
    )
    assert core(0.0) == 0.6931471805599453


def test_a_reference_of_the_whole_array():
    total = exact(lambda x: sum(t.exp() for t in x).ln(), whole=True)
    assert total(np.array([1000.0, 1000.0])) == 1000.6931471805599
    assert total(np.array([-np.inf, 3.0])) == 3 and total([-np.inf]) == -np.inf


def test_answers_are_refused_by_name():
    def nested(x):
        return np.array([np.logaddexp(0, t) for t in x])

    def direct(x):
        return np.logaddexp(0, x)

    for f in (nested, direct):
        with pytest.raises(Wrong, match=f"{f.__name__}: not with logaddexp: write it yourself"):
            without(f, "logaddexp", "softplus")
    without(direct, "softplus")


add = np.logaddexp


def logaddexp(a, b):
    return np.maximum(a, b) + np.log1p(np.exp(-abs(a - b)))


def hidden(x):
    return add(0, x)


def by_a_helper(x):
    return hidden(x)


def by_ones_own(x):
    return logaddexp(0, x)


def around(n):
    return around(n - 1) if n else by_a_helper(n)


def test_an_answer_is_found_behind_other_names():
    for f in (hidden, by_a_helper, around):
        with pytest.raises(Wrong, match="not with logaddexp"):
            without(f, "logaddexp")


def test_ones_own_function_may_have_the_name_of_an_answer():
    without(by_ones_own, "logaddexp")


# ---- rules that rescue


def rescued(rule, **given):
    def rescue():
        return rule

    given.setdefault("points", [1e-20, 0.5])
    check_rescue(rescue, lambda x: np.log10(1 + x), "log1p", lambda x: np.log1p(x) / TEN, **given)


def rule(left, right, **given):
    given = {"phase": "stabilise", "decreases": "unstable", "caveat": "forgets u"} | given
    return ad.Rule("mine", left, right, **given)


u, v = ad.wild("u v")
RIGHT = rule(ad.log10(1 + u), ad.log1p(u) / TEN)


def test_a_right_rule_is_accepted(capsys):
    rescued(RIGHT, alike=[lambda x, y: np.log10(2 + x)])
    assert "log1p takes over, and its values are right at 2 points" in capsys.readouterr().out


@pytest.mark.each(
    "wrong, words",
    [
        (5.0, r"a rule, `return ad.Rule\(...\)`"),
        (rule(ad.log10(1 - u), ad.log1p(-u) / TEN), "a graph with log1p in it"),
        (rule(ad.log10(1 + u), ad.log1p(u) / TEN, mode="real"), "a graph with log1p in it"),
        (rule(ad.log10(1 + u), ad.log1p(u)), "differs"),
        (rule(ad.log10(v + u), ad.log1p(u) / TEN), "a graph with log1p in it|differs"),
        (rule(ad.log10(1 + u), ad.log1p(u) / TEN, decreases="nodes"), "a graph with log1p in it"),
    ],
)
def test_a_wrong_rule_is_told_why(wrong, words):
    with pytest.raises(Wrong, match=words):
        rescued(wrong, alike=[lambda x, y: np.log10(2 + x)])


def test_formulas_that_look_alike_stay():
    with pytest.raises(Wrong, match="this formula as it is"):
        rescued(RIGHT, alike=[lambda x, y: np.log10(1 + x * y)])


# ---- formulas that no rule rescues


def disguise(f):
    def disguised(x):
        return f(x)

    check_disguise(disguised, core, sigmoid, (-5.0, 5.0), (-40.0, 1000.0))


def test_a_disguise_is_accepted(capsys):
    disguise(lambda x: 3 * np.log(np.cbrt(1 + np.exp(x))))
    assert "not rescued at [-40.0, 1000.0]" in capsys.readouterr().out


@pytest.mark.each(
    "f, words",
    [
        (lambda x: np.log(1 + np.exp(x)), "one that is stabilised: softplus"),
        (lambda x: np.log(2 + np.exp(x)), "the value of"),
        (lambda x: np.where(x > 900, np.inf, np.log(1 + np.exp(x))), "refused: greater, where"),
        (lambda x: 1.0, "a formula in x"),
    ],
)
def test_what_is_no_disguise_is_told_why(f, words):
    with pytest.raises(Wrong, match=words):
        disguise(f)


def test_a_task_that_nobody_has_begun():
    def todo(*x):
        raise NotImplementedError

    with pytest.raises(Unsolved, match="todo is not written yet"):
        check_disguise(todo, core, sigmoid, (-5.0, 5.0), (1000.0,))
    with pytest.raises(Unsolved, match="todo is not written yet"):
        check_rescue(todo, np.log1p, "log1p", np.log1p, [1.0])
