"""rule.check(): wrong rules are caught, at the simplest point, in the words of a student."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import Rule, cos, cosh, exp, floor, log, log1p, sin, sqrt, square, where
from autodiff_edu.check import counterexample, watch
from autodiff_edu.check.rule import points
from autodiff_edu.check.rule.instances import lenient, uses
from tests.helpers.depth import is_short, some

pytestmark = pytest.mark.numeric

x, y, z, p = ad.wild("x y z p")
c = ad.wild("c", constant=True)

WRONG = [
    (Rule("distribute", x * (y + z), x * y + z), "at x = 0, y = 0, z = 1: left 0, right 1"),
    (Rule("root", sqrt(x**2), x), "at x = -1: left 1, right -1"),
    (Rule("log of product", log(x * y), log(x) + log(y)), "at x = 0, y = -1: left -inf, right nan"),
    (Rule("itself", x - x, 0, mode="ieee"), "x - x → 0 is wrong at x = inf: left nan, right 0"),
    (Rule("over itself", x / x, 1), "x / x → 1 is wrong at x = 0: left nan, right 1"),
    (Rule("no sign", abs(x), x), "at x = -1: left 1, right -1"),
    (Rule("small angle", sin(x), x), "at x = 1: left 0.841471, right 1"),
    (Rule("exp of sum", exp(x + y), exp(x) + exp(y)), "at x = 0, y = 0: left 1, right 2"),
    (Rule("branches", where(p, x, y), where(p, y, x)), "at p = 0, x = 0, y = 1: left 1, right 0"),
    (Rule("back", (x / y) * y, x, mode="ieee"), "at x = 0, y = 0: left nan, right 0"),
    (Rule("rounded", log(1 + x), log1p(x), mode="ieee"), "left 0, right 1e-307"),
    (Rule("cancels", log1p(x), log(1 + x)), "left 1e-307, right 0"),
    (Rule("underflows", (x / y) / z, x / (y * z)), "z = 1e+308: left 5e-309, right 0"),
    (Rule("overflows", (x * y) * x, y * square(x)), "at x = 1e+308, y = 0: left 0, right nan"),
    (Rule("at large", cosh(x) / (1 + cosh(x)), square(cosh(x)) / (cosh(x) + square(cosh(x)))),
     "at x = 443.614: left 1, right nan"),
    (Rule("times zero", x * 0, 0), "at x = inf: left nan, right 0"),
    (Rule("three less one", 3 * x - x, 2 * x), "at x = inf: left nan, right inf"),
    (Rule("pythagoras", square(sin(x)) + square(cos(x)), 1), "at x = inf: left nan, right 1"),
    (Rule("whole", floor(x), x), "at x = 0.5: left 0, right 0.5"),
    (Rule("zero over", 0 / x, 0), "at x = 0: left nan, right 0"),
    (Rule("any matrix", x @ c, x, when=lambda c: c.ndim == 2), "left nan everywhere"),
    (Rule("powers", (x**y) ** z, x ** (y * z), mode="real"), "x = -1, y = 2, z = 0.5: left 1, ri"),
    (Rule("root of power", (x**y) ** 0.5, x ** (y * 0.5), mode="real"), "y = 2: left 1, right -1"),
    (Rule("inverses", ad.inv(x @ y), ad.inv(x) @ ad.inv(y)), "left [[-0.0191, -0.4489"),
    (Rule("twice inverse", x @ y, ad.inv(ad.inv(x)) @ y), "right nan everywhere"),
    (Rule("order", ad.transpose(x @ y, axes=(1, 0)),
          ad.transpose(x, axes=(1, 0)) @ ad.transpose(y, axes=(1, 0))), "left [["),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "says"), some(WRONG, 32), ids=lambda given: getattr(given, "name", "")
)
def test_a_wrong_rule_is_caught_at_the_simplest_point(rule, says):
    report = rule.check()
    assert not report.ok
    assert any(says in finding for finding in report.findings), report


def test_a_rule_that_loses_a_slope_is_caught():
    """1 / erfcx x is right for all x, but its slope is inf/inf where x is far below 0."""
    rule = Rule("tail", exp(-square(x)) / ad.erfc(x), 1 / ad.erfcx(x))
    report = rule.check()
    assert not report.ok and "loses its slope at x = -" in report.findings[0], report


@pytest.mark.parametrize(
    ("rule", "advice"),
    some(
        [
            (Rule("over itself", x / x, 1), 'It keeps the promise of mode="real"'),
            (Rule("three less one", 3 * x - x, 2 * x), 'It keeps the promise of mode="real"'),
            (Rule("rounded", log(1 + x), log1p(x), mode="ieee"), 'the promise of mode="safe"'),
            (Rule("root", sqrt(x**2), x), 'It holds where x >= 0: mode="real", needs=x >= 0'),
            (Rule("small angle", sin(x), x), "No mode admits it"),
        ],
        3,
    ),
)
def test_the_mode_or_the_condition_that_would_admit_it_is_told(rule, advice):
    assert advice in rule.check().findings[0]


def test_right_rules_pass_and_tell_what_was_compared():
    for rule in [
        Rule("times one", x * 1, x, mode="ieee"),
        Rule("exps", exp(x) * exp(y), exp(x + y)),
        Rule("root", sqrt(square(x)), x, mode="real", needs=x >= 0, caveat="−x where x < 0"),
        Rule("log of exp", log(exp(x)), x),
        Rule("same", ad.maximum(x, x), x, mode="ieee", any_dtype=True),
    ]:
        report = rule.check()
        assert report.ok, report
        assert "both sides agree" in repr(report) and "it decreases 'order'" in repr(report)


def test_what_is_needed_is_respected_and_must_be_enough():
    assert Rule("known", exp(log(x)), x, mode="real", needs=x >= 0, caveat="nan").check().ok
    weak = Rule("weak", sqrt(square(x)), x, mode="real", needs=x != 0)
    assert "at x = -1: left 1, right -1" in weak.check().findings[0]


@pytest.mark.each(
    ("rule", "why"),
    some(
        [
            (
                Rule("folded", c + 2, c),
                "fold constants comes before all rules and makes 4 of 2 + 2",
            ),
            (Rule("closed", x + y, x, when=lambda x: False), "its `when` was false"),
            (
                Rule("idle", sin(x), lambda x: None),
                "sin(x) was not matched, nor made into anything",
            ),
            (
                Rule("grows", exp(x + y), exp(x) * exp(y)),
                "exp(x + y) → exp(x) * exp(y) adds operations",
            ),
            (Rule("circle", x + y, y + x), "without end"),
            (Rule("breaks", sin(x), lambda x: x.nothing), "it fails for sin(x)"),
            (
                Rule("odd", sin(-x), -sin(x), decreases="nodes"),
                "does not save operations, as a rule",
            ),
            (
                Rule("bold", sin(-x), -sin(x), decreases="nodes", cost_policy=""),
                "not decrease 'nodes'",
            ),
            (Rule("dear", square(x), x * x, decreases="cost"), "a rule that decreases 'cost' must"),
            (Rule("power", sqrt(x), x**0.5), "costs more: 4 instead of 2 additions"),
            (
                Rule("joined", (x / y) / z, x / (y * z), reorders=True),
                "the law of products refuses (x / y) / z → x / (y * z), since something new "
                "on the way",
            ),
        ],
        3,
    ),
    ids=lambda given: getattr(given, "name", ""),
)
def test_rules_that_do_nothing_or_do_not_end_are_told_why(rule, why):
    report = rule.check()
    assert any(why in finding for finding in report.findings), report


def test_a_report_is_the_same_every_time(monkeypatch):
    if is_short():
        monkeypatch.setattr(points, "MANY", 200)
    rule = Rule("distribute", x * (y + z), x * y + z)
    assert repr(rule.check()) == repr(rule.check())


def test_constants_and_arrays_in_a_counterexample_are_short():
    found = counterexample(ad.RULES["product with eye"], "safe")
    assert repr(found).endswith("= inf everywhere: left nan everywhere, right inf everywhere")


@pytest.mark.each(
    ("name", "mode", "says"),
    [
        ("over itself", "safe", "x / x → 1 is wrong at x = 0: left nan, right 1"),
        ("log of exp", "ieee", "log(exp(x)) → x is wrong at x = 1000: left inf, right 1000"),
        ("exp of log", "safe", "exp(log(x)) → x is wrong at x = -1: left nan, right -1"),
        ("times zero", "safe", "x * 0 → 0 is wrong at x = inf: left nan, right 0"),
        ("root of square", "ieee", "is wrong at x = 1e+308: left inf, right 1e+308"),
    ],
)
def test_what_a_rule_would_break_in_a_stricter_mode(name, mode, says):
    assert repr(counterexample(ad.RULES[name], mode)).endswith(says)
    assert counterexample(ad.RULES[name], ad.RULES[name].mode) is None


def test_the_point_does_not_hang_on_the_last_digit():
    """Where log(1 + x) and log1p(x) differ in the last digit depends on the processor."""
    found = counterexample(Rule("small", log(1 + x), log1p(x), mode="ieee"), "ieee")
    assert found.where == {"x": 1e-307}
    found = counterexample(Rule("third", x / 3, x * (1 / 3), mode="ieee"), "ieee")
    assert repr(found).endswith("is wrong in the last digits")


def test_a_counterexample_holds_what_it_says():
    found = counterexample(ad.RULES["over itself"], "safe")
    assert found.where == {"x": 0.0} and np.isnan(found.left) and found.right == 1
    assert str(found.before) == "x / x" and found.after.value == 1


# ---- the measure, step by step


def test_every_step_lowers_what_its_rule_says():
    s = ad.scalar("s")
    watch(ad.simplify(ad.exp(s) * 1 + (s + 0) * (s + 0)))


def test_the_first_step_that_does_not_is_named():
    s = ad.scalar("s")
    once = Rule("once", sin(x), cos(x), decreases="nodes", cost_policy="")
    stage = ad.simplify(ad.sin(s * 1), rules=ad.RULES + once)
    with pytest.raises(AssertionError, match="step 1, 'once', does not decrease nodes: sin"):
        watch(stage, ad.RULES + once)


def test_a_rule_may_ask_a_check_what_it_may_ask_the_rewriter():
    t, faults = ad.scalar("t"), []
    rule = lenient(ad.RULES["open brackets"], example=ad.sigmoid(-t) * t + ad.sigmoid(t) * t)
    uses(rule, faults)  # it looks whether the graph has σ(t)
    assert faults == []
