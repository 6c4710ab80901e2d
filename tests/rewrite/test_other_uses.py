"""What a graph computes does not depend on what else it computes.

Each naive formula and its slope are simplified beside parts of the formula, and beside other
formulas: the values stay those that they have alone, which tests/rewrite/test_stable.py compares
with many digits.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import postorder
from tests.helpers.depth import draws, some
from tests.rewrite.test_stable import NAIVE, x

pytestmark = pytest.mark.numeric


def parts(formula):
    """The operations inside."""
    return [n for n in postorder([formula]) if n.op and n.type.is_float and n is not formula]


def values(output, points):
    return [float(ad.evaluate(output, {x: p})) for p in points]


def alone(formula, points):
    return values(ad.simplify(formula).output, points)


def beside(formula, output, points):
    """What a formula gives alone; a root whose squares something else uses stays as it is written,
    see autodiff_edu/rewrite/rules/stable/roots.py."""
    ops = {n.op for n in postorder([ad.simplify(formula).output])}
    stays = ad.hypot in ops and ad.hypot not in {n.op for n in postorder([output])}
    return values(formula, points) if stays else alone(formula, points)


@pytest.mark.parametrize("name", some(NAIVE, 12, turn=1))
def test_a_formula_beside_its_own_parts(name):
    naive, points = NAIVE[name]
    inner = parts(naive)
    draw = np.random.default_rng(len(name))
    for formula in (naive, ad.grad(naive, x)):
        wanted = alone(formula, points)
        few = draw.permutation(len(inner))[: draws(10)]
        for others in [[inner[k]] for k in few] + [inner]:
            output = ad.simplify([formula, *others]).outputs[0]
            found = values(output, points)
            np.testing.assert_allclose(found, wanted, rtol=1e-13, err_msg=f"{output} by {others}")


@pytest.mark.parametrize("seed", range(draws(60)))
def test_formulas_beside_other_formulas(seed):
    draw = np.random.default_rng(seed)
    names = draw.choice(list(NAIVE), 3, replace=False)
    formulas = [NAIVE[name][0] for name in names]
    slopes = [ad.grad(f, x) for f in formulas]
    stage = ad.simplify([*formulas, *slopes, sum(formulas)])
    for formula, output, name in zip([*formulas, *slopes], stage.outputs, [*names, *names]):
        points = NAIVE[name][1]
        wanted = beside(formula, output, points)
        np.testing.assert_allclose(values(output, points), wanted, rtol=1e-13, err_msg=str(names))


def test_no_rule_that_stabilises_asks_for_the_cost():
    """It would be refused where an operand has another user."""
    asked = {rule.name: rule.cost_policy for rule in ad.RULES if rule.phase == "stabilise"}
    assert {name for name, policy in asked.items() if policy} == set()


SHARED = [  # of issue 39: tanh beside its slope
    lambda t: np.tanh(t),
    lambda t: 1 - np.tanh(t),
    lambda t: np.log(1 - np.tanh(t) ** 2),
    lambda t: np.tanh(t) * np.tanh(2 * t),
    lambda t: np.tanh(np.tanh(t)) + np.tanh(t),
]


@pytest.mark.parametrize("f", SHARED)
def test_the_slope_beside_the_value(f):
    for at in (1e-9, 0.3, 19.0, 20.0, -40.0, 300.0):
        assert ad.value_and_grad(f)(at)[1] == pytest.approx(ad.grad(f)(at), rel=1e-14, abs=0)


def test_slopes_of_tanh_are_numbers_where_cosh_overflows():
    for f, at in [
        (np.tanh, 720.0), (lambda x: np.tanh(1e3 * x), 0.9), (lambda x: 1 / np.cosh(x), 720.0),
        (lambda x: 1 / np.cosh(x) ** 2, 720.0), (lambda x: x / np.cosh(x) ** 2, -720.0),
    ]:  # fmt: skip
        assert ad.grad(f)(at) == 0 and ad.grad(ad.grad(f))(at) == 0
    assert ad.grad(lambda t: 1 - np.tanh(t))(20.0) == pytest.approx(-1.699341702116e-17, rel=1e-12)
