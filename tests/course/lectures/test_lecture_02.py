"""The checkers of difference quotients measure; what they measure is what theory says."""

import numpy as np
import pytest

from autodiff_edu.course import Formula, Unsolved, Wrong, check_slope, check_steps
from autodiff_edu.course.lectures.lecture_02 import QUOTIENTS, fitted, measured_step, random_formula
from tests.helpers.depth import draws

U = 2.0**-53


def steps(f0, f2, f3):
    return 2 * np.sqrt(U * f0 / f2), np.cbrt(3 * U * f0 / f3)


def named(quotient):
    def student(f, x, h):
        return quotient(f, x, h)

    return student


def test_a_formula_prints_as_what_it_is():
    f = Formula("np.exp(2.0 * t)")
    assert eval(repr(f), {"np": np})(0.5) == f(0.5) == np.exp(1.0)


@pytest.mark.each("name, order", [("forward", 1), ("central", 2)])
def test_slopes(name, order, capsys):
    for seed in range(draws(20)):
        check_slope(named(QUOTIENTS[name]), order, seed=seed)
    assert "student: slope" in capsys.readouterr().out
    with pytest.raises(Wrong, match=f"a slope of {order}\\.|a slope of {3 - order}"):
        check_slope(named(QUOTIENTS[name]), 3 - order, seed=1)


def test_a_message_can_be_pasted():
    with pytest.raises(Wrong, match=r"at        student\(f=lambda t: .*, x=.*, h=0.0078125\)"):
        check_slope(named(lambda f, x, h: (f(x + h) - f(x)) / h), 2)


def test_what_is_no_quotient_is_refused():
    with pytest.raises(Wrong, match="is this a difference quotient"):
        check_slope(named(lambda f, x, h: f(complex(x, 1e-20)).imag / 1e-20), 1)
    with pytest.raises(Wrong, match="needed    a real number"):
        check_slope(named(lambda f, x, h: complex(x, h)), 1)


def test_what_is_not_written_is_named():
    def student(f0, f2, f3):
        raise NotImplementedError

    with pytest.raises(Unsolved, match="student is not written yet"):
        check_steps(student)


def test_steps():
    for seed in range(draws(20)):
        check_steps(steps, seed=seed)
    with pytest.raises(Wrong, match="the forward step is off .*\n  got       1.0e-08"):
        check_steps(lambda *sizes: (1e-8, 1e-5))
    with pytest.raises(Wrong, match="the central step is off .*\n  expected  about"):
        check_steps(lambda *s: steps(*s) if not 2 < s[0] < 9e3 else (steps(*s)[0], 1e-12))
    with pytest.raises(Wrong, match="two positive steps"):
        check_steps(lambda *sizes: 1e-8)


def test_the_measured_step_is_the_one_of_theory():
    found = [measured_step(q, np.exp, 0.0, 1.0) for q in QUOTIENTS.values()]
    assert np.all(np.abs(np.log10(found) - np.log10(steps(1, 1, 1))) < 0.7)


def test_the_fit():
    assert np.isclose(fitted(3 * (2.0 ** -np.arange(3, 8)) ** 2), 2)
    assert np.isnan(fitted([1e-16] * 5))


def test_no_derivative_of_a_random_formula_is_zero():
    rng = np.random.default_rng(0)
    t = np.linspace(0, 1, 50)
    for _ in range(draws(30)):
        second = np.diff(random_formula(rng)(t), 2)
        assert np.all(second > 0) or np.all(second < 0)
