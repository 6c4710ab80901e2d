"""Rules as students write them: what they say is what happens, and what cannot be is told."""

import pickle

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import Rule

a, b, x, y = ad.wild("a b x y")
M, N, v = ad.matrix("M"), ad.matrix("N"), ad.vector("v")
SPLIT = Rule("split", ad.sum(a + b), ad.sum(a) + ad.sum(b), cost_policy="")


def fires(rule, e):
    return bool(ad.simplify(e, rules=[rule]).steps)


# ---- parameters are matched as they are meant


def test_what_a_pattern_leaves_unsaid_is_the_default_on_both_sides():
    ones = np.ones((2, 3))
    assert not fires(SPLIT, ad.sum(M + N, axis=0))
    assert not fires(SPLIT, ad.sum(M + N, keepdims=True))
    assert ad.evaluate(ad.simplify(ad.sum(M + N), rules=[SPLIT]), {M: ones, N: ones}) == 12
    assert fires(SPLIT, ad.sum(v + v)) and fires(SPLIT, ad.sum(M + N, axis=(0, 1)))


@pytest.mark.each("axis", [1, -1, (1,), (-1,)])
def test_an_axis_may_be_written_in_any_way(axis):
    rule = Rule("split", ad.sum(a + b, axis), ad.sum(a, axis) + ad.sum(b, axis), cost_policy="")
    stage = ad.simplify(ad.sum(M + N, axis=1), rules=[rule])
    assert str(stage.output) == "sum(M, axis=(1,)) + sum(N, axis=(1,))"
    assert not fires(rule, ad.sum(M + N, axis=0)) and not fires(rule, ad.sum(M + N))


def test_a_wildcard_stands_for_any_axis():
    k = ad.wild("k")
    rule = Rule("odd", ad.sum(-a, axis=k), -ad.sum(a, axis=k), cost_policy="")
    assert str(ad.simplify(ad.sum(-M, axis=0), rules=[rule]).output) == "-sum(M, axis=(0,))"


class Repeated(ad.Op):
    def infer_type(self, x, *, times):
        return x

    def perform(self, x, *, times=2):
        return x * times


def test_a_parameter_may_be_an_operand_on_the_right():
    k, repeated = ad.wild("k"), Repeated()
    rule = Rule("times", repeated(a, times=k), a * k)
    assert str(ad.simplify(repeated(v, times=3), rules=[rule]).output) == "v * 3"


def test_the_default_of_softmax_is_the_last_axis():
    rule = Rule("mine", ad.log(ad.softmax(a)), ad.log_softmax(a))
    assert fires(rule, ad.log(ad.softmax(M))) and fires(rule, ad.log(ad.softmax(M, axis=1)))
    assert not fires(rule, ad.log(ad.softmax(M, axis=0)))


def test_transposes_match_as_they_are_written():
    twice = Rule("twice", a.T.T, a, any_dtype=True)
    product = Rule("product", (a @ b).T, b.T @ a.T, cost_policy="")
    assert ad.simplify(M.T.T, rules=[twice]).output is M
    assert ad.simplify(v.T.T, rules=[twice]).output is v
    assert ad.same([ad.simplify((M @ N).T, rules=[product]).output], [N.T @ M.T])
    cube = ad.tensor("C", shape=(2, 3, 4))
    assert not fires(twice, ad.transpose(ad.transpose(cube, (0, 2, 1)), (0, 2, 1)))
    assert twice.check().ok and any("agree" in said for said in product.check().passed)


def test_an_override_whose_pattern_names_no_axis_takes_any():
    stage = ad.override_gradient(ad.sum(M, axis=0), ad.sum(a), lambda s, out, ct: [s["a"]])
    assert len(stage.matches) == 1
    given = ad.override_gradient(ad.sum(M, axis=0), ad.sum(a, axis=-1), lambda s, out, ct: [ct])
    assert not given.matches


# ---- what cannot be is told when the rule is stated


DOUBLE = (a + a, 2 * a)
s = ad.scalar("s")


