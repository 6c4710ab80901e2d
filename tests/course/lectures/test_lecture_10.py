"""The checkers of gradient checks: fair cases, and messages that can be pasted."""

import numpy as np
import pytest

from autodiff_edu.course import (
    Formula,
    Lambda,
    Unsolved,
    Wrong,
    check_deceptive,
    check_detector,
    check_kinks,
    check_taylor,
)
from autodiff_edu.course.harness.check import pulled
from autodiff_edu.course.lectures.lecture_10 import claims, crossings, smooth, suspects
from tests.helpers.depth import draws

SEEDS = range(draws(60))


def test_a_function_prints_as_what_it_is():
    f = Lambda("lambda u, x: u * np.cos(x)")
    assert eval(repr(f), {"np": np})(2.0, 0.5) == f(2.0, 0.5) == 2 * np.cos(0.5)


@pytest.mark.each("seed", SEEDS)
def test_what_is_claimed_is_so(seed):
    rng = np.random.default_rng(seed)
    f, x = smooth(rng)
    gradient = np.asarray(pulled(f, (x,), 1.0))
    measured = [(f(x + e) - f(x - e)) / 2e-6 for e in 1e-6 * np.eye(len(x))]
    np.testing.assert_allclose(gradient, measured, rtol=1e-6, atol=1e-8)
    for says, g in claims(gradient, rng):
        off = np.abs(g - gradient).max() / np.abs(gradient).max()
        assert off == 0 if says == "right" else off > 0.04


@pytest.mark.each("seed", SEEDS)
def test_the_bugs_are_bugs_and_the_innocent_are_innocent(seed):
    rng = np.random.default_rng(seed)
    found = suspects(rng)
    assert len({s.bug for s in found} - {""}) == 5 and len(found) == 9
    for f, pullback, draw, bug in found:
        off = 0.0
        for _ in range(20):
            x = draw(rng)
            u = rng.normal(size=4)
            if "np.maximum" in f.text:
                x = x + 0.5  # away from the kink
            true, claimed = pulled(f, (x,), u), pullback(u, x)
            off = max(off, np.abs(true - claimed).max() / max(np.abs(true).max(), 1e-300))
        assert off > 0.05 if bug else off < 1e-12, f


@pytest.mark.each("seed", SEEDS)
def test_the_kinks_are_where_they_are_said_to_be(seed):
    for f, x, h, kink in crossings(np.random.default_rng(seed)):
        near = np.linspace(x - h, x + h, 2001)
        bends = np.abs(np.diff(f(near), 2)) / (near[1] - near[0])
        assert (bends.max() > 10 * np.median(bends) + 1e-4) == bool(kink)


def test_messages_can_be_pasted():
    with pytest.raises(Wrong, match=r"at        taylor\(f=lambda t: .*, g=\[.*\], x=\["):
        check_taylor(lambda_named("taylor", 2.0))
    with pytest.raises(
        Wrong, match=r"at        f\(f=lambda x: .*, pullback=lambda u, x: .*, draw="
    ):
        check_detector(lambda_named("detector", False))
    with pytest.raises(Wrong, match=r"needed    True: at x itself|needed    True: to one side"):
        check_kinks(lambda_named("kinks", False))
    with pytest.raises(Wrong, match="needed    True or False"):
        check_kinks(lambda_named("kinks", 0.5))
    with pytest.raises(Wrong, match="where ones must pass"):
        check_deceptive(lambda u, x: 0 * u, Formula("t * t"))
    with pytest.raises(Wrong, match="since it must be linear in u"):
        check_deceptive(lambda u, x: 2 * x, Formula("t * t"))
    with pytest.raises(Wrong, match="needed    a wrong pullback"):
        check_deceptive(lambda u, x: 2 * u * x, Formula("t * t"))


def test_a_sly_pullback_passes_at_every_point():
    """Also where the derivative of an entry is small and hides what is wrong."""
    check_deceptive(lambda u, x: 2 * u[0] * x, Formula("t * t"), trials=draws(1000), seed=1)


def lambda_named(task, answer):
    def taylor(f, g, x):
        return answer

    def f(f, pullback, draw, rng):
        return answer

    def kinks(f, x, h):
        return answer

    return {"taylor": taylor, "detector": f, "kinks": kinks}[task]


def test_what_is_not_written_is_named():
    def student(f, x, h):
        raise NotImplementedError

    with pytest.raises(Unsolved, match="student is not written yet"):
        check_kinks(student)
