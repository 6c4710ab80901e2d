"""What mode real takes for granted is never false: a condition that can be decided is decided, and
values stay wherever all that the formula computes is finite."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.core.pattern import instantiate
from autodiff_edu.expr import Constant, Wild, postorder
from autodiff_edu.rewrite import Rule
from tests.helpers.depth import draws

pytestmark = [pytest.mark.numeric, pytest.mark.filterwarnings("ignore::RuntimeWarning")]

x, y, z = (ad.vector(name, shape=(24,)) for name in "xyz")
POINTS = [-3.0, -2.0, -1.3, -1.0, -0.7, -0.5, 0.3, 0.5, 1.0, 1.7, 2.0, 3.0, 4.0]
NUMBERS = [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0]


def drawn(rng, some):
    return some[rng.integers(len(some))]


def points(rng):
    return {v: rng.choice(POINTS, 24) for v in (x, y, z)}


# ---- the cases that were reported


def test_nothing_is_divided_by_a_zero_that_is_seen():
    u = ad.scalar("u")
    for given in ((u - u) / (u - u), (2 * u - u - u) / (u - u) * u, (u - u) ** -1 * (u - u)):
        stage = ad.simplify(given, mode="real")
        assert np.isnan(ad.evaluate(stage, {u: 0.7}))
        assert not any("!= 0" in str(a.condition) for a in stage.assumptions)


def test_the_logarithm_of_a_power_asks_for_a_base_above_0():
    u, v = ad.scalar("u"), ad.scalar("v")
    value = ad.function([u, v], ad.log(u**v), simplify="real")(-2.0, 2.0)
    np.testing.assert_allclose(value, np.log(4.0), rtol=1e-14)
    p = ad.scalar("p", positive=True, finite=True)
    assert ad.same(ad.simplify(ad.log(p**v)).outputs, [v * ad.log(p)])


# ---- no rule is used where what it needs is false

t = ad.scalar("t")
BELOW_ZERO = [
    -ad.exp(t), -1 - ad.square(t), -0.25 * ad.cosh(t), -ad.softplus(t) / ad.exp(t),
    -ad.square(t) - 0.5,
]  # fmt: skip
CONSTANT = [-2.0, -0.5, 0.0, np.inf, -np.inf, np.nan]
WITH_NEEDS = [rule for rule in ad.RULES if isinstance(rule, Rule) and rule.needs]


def bound(rule, rng):
    """Numbers for the wildcards of a rule, or expressions below 0."""
    bindings = {}
    for wild in (n for n in postorder([rule.left]) if isinstance(n, Wild)):
        below = drawn(rng, BELOW_ZERO)
        plain = wild.constant or rng.random() < 0.5
        bindings[wild.name] = ad.constant(drawn(rng, CONSTANT)) if plain else below
    return bindings


def is_false(condition, bindings):
    """Can one see that it is false: of numbers, or of what a wildcard is bound to?"""
    named = any(condition.inputs[0] is e for e in bindings.values())
    if not named and any(n is t for n in postorder([condition])):
        return False
    values = [ad.evaluate(condition, {t: v}) for v in (-700.0, -3.0, -0.2, 0.0, 0.4, 5.0, 700.0)]
    return not any(values)


@pytest.mark.each("rule", WITH_NEEDS, ids=lambda rule: rule.name)
def test_no_rule_takes_for_granted_what_is_false(rule):
    rng = np.random.default_rng(len(rule.name))
    for _ in range(draws(30)):
        try:
            bindings = bound(rule, rng)
            given = instantiate(rule.left, bindings)
        except (KeyError, TypeError, ValueError):  # it has lengths, axes or matrices
            return
        stage = ad.simplify(given, mode="real", rules=[rule], final=True)
        for step in stage.steps:
            assert not any(is_false(c, bindings) for c in step.needs), (given, step.needs)


# ---- values stay where all that is computed is finite

UNARY = [ad.exp, ad.log, ad.sqrt, ad.square, ad.abs, ad.negative, ad.reciprocal, ad.sin, ad.sigmoid,
         ad.logit, ad.log1p, ad.expm1, ad.exp2, ad.log2, ad.cbrt, ad.cosh, ad.softplus]  # fmt: skip
BINARY = [ad.add, ad.subtract, ad.multiply, ad.divide, ad.power, ad.power, ad.maximum]


def grown(rng, deep):
    """A random formula; a subexpression is often used twice."""
    if not deep or rng.random() < 0.12:
        return drawn(rng, (x, y, z)) if rng.random() < 0.75 else ad.constant(drawn(rng, NUMBERS))
    one = grown(rng, deep - 1)
    if rng.random() < 0.42:
        return drawn(rng, UNARY)(one)
    return drawn(rng, BINARY)(one, one if rng.random() < 0.25 else grown(rng, deep - 1))


def finite_at(given, at):
    """At which points is all that is computed finite, and of a size that leaves digits?"""
    nodes = [n for n in postorder([given]) if n is not given] + [given]
    values = ad.evaluate(ad.Graph([*nodes, x]), at)
    return np.all([np.abs(v) + 0 * at[x] < 1e8 for v in values], axis=0)


@pytest.mark.each("seed", range(draws(60)))
def test_mode_real_keeps_what_is_finite(seed):
    rng = np.random.default_rng(seed)
    for _ in range(25):
        given = grown(rng, rng.integers(2, 6))
        stage, at = ad.simplify(given, mode="real"), points(rng)
        before, after = (ad.evaluate(one, at) + 0 * at[x] for one in (given, stage.output))
        kept = finite_at(given, at)
        np.testing.assert_allclose(after[kept], before[kept], 1e-6, 1e-6, err_msg=str(given))
        for step in stage.steps:
            for condition in step.needs:
                plain = all(n.op or isinstance(n, Constant) for n in postorder([condition]))
                assert not plain or np.all(ad.evaluate(condition)), (given, condition)