@pytest.mark.each(
    ("state", "error", "says"),
    [
        (lambda: Rule("w", "x+x", x), TypeError, "an operation on wildcards, not 'x[+]x'"),
        (lambda: Rule("w", 3, x), TypeError, "an operation on wildcards, not 3"),
        (lambda: Rule("w", a, x), TypeError, "an operation on wildcards, not a"),
        (lambda: Rule("w", s + s, 2 * s), TypeError, r"s is none: write s = ad.wild\('s'\)"),
        (lambda: Rule("w", a + a, 2 * b), ValueError, "'w' names b, but .* are a"),
        (lambda: Rule("w", a + a, "2a"), TypeError, "right side .* not '2a'"),
        (lambda: Rule("w", a + a, [a, a]), TypeError, r"right side .* not \[a, a\]"),
        (lambda: Rule("w", a + a, lambda q: q), ValueError, "right side of the rule 'w' names q"),
        (lambda: Rule("w", *DOUBLE, when=lambda q: q), ValueError, "`when` of .* names q"),
        (lambda: Rule("w", *DOUBLE, needs=True), TypeError, "needs=x != 0, not True"),
        (lambda: Rule("w", *DOUBLE, needs=len), TypeError, "a function goes into when="),
        (
            lambda: Rule("w", *DOUBLE, when="a > 0"),
            TypeError,
            "`when` .* a function .* not 'a > 0'",
        ),
        (lambda: Rule("w", *DOUBLE, when=a > 0), TypeError, "not a > 0: .* goes into needs="),
        (lambda: Rule("w", *DOUBLE, when=True), TypeError, "a function of its wildcards .* True"),
        (lambda: Rule("w", *DOUBLE, example=3), TypeError, "example of the rule 'w' .* not 3"),
        (lambda: Rule("w", *DOUBLE, example=lambda q: q), TypeError, "this one asks for q"),
        (lambda: Rule("w", *DOUBLE, example=lambda: 3).check(), TypeError, "example .* not 3"),
        (lambda: Rule("w", *DOUBLE, needs=b > 0), ValueError, "`needs` of .* names b"),
        (
            lambda: Rule("w", *DOUBLE, cost_policy="yes"),
            ValueError,
            "cost_policy='yes'; write one of fewer, no_worse, cheaper, ''",
        ),
        (lambda: Rule("w", *DOUBLE, mode="fast"), ValueError, "mode='fast'; write one of ieee"),
        (lambda: Rule("w", *DOUBLE, decreases="size"), ValueError, "ses='size'; write one of unst"),
        (
            lambda: Rule("w", *DOUBLE, phase="late"),
            ValueError,
            "phase='late'; write one of canonicalise, factor, stabilise$",
        ),
        (lambda: ad.RULES.select(phase="collect"), ValueError, "write one of canonicalise, factor"),
        (lambda: Rule("w", *DOUBLE, cost_policy="saves"), ValueError, "write one of fewer"),
        (lambda: Rule("w", *DOUBLE, price=3), TypeError, "price"),
        (lambda: Rule(*DOUBLE, "safe"), TypeError, "a rule begins with its name"),
    ],
)
def test_a_rule_that_can_never_be_used_is_not_stated(state, error, says):
    with pytest.raises(error, match=says):
        state()


def test_names_of_wildcards():
    assert [w.name for w in ad.wild("a, b,c d")] == list("abcd") and ad.wild(" q,").name == "q"
    for names in ("", " , "):
        with pytest.raises(ValueError, match="no names: write a, b = ad.wild"):
            ad.wild(names)
    with pytest.raises(ValueError, match="no wildcard is called node"):
        ad.wild("a node")
    with pytest.raises(TypeError, match="wildcards have names, .* not 3"):
        ad.wild(3)


@pytest.mark.each("condition", [a < 3, a, ad.sin(a) > a])
def test_a_condition_of_which_no_proof_is_known_is_told(condition):
    rule = Rule("w", a / a, 1, mode="real", needs=[a != 0, condition], caveat="nan at 0")
    notes = [note for note in rule.check().notes if "no proof" in note]
    assert len(notes) == 1 and f"no proof is known of {condition}, so" in notes[0]
    assert not Rule("w", a / a, 1, mode="real", needs=a != 0, caveat="nan at 0").check().notes


def test_a_function_whose_arguments_cannot_be_read():
    with pytest.raises(TypeError, match="cannot be read: write a lambda around it"):
        Rule("w", a + a, 2 * a, when=max)


def test_a_pattern_may_clip_and_has_no_dtype():
    rule = Rule("twice", ad.clip(ad.clip(a, -4, 4), -4, 4), ad.clip(a, -4, 4))
    assert rule.check().ok
    with pytest.raises(
        AttributeError, match="a pattern is of any dtype and shape, and so has no dtype"
    ):
        a.astype("float32")


@pytest.mark.each(
    ("rule", "e", "error", "says"),
    [
        (Rule("w", a + a, lambda a: "2a"), s + s, ValueError, "the rule 'w', used on s [+] s"),
        (Rule("w", a + a, lambda a: [a, a]), s + s, TypeError, "the rule 'w', used on s [+] s"),
        (Rule("t", ad.sum(a), a, cost_policy=""), ad.sum(M), ad.ShapeError, "'t', .* do not fit"),
        (Rule("t", ad.sum(a, 0, keepdims=True), a, cost_policy=""),
         ad.sum(ad.matrix("B", shape=(2, 3)), axis=0, keepdims=True), ad.ShapeError, "rule 't'"),
        (Rule("grow", a + b, a + b + 1, cost_policy=""), s + s, ad.RewriteLoopError, "by: grow"),
    ],
)  # fmt: skip
def test_a_right_side_that_fails_is_named(rule, e, error, says):
    with pytest.raises(error, match=says):
        ad.simplify(e, rules=[rule])


