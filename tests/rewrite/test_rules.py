"""One test over every rule: it fires, both sides agree as far as its mode promises, and decreases
what it says. What is wrong with a rule is what `rule.check()` finds.
"""

from functools import cache
from itertools import islice

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.check.rule import check_rule, instances, points
from autodiff_edu.check.rule.equivalence import Compared
from autodiff_edu.check.rule.instances import (
    EXTREMES,
    OTHER_DTYPES,
    TYPES,
    Use,
    each_use,
    use,
    uses,
    wildcards,
)
from autodiff_edu.expr import Constant, Input, postorder, substitute
from autodiff_edu.rewrite import FOR_PROGRAMS, MEASURE, MODES, Rewrite, Rule
from autodiff_edu.rewrite.engine.validate import PHASES, check_stated
from autodiff_edu.rewrite.facts.prover import proof
from tests.helpers.depth import draws, is_short, some

RULES = ad.RULES
every_rule = pytest.mark.each("rule", RULES, ids=lambda rule: rule.name)
used = cache(uses)  # two tests look at the same


def sampled(rule, *about):
    """By default one in five of the uses of a rule, with the first."""
    return some(uses(rule, *about), 5)


@pytest.mark.numeric
@pytest.mark.each("rule", some(RULES, 3), ids=lambda rule: rule.name)
def test_every_rule_keeps_the_promise_of_its_mode_and_lowers_what_it_says(rule, monkeypatch):
    monkeypatch.setattr(check_rule, "uses", sampled)
    if is_short():
        monkeypatch.setattr(points, "MANY", 1_000)
        monkeypatch.setattr(points, "FEW", 20)
        turn = len(rule.name)
        types = [TYPES[0], *some(TYPES[1:], 6, turn)]
        monkeypatch.setattr(instances, "TYPES", types)
        monkeypatch.setattr(instances, "OTHER_DTYPES", some(OTHER_DTYPES, 3, turn))
    report = rule.check()
    assert report.ok, report


@pytest.mark.each("rule", some(RULES, 3, turn=1), ids=lambda rule: rule.name)
def test_every_rule_fires_on_what_is_its_own(rule):
    expressions = (one.whole for one in each_use(rule))
    counts = (ad.simplify(e, rules=[rule], mode=rule.mode, final=True).counts for e in expressions)
    assert any(rule.name in count for count in counts)


def takes_numbers(rule):
    """Does a constant stand for any number there? What takes none is checked on the same again."""
    wilds = wildcards(rule) if isinstance(rule, Rule) else ()
    nodes = () if rule.example is None else postorder([rule.example])
    return any(w.constant for w in wilds) or any(isinstance(n, Constant) for n in nodes)


@pytest.mark.each("rule", some(filter(takes_numbers, RULES), 60), ids=lambda rule: rule.name)
def test_every_rule_keeps_its_promise_for_extreme_constants_and_never_fails(rule):
    faults = []
    found = uses(rule, faults, EXTREMES)
    assert faults == []
    broken = filter(None, (Compared(one).first(rule.mode) for one in found))
    assert next(broken, None) is None


@every_rule
def test_every_rule_prints_as_an_equation(rule):
    said = repr(rule)
    assert said.startswith(rule.name) and said.endswith(f"[{rule.mode}]")
    if isinstance(rule, Rule):
        assert f"{rule.name}: {rule.left} → " in said


EQUATIONS = [rule for rule in RULES + FOR_PROGRAMS if isinstance(rule, Rule)]


@pytest.mark.each("rule", EQUATIONS, ids=lambda rule: rule.name)
def test_every_equation_states_what_can_be(rule):
    """That of a user is looked at when it is stated, and ours here."""
    check_stated(rule)


@every_rule
def test_every_rule_says_what_it_is(rule):
    assert isinstance(rule, Rewrite) and rule.mode in MODES and rule.decreases in MEASURE
    assert rule.phase in PHASES and rule.cost_policy in ("", "fewer", "no_worse", "cheaper")
    assert rule.cost_policy or rule.phase == "stabilise", "only stabilising may add operations"


@pytest.mark.numeric
@pytest.mark.parametrize(
    "rule", some([rule for rule in RULES if rule.mode == "real"], 3), ids=lambda rule: rule.name
)
def test_a_rule_that_changes_values_tells_by_an_example_which(rule):
    assert rule.caveat
    risky = (one for one in each_use(rule) if Compared(one, needs=False).first("safe"))
    assert next(risky, None), "it holds in safe mode: say so"


def test_every_rule_that_is_not_exact_has_a_caveat_or_says_what_it_needs():
    bare = [r.name for r in RULES if r.mode == "real" and not (r.caveat or r.needs)]
    assert bare == []


def test_a_rule_waits_for_its_phase():
    """Of two rules for one expression that which is tried first may come too late."""
    one, other = ad.wild("one other")
    for phase in PHASES:
        late = ad.Rule("late", one + other, ad.hypot(one, other), phase=phase, cost_policy="")
        soon = ad.Rule("soon", one + other, ad.maximum(one, other), cost_policy="")
        used = [step.rule for step in ad.simplify(x + y, rules=[late, soon]).steps]
        assert used == (["late"] if phase == "canonicalise" else ["soon"])
    assert {rule.phase for rule in RULES} == set(PHASES)


