"""One test over every rule: it fires, and both sides agree as far as its mode promises."""

from itertools import product

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Constant, Wild, evaluate_all, postorder
from autodiff_edu.nested.history import history
from autodiff_edu.ops.index import embed
from autodiff_edu.simplify.match import instantiate
from autodiff_edu.simplify.rule import MODES, Rule
from autodiff_edu.simplify.rules import zeros

SPECIAL = [
    0.0, -0.0, 1.0, -1.0, 2.0, 0.5, np.inf, -np.inf, np.nan, 1e308, -1e308, 1e-300, 700.0, -700.0,
]  # fmt: skip
MODERATE = list(np.random.default_rng(5).uniform(-3, 3, 12))
NUMBERS = [2.0, 3.0, -1.5, 4.0]
X = ad.matrix("X", shape=(3, 4))
V = ad.vector("v", shape=4)
N = ad.vector("n")
C = ad.constant(2.5)
EYE = ad.constant(np.eye(4))
EXAMPLES = {  # rules about shapes need arrays that have them
    "reshape twice": X.reshape(4, 3).reshape(2, 6),
    "reshape to same": X.reshape(3, 4),
    "transpose twice": X.T.T,
    "transpose in order": X.transpose(0, 1),
    "squeeze of expand": ad.squeeze(ad.expand_dims(V, axis=0), axis=0),
    "expand of squeeze": ad.expand_dims(ad.squeeze(V.reshape(1, 4), axis=0), axis=0),
    "spread twice": ad.broadcast_to(ad.broadcast_to(V, (3, 4)), (2, 3, 4)),
    "spread to same": ad.broadcast_to(V, (4,)),
    "slice of all": X[:, 0:],
    "slice of a slice": X[1:, ::-1][:, ::-1],
    "after the first": history(X, X[2]),
    "slice of spread": ad.broadcast_to(V, (3, 4))[::-1],
    "nothing around": embed(V, (4,), key=((None, None, -1),)),
    "slice of embedded": embed(V, (6,), key=((1, 5, None),))[1:5],
    "length elsewhere": ad.exp(N).shape[0],
    "sum of minus": ad.sum(-X, axis=0),
    "sum of one": ad.sum(V.reshape(1, 4), axis=0),
    "sum of spread": ad.sum(ad.broadcast_to(V[0], (3, 4))),
    "sum of sum": ad.sum(ad.sum(X, axis=0)),
    "sum of transposed": ad.sum(X.T),
    "sum of reshaped": ad.sum(X.reshape(4, 3)),
    "sum of scaled": ad.sum(C * X, axis=1),
    "minus out of @": (-X) @ V,
    "number out of @": (C * X) @ V,
    "transpose of @": ad.transpose(X.T @ X.reshape(3, 4)),
    "product with eye": X @ EYE,
    "eye times": EYE @ V,
    "product with nothing": X @ ad.ops.zero(V),
    "product of nothing": ad.ops.zero(X) @ V,
    "linear in nothing": ad.sum(ad.ops.zero(X)),
    "collect terms": V + V,
    "collect powers": V * V,
}
EXAMPLES |= {r.name: r.example for r in ad.RULES if r.example is not None}
RULES = [*ad.RULES]
COMPARED = [rule for rule in RULES if rule not in zeros.RULES]  # 0·inf is 0 for an exact zero
every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


def wildcards(rule):
    return [n for n in postorder([rule.left]) if isinstance(n, Wild)]


def instances(rule):
    """The left side with inputs for its wildcards, and constants where constants are asked for."""
    if rule.name in EXAMPLES:
        return [EXAMPLES[rule.name]]
    if rule.name.startswith("spread into"):
        return [rule.left.op(ad.broadcast_to(V, (3, 4)), X)]
    if rule.name.endswith("by spread"):
        return [rule.left.op(X, ad.broadcast_to(V, (3, 4)))]
    wilds = wildcards(rule)
    chosen = product(*[NUMBERS if w.constant else [None] for w in wilds])
    return [instance(rule, wilds, numbers) for numbers in chosen]


