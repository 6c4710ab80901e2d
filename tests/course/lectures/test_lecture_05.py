"""Tapes: values, factors and adjoints agree with one another and with finite differences."""

import numpy as np
import pytest

from autodiff_edu.course import FACTORS, check_sweep, random_tape, values_on
from autodiff_edu.course.lectures.lecture_05 import DIAMOND, DOUBLED, SQUARE, VALUES, adjoints


@pytest.mark.each("op", VALUES)
def test_factors_are_the_slopes_of_the_values(op):
    at = [0.7, -1.3][: 1 if op in ("sin", "exp") else 2]
    for k, factor in enumerate(FACTORS[op](*at)):
        high, low = ([*at[:k], at[k] + h, *at[k + 1 :]] for h in (1e-6, -1e-6))
        assert (VALUES[op](*high) - VALUES[op](*low)) / 2e-6 == pytest.approx(factor, abs=1e-8)


def test_small_tapes():
    assert values_on(SQUARE, {"x": 3}) == {"x": 3, "y": 9}
    assert adjoints(SQUARE, {"x": 3.0}) == {"x": 6, "y": 1}
    assert adjoints(DOUBLED, {"a": 3.0}) == {"a": 4, "b": 2, "c": 1}
    slope = np.exp(3) * (np.sin(3) + np.cos(3))
    assert adjoints(DIAMOND, {"x": 3.0})["x"] == pytest.approx(slope)


def test_random_tapes_stay_small_and_can_be_run_again():
    rng = np.random.default_rng(0)
    for size in range(200):
        tape, values = random_tape(rng, size % 40)
        assert len(tape) == 2 + size % 40 and max(map(abs, values.values())) <= 10
        at = {name: values[name] for name, op, _ in tape if op == "input"}
        assert values_on(tape, at) == values


def test_a_right_sweep_is_accepted():
    check_sweep(sweep)


def sweep(tape, values):
    adjoint = {name: 0.0 for name, _, _ in tape}
    adjoint[tape[-1][0]] = 1.0
    for name, op, operands in reversed(tape):
        if op != "input":
            for o, factor in zip(operands, FACTORS[op](*[values[o] for o in operands])):
                adjoint[o] += adjoint[name] * factor
    return adjoint