def test_names_are_unique_and_there_are_rules_enough():
    assert len(set(RULES.names)) == len(RULES)
    assert len(RULES) >= 75


@pytest.mark.each("rule", some([r for r in RULES if r.mode != "ieee"], 3), ids=lambda r: r.name)
def test_no_rule_is_used_in_a_stricter_mode_without_a_proof(rule):
    for one in islice(each_use(rule), draws(3)):
        for mode in MODES[: MODES.index(rule.mode)]:
            stage = ad.simplify(one.whole, rules=[rule], mode=mode, final=True)
            proved = rule.needs and mode == "safe"
            if not proved:
                assert rule.name not in stage.counts
            assert all(a.declared for a in stage.assumptions)


def declared(conditions):
    """The same conditions on inputs of which all facts are declared."""
    inputs = [n for n in postorder(conditions) if isinstance(n, Input) and n.type.is_float]
    facts = {"positive": True, "finite": True, "integer": True}
    became = {n: ad.tensor(n.name, shape=n.shape, dtype=n.dtype, **facts) for n in inputs}
    return substitute(conditions, became)


@pytest.mark.each("rule", some([r for r in EQUATIONS if r.needs], 3), ids=lambda rule: rule.name)
def test_a_rule_that_safe_mode_passes_over_can_never_be_proved(rule):
    proved = [all(map(proof, declared(one.needs))) for one in used(rule) if one.needs]
    assert rule.allowed("safe") or not any(proved)


def test_what_nothing_proves_is_not_tried_in_safe_mode():
    a, b = ad.wild("a b")
    total, sure = (ad.Rule(name, a / b, a * b, mode="real", needs=needs)
                   for name, needs in (("total", ad.isfinite(a + b)), ("sure", b > 0)))  # fmt: skip
    assert [rule.allowed("real") for rule in (total, sure)] == [True, True]
    assert [rule.allowed("safe") for rule in (total, sure)] == [False, True]
    assert [rule.allowed("ieee") for rule in (total, sure)] == [False, False]


# ---- what collects has no left side: it is checked on more than its example

x, y = ad.scalar("x"), ad.scalar("y")
SUMS = [
    x + x, 2 * x + 3 * x, 3 * x - x, (x + 1) + 2, (x - 1) + 1, x - y - x, 2 * x - y + x, -x - x,
    (x + y) + (x - y), x - 2 * x, 1 - (x + 1), x + y - (x + y), (x + 1e308) + 1e308,
]  # fmt: skip
PRODUCTS = [
    x * x, x * x * x, x * ad.square(x), x**2 * x**3, 2 * (3 * x), (2 * x) * (3 * y), (x * y) / x,
    x / y / x, (x / y) * y, x**3 / x, x / x**3, 2 / (4 * x), (x * x) / (y * y), 1 / x * x,
    ad.sqrt(x) * ad.sqrt(x), ad.exp(x) * ad.exp(y) * x, y / ad.exp(x) * ad.exp(x), x / 3 * 3,
    x**0.5 * x**1.5, (x * 1e200) * 1e200, (x * 1e-200) * 1e-200, ad.square(x) / x,
]  # fmt: skip
MODES_AND_SUMS = [
    (mode, e) for k, e in enumerate(SUMS + PRODUCTS) for mode in some(MODES, 3, turn=k)
]


@pytest.mark.each(("mode", "e"), MODES_AND_SUMS, ids=lambda given: str(given))
def test_collecting_keeps_the_promise_of_the_mode(mode, e):
    stage = ad.simplify(e, mode=mode, rules=[r for r in RULES if r.phase != "stabilise"])
    needs = tuple(c for step in stage.steps for c in step.needs)
    found = Compared(Use(e, stage.output, needs, e)).first(mode)
    assert found is None, found


# ---- reading and writing rules


def test_rules_read_as_equations():
    x = ad.wild("x")
    rule = ad.Rule("times one", x * 1, x, mode="ieee")
    assert repr(rule) == "times one: x * 1 → x  [ieee]"
    with pytest.raises(ValueError, match="ieee, safe, real"):
        ad.Rule("odd", x * 1, x, mode="fast")
    with pytest.raises(ValueError, match="unstable, cost, nodes, order"):
        ad.Rule("odd", x * 1, x, decreases="size")
    with pytest.raises(TypeError, match="operation"):
        ad.Rule("odd", x, x)


def test_a_literal_matches_its_number_and_not_an_exact_zero():
    assert ad.simplify(x + Constant(0.0), mode="ieee").output is x
    stage = ad.simplify(x + Constant(0.0, exact=True))
    assert [step.rule for step in stage.steps] == ["plus nothing"]


def test_a_use_is_what_the_rule_alone_makes_of_an_expression():
    one = use(RULES["over itself"], ad.exp(x) / ad.exp(x))
    assert str(one.before) == "exp(x) / exp(x)" and np.all(one.after.value == 1)
    assert "exp(x) != 0" in [str(c) for c in one.needs]


def test_an_example_may_be_made_when_it_is_asked_for():
    x, y, made = ad.wild("x"), ad.scalar("y"), []
    rule = Rule("r", ad.exp(ad.log(x)), x, example=lambda: made.append(1) or ad.exp(ad.log(y)))
    assert not made
    assert str(rule.example) == "exp(log(y))" and made
    assert Rule("r", ad.exp(ad.log(x)), x).example is None