def instance(rule, wilds, numbers):
    conditions = {"p", "c"} if "where" in rule.name else set()
    found = {}
    for w, number in zip(wilds, numbers):
        if w.name in conditions:
            found[w.name] = ad.constant(True) if w.constant else ad.scalar(w.name) > 0
        elif number is not None:
            found[w.name] = ad.constant(number)
        else:
            found[w.name] = ad.scalar(w.name, positive="log of reciprocal" == rule.name)
    return instantiate(rule.left, found)


def fired(rule):
    """(before, after) for each instance to which the rule alone applies."""
    stages = [ad.simplify(node, rules=[rule], mode=rule.mode) for node in instances(rule)]
    return [stage for stage in stages if any(step.rule == rule.name for step in stage.steps)]


@every_rule
def test_every_rule_can_be_read(rule):
    assert repr(rule).startswith(rule.name)


@every_rule
def test_every_rule_fires(rule):
    assert fired(rule), rule


@pytest.mark.parametrize("rule", COMPARED, ids=lambda rule: rule.name)
def test_both_sides_agree_as_far_as_the_mode_promises(rule):
    for stage in fired(rule)[:4]:
        inputs = stage.before.inputs
        points = (
            MODERATE if rule.phase == "stabilise" or rule.mode == "real" else SPECIAL + MODERATE
        )
        for values in list(product(points, repeat=len(inputs)))[:400]:
            at = {i: np.full([n or 4 for n in i.type.shape], v)[()] for i, v in zip(inputs, values)}
            try:
                before = np.asarray(value(stage.before.output, at))
            except ValueError:  # no probability, say: then the other side must refuse it too
                with pytest.raises(ValueError):
                    value(stage.after.output, at)
                continue
            after = np.asarray(value(stage.after.output, at))
            agree(rule, before, after, values)


def value(node, at):
    return evaluate_all([node], at)[node]


def agree(rule, before, after, values):
    assert before.shape == after.shape and before.dtype == after.dtype
    if rule.mode == "ieee":
        np.testing.assert_array_equal(after, before, err_msg=str(values))  # 0 equals −0 here
        return
    told = np.isfinite(before)
    if rule.mode == "safe" and rule.phase != "stabilise":
        assert np.isfinite(after[told]).all()
    if rule.mode == "safe":
        np.testing.assert_allclose(after[told], before[told], rtol=1e-9, atol=1e-200)
    elif told.all() and np.isfinite(after).all():
        np.testing.assert_allclose(after, before, rtol=1e-9)


def test_no_rule_is_used_in_a_stricter_mode_than_its_own():
    for rule in RULES:
        for mode in MODES[: MODES.index(rule.mode)]:
            for node in instances(rule)[:1]:
                if isinstance(rule, Rule) and not rule.needs:
                    steps = ad.simplify(node, rules=[rule], mode=mode).steps
                    assert rule.name not in [step.rule for step in steps]


def test_names_are_unique_and_every_risky_rule_has_its_caveat():
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    assert all(rule.caveat for rule in RULES if rule.mode == "real")
    assert len(names) >= 40


def test_rules_read_as_equations():
    x = ad.wild("x")
    rule = ad.Rule("times one", x * 1, x, mode="ieee")
    assert repr(rule) == "times one: x * 1 → x  [ieee]"
    with pytest.raises(ValueError, match="ieee, safe, real"):
        ad.Rule("odd", x * 1, x, mode="fast")
    with pytest.raises(TypeError, match="operation"):
        ad.Rule("odd", x, x)


def test_a_literal_matches_its_number_and_not_an_exact_zero():
    x = ad.scalar("x")
    assert ad.simplify(x + Constant(0.0), mode="ieee").output is x
    stage = ad.simplify(x + Constant(0.0, exact=True))
    assert [step.rule for step in stage.steps] == ["plus nothing"]
