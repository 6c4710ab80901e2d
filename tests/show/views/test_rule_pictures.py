"""Every rule draws itself, as an equation or by an example of its use, and prints as LaTeX."""

import re

import pytest

from autodiff_edu.expr import Constant
from autodiff_edu.library import inv, isfinite
from autodiff_edu.ops import cos, exp, scalar, sin, square
from autodiff_edu.rewrite import RULES, Rewrite, Rule, Rules, wild
from autodiff_edu.show import RulePicture, draw, latex
from autodiff_edu.show.views.equation import equation

from ...helpers.depth import some

x, y = wild("x y")
c = wild("c", constant=True)

QUOTIENT = Rule("over itself", x / x, 1, "real", needs=x != 0, caveat="0/0 is nan, this says 1")


def each_of(rules):
    return pytest.mark.each("rule", rules, ids=lambda rule: rule.name)


@each_of(some(RULES, 20))
def test_every_rule_has_two_sides(rule):
    drawn = draw(rule)
    assert isinstance(drawn, RulePicture) and drawn.left is not None and drawn.right is not None
    assert all(p.svg.startswith("<svg") and "output" not in p.listing for _, p in drawn.sides)
    left, right = str(equation(rule)).split(" → ")
    assert left and right and left != right


@each_of(some(RULES, 3, turn=1))
def test_every_rule_has_a_formula(rule):
    formula = latex(rule)
    left, right = re.split(r" \\;\\to\\; ", formula)
    assert left != right and formula.count("{") == formula.count("}")
    assert r"\quad" in right or not rule.needs


def test_both_sides_have_their_wildcards_in_one_colour():
    drawn = draw(Rule("swap", sin(x) * exp(y), exp(y) * cos(x)))
    filled = re.compile(r'n\d \[label=(\w) .*?fillcolor="(#\w+)"')
    colours = [dict(filled.findall(p.dot)) for _, p in drawn.sides]
    assert colours[0]["x"] == colours[1]["x"] != colours[0]["y"] == colours[1]["y"]


def test_wildcards_for_constants_have_another_shape():
    listing = draw(Rule("r", x * c, c * x)).left.listing
    assert "input  x" in listing and "constant  c" in listing


def test_formulas_tell_conditions():
    assert latex(QUOTIENT) == r"\frac{x}{x} \;\to\; 1 \quad x \ne 0"
    assert latex(Rule("r", x - x, 0, needs=isfinite(x))).endswith(r"0 \quad x \text{ finite}")
    assert r"\text{x ** 2}" in latex(Rule("r", x**2, square(x)))  # not x² → x²
    two = Rule("r", x / x, 1, "real", needs=(x > 0, x != 0))
    assert two.latex().endswith(r"1 \quad x \gt 0,\; x \ne 0")


def test_a_rule_shows_its_words():
    drawn = draw(QUOTIENT)
    assert repr(drawn).splitlines()[:5] == [
        "over itself: x / x → 1", "mode: real", "needs: x != 0",
        "caveat: 0/0 is nan, this says 1", "decreases: order",
    ]  # fmt: skip
    html = QUOTIENT._repr_mimebundle_()["text/html"]
    assert html.count("<img") == 2 and "this says 1" in html


def larger_than_one(c):
    return c.value > 1


def test_a_condition_that_is_a_function_is_told_by_its_name():
    named = Rule("r", sin(c * x), x, when=larger_than_one)
    assert ("when", "c larger than one") in draw(named).says
    unnamed = Rule("r", sin(x), x, when=lambda x: True)
    assert ("when", "a function says so") in draw(unnamed).says


def test_a_function_on_the_right_is_shown_by_an_example():
    drawn = draw(
        Rule("turned", sin(x), lambda x: cos(x - 1), cost_policy="", example=sin(scalar("t")))
    )
    assert drawn.equation == "sin(t) → cos(t - 1)"
    assert "input  t  [x →]" in drawn.left.listing and "input  t  [→ x]" in drawn.right.listing


def test_an_example_is_made_up_where_none_is_given():
    negative = Rule("r", x + c, lambda x, c: x - Constant(-c.value), when=lambda c: c.value < 0)
    assert draw(negative).equation == "x + -2 → x - 2"


def test_a_made_up_example_has_matrices_where_numbers_do_not_fit():
    rule = Rule("r", inv(x) @ c, lambda x: inv(x), when=lambda c: c.ndim == 2)
    assert draw(rule).equation == "inv(x) @ array(3, 3) → inv(x)"
    assert "input  x  [(3, 3), x →]" in draw(rule).left.listing


def never(x):
    """Says what it would do.

    And more.
    """


def test_without_an_example_the_left_side_and_the_words_are_shown():
    drawn = draw(Rule("never", sin(x), never))
    assert drawn.equation == "sin(x) → …" and drawn.right is None
    assert ("by", "Says what it would do.") in drawn.says
    assert latex(Rule("never", sin(x), never)) == r"\sin(x) \;\to\; \cdots"
    assert "by: " not in repr(draw(Rule("silent", sin(x), lambda x: None)))


def test_a_rewrite_without_any_expression_is_words():
    class Mine(Rewrite):
        """Does as it likes."""

        name = "mine"

    assert draw(Mine()).sides == [] and ("by", "Does as it likes.") in draw(Mine()).says


def test_odd_names_are_escaped():
    w = wild("<u>&\n")
    rule = Rule("<script>", square(w), w * w, caveat="<i>", cost_policy="")
    html = rule._repr_mimebundle_()["text/html"]
    assert not re.search("<script|<i>|<u>", html)
    assert "<u>" not in rule.draw().left.svg and "\n" not in latex(rule)


def test_rules_are_a_table():
    table = Rules([QUOTIENT]).table()
    assert table.columns == ("rule", "equation", "mode", "needs", "caveat", "decreases")
    words = "x / x → 1", "real", "x != 0", "0/0 is nan, this says 1", "order"
    assert table.rows == (("over itself", *words),) and len(RULES.table()) == len(RULES)
    mine = Rules([Rule("<b>", sin(x), x, caveat="a & b")])
    assert "&lt;b&gt;" in mine._repr_mimebundle_()["text/html"]


def test_the_same_rule_has_the_same_bytes():
    rule = RULES["collect terms"]  # a function, shown by an example
    assert rule._repr_mimebundle_() == rule._repr_mimebundle_()