@pytest.mark.each(
    ("when", "error", "says"),
    [
        (lambda a: {}["rank"], KeyError, "'rank'"),
        (lambda a: a > 0, TypeError, "it gives s > 0, of which no numbers .* goes into needs="),
        (lambda a: np.ones(2), ValueError, "more than one element"),
        (lambda a: a.value > 0, AttributeError, "no attribute 'value'"),
    ],
)
def test_a_condition_that_fails_is_named(when, error, says):
    rule = Rule("w", a + a, 2 * a, when=when)
    with pytest.raises(error, match=f"`when` of the rule 'w', used on s [+] s: .*{says}"):
        ad.simplify(s + s, rules=[rule])
    assert "the rule 'w'" in repr(rule.check())


def test_arithmetic_that_fails_in_a_rule_is_told_by_its_check():
    rule = Rule("w", a + a, lambda a: 1 / 0)
    assert ad.simplify(s + s, rules=[rule]).steps == ()
    assert "division by zero" in repr(rule.check())


# ---- rules in a row


def test_one_rule_or_several_go_wherever_rules_go():
    mine = Rule("w", *DOUBLE)
    assert ad.simplify(s + s, rules=mine).steps and (ad.RULES + mine)["w"] is mine
    assert len(ad.RULES - ad.RULES["over itself"]) == len(ad.RULES) - 1
    assert "over itself" in ad.RULES and "over itselff" not in ad.RULES
    assert ad.RULES["over itself"] in ad.RULES and mine not in ad.RULES


@pytest.mark.each("rules", ["over itself", [DOUBLE], 3, [3]])
def test_what_is_no_rule_is_refused(rules):
    with pytest.raises(TypeError, match=r"a rule is ad.Rule\(name, left, right\)"):
        ad.simplify(s, rules=rules)
    with pytest.raises(TypeError, match=r"a rule is ad.Rule\(name, left, right\)"):
        ad.RULES + rules


def test_names_that_are_none_are_told_with_those_that_are_near():
    stage = ad.simplify(s * 1)
    for asked in (lambda: ad.RULES["over itselff"], lambda: ad.RULES - "over itselff"):
        with pytest.raises(
            KeyError, match="no rule is called 'over itselff'; write one of over itself"
        ):
            asked()
    with pytest.raises(KeyError) as far:
        ad.RULES["zzzz"]
    assert len(str(far.value)) < 40
    for select in (stage.select, ad.RULES.select):
        with pytest.raises(ValueError, match="no phase 'nonsense'; write one of canonicalise"):
            select(phase="nonsense")
    with pytest.raises(ValueError, match="no mode 'quick'; write one of ieee, safe, real"):
        ad.RULES.select(mode="quick")
    with pytest.raises(ValueError, match="rule='times on'; write one of times one, "):
        stage.select(rule="times on")
    assert stage.select(rule="over itself") == () and stage.select(phase="stabilise") == ()


class Halves(ad.Op):
    def infer_type(self, x):
        return ad.TupleType([x, x])

    def perform(self, x):
        return x / 2, x / 2


@pytest.mark.each("right", [Halves()(a), Halves()(a) + a, ad.sin(Halves()(a))], ids=str)
def test_several_results_do_not_take_the_place_of_one(right):
    rule = Rule("halves", ad.exp(a), right, cost_policy="")
    with pytest.raises(TypeError, match="the right side of the rule 'halves', used on exp"):
        ad.simplify(ad.exp(s), rules=[rule])


def test_a_rule_may_be_kept_after_its_use():
    rule = Rule("mine", ad.log(ad.exp(a)), a)
    assert fires(rule, ad.log(ad.exp(v))) and rule.check().ok
    again = pickle.loads(pickle.dumps(rule))
    assert str(again) == str(rule) and fires(again, ad.log(ad.exp(v)))


# ---- what check says


def test_equal_is_one_word_and_of_use_another():
    for rule in (
        Rule("double angle", ad.sin(2 * a), 2 * ad.sin(a) * ad.cos(a)),
        Rule("cube", a**3, a * a * a),
    ):
        report = rule.check()
        assert not report.ok and ": equal, but not of use\n  but   " in repr(report)
    assert ": not right\n  wrong " in repr(Rule("root", ad.sqrt(a**2), a).check())


def test_a_rule_that_needs_any_dtype_is_told_so():
    assert "unless it says any_dtype=True" in Rule("w", a < b, b > a).check().findings[0]
    assert fires(Rule("w", a < b, b > a, any_dtype=True, cost_policy=""), s < 2 * s)


def test_what_differs_only_between_two_thresholds_is_found():
    inside = Rule("inside", ad.where(ad.logical_and(x > 5, x < 6), x, y), y)
    assert "at x = 5.5, y = 0: left 5.5, right 0" in inside.check().findings[0]
