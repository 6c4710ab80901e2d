"""The true values by which rules are judged are those of mpmath, wherever floats would end."""

import numpy as np
import pytest
from mpmath import mp, mpf

import autodiff_edu as ad
from autodiff_edu.check.rule.truth import DIGITS, errors, true_value
from tests.helpers.depth import some
from tests.helpers.natural import FORMULAS
from tests.helpers.worse import truth

pytestmark = pytest.mark.numeric

FUNCTIONS = {
    "exp2": ad.exp2, "sigmoid": ad.sigmoid, "softplus": ad.softplus, "tanh": ad.tanh,
    "arcsinh": ad.arcsinh, "sinh": ad.sinh,
}  # fmt: skip
SIZES = (1e-250, 0.7, 400.0, 1e155)


def test_natural_formulas_have_the_values_of_mpmath():
    names = np.random.default_rng(0).permutation([*FORMULAS])[:50]
    x, compared = ad.scalar("x"), 0
    names = some(names, 50, turn=1)
    for name in names:
        formula = FORMULAS[name][0](x)
        for size in SIZES:
            own = true_value(formula, {x: size})
            if own is None:  # past even these numbers
                continue
            with mp.workdps(DIGITS):
                (other,) = truth([formula], {x: mpf(size)})
                assert abs(mpf(str(own[()])) - other) <= abs(other) * mpf("1e-40"), (name, size)
            compared += 1
    assert compared > 2 * len(names)


@pytest.mark.each("name", some(FUNCTIONS, 3))
def test_functions_have_the_values_of_numpy(name):
    x = ad.scalar("x")
    for at in some([-3.0, -1e-9, 0.25, 20.0], 4, turn=len(name)):
        value = ad.function(x, FUNCTIONS[name](x), simplify=None)(at)
        true = true_value(FUNCTIONS[name](x), {x: at})
        assert errors(value, true) <= 1e-15 * abs(value)


def test_arrays_have_true_values_too():
    v, A = ad.vector("v"), ad.matrix("A")
    at = {v: np.array([1e200, -3e200]), A: np.array([[1e200, 0.0], [2.0, 1e-200]])}
    assert [f"{t:.3e}" for t in true_value(A @ v, at)] == ["1.000e+400", "2.000e+200"]
    assert f"{true_value(ad.sum(v * v) / 1e300, at)[()]:.3e}" == "1.000e+101"


@pytest.mark.each(
    ("formula", "at"), some([(ad.sin, 1.0), (ad.log, -1.0), (lambda x: ad.exp(ad.exp(x)), 1e9)], 2)
)
def test_nothing_is_said_where_there_is_no_formula_or_no_number(formula, at):
    x = ad.scalar("x")
    assert true_value(formula(x), {x: at}) is None
