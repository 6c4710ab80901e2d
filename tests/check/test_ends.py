"""Near the largest and the smallest numbers a rule is judged by what its right side comes to."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.check.rule.equivalence import Compared
from autodiff_edu.check.rule.instances import Use
from autodiff_edu.check.rule.truth import passes_end

pytestmark = pytest.mark.numeric

x, y, z = map(ad.scalar, "xyz")


def broken(before, after, at):
    draws = {i: np.array([v]) for i, v in at.items()}
    return Compared(Use(before, after, (), before, reorders=True), draws=draws).first("safe")


def test_a_factor_that_the_law_takes_for_1_is_all_that_is_excused_near_the_end():
    """The left side comes near the largest number at each of these points."""
    rng = np.random.default_rng(0)
    for _ in range(100):
        a, b = rng.uniform(2, 1000), 10 ** rng.uniform(10, 300)
        at = {x: 1.7e308 * rng.uniform(0.9, 1), y: rng.uniform(0.1, 0.9), z: 1e-300}
        moderate = broken((x * z) * a, (x * a) * z, at)
        far = broken((x * z) * b, (x * b) * z, at)
        assert moderate is None and far is not None and np.isinf(far.right), (a, b, at)


@pytest.mark.each(("formula", "at", "says"), [
    (x * y, {x: 1e308, y: 1000.0}, False), (x * y, {x: 1e308, y: 1e4}, True),
    (x * y, {x: 5e-324, y: 1e-2}, False), (x * y, {x: 5e-324, y: 1e-5}, True),
    (x * y, {x: np.inf, y: 2.0}, False), (ad.exp(x) * y, {x: 709.0, y: 100.0}, False),
    (ad.erf(x), {x: 1.0}, True),
])  # fmt: skip
def test_how_far_past_the_ends_a_number_may_come(formula, at, says):
    """By more than 1,024? Of a function that has no true value nothing is excused."""
    assert passes_end(x, formula, {x: 1.0} | at) is says
