"""The checkers of estimators: laws, right answers of every form, and what the messages say."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.course import (
    Unsolved,
    Wrong,
    check_baseline,
    check_coin,
    check_path,
    check_reading,
    check_repaired,
    check_score,
    check_spreads,
    exponential_law,
    normal_law,
    over_normal,
)
from tests.helpers.depth import some
from tests.helpers.students import own


@pytest.mark.each("t", [-1.5, 0.0, 2.0])
def test_the_moments_of_the_laws(t):
    law = normal_law()
    for k, moment in enumerate(law.moments(t)):
        assert np.isclose(law.weights @ (t + np.array(law.draws)) ** k, moment)
    law, m = exponential_law(), abs(t) + 1
    for k, moment in enumerate(law.moments(m)):
        assert np.isclose(law.weights @ (-m * np.log1p(-np.array(law.draws))) ** k, moment)


def test_the_numbers_of_the_syllabus():
    for t in (0.0, 1.0, 2.0):
        score = over_normal(lambda z, t=t: (z**2 * (z - t)) ** 2, t) - 4 * t**2
        assert np.isclose(score, t**4 + 14 * t**2 + 15)
        assert np.isclose(over_normal(lambda z: 4 * z**2, t) - 4 * t**2, 4)
        assert np.isclose(over_normal(lambda z, t=t: z**2 * (z - t), t), 2 * t)


def test_other_right_answers_pass():
    def mirrored(t, noise):
        return t - noise

    def path(t, noise):
        return 2 * (t - noise)

    check_path(mirrored, path, normal_law())
    check_score(lambda cost, t, z: (cost - t * t) * (z - t))
    check_coin(lambda cost, p, b: cost * (b - p) / (p * (1 - p)))
    check_baseline(lambda t: own(over_normal)(lambda z: (z * (z - t)) ** 2, t))
    check_spreads(lambda a, T: (np.linalg.norm(a ** np.arange(T)), abs(np.polyval([1] * T, a))))


def test_a_repair_without_a_loop_and_with_a_baseline():
    def repaired(p, n):
        heads = ad.disconnected_grad(ad.RandomStream(5).binomial(10, p, size=n))
        log_probability = heads * ad.log(p) + (10 - heads) * ad.log(1 - p)
        cost, mean = heads * (heads - 1) / 2, ad.disconnected_grad(45 * p**2)
        return ad.score_function(cost - mean, log_probability) + mean

    check_repaired(repaired, lambda p: 45 * p**2, lambda p: 90 * p, at=some((0.3, 0.7), 2))


def test_where_a_gradient_is_undefined_the_message_says_so():
    def plain(p, n):
        return ad.RandomStream(5).binomial(10, p, size=n) * 1.0

    with pytest.raises(Wrong, match="although its expectation has"):
        check_repaired(plain, lambda p: 10 * p, lambda p: 10.0)


def test_reading_is_compared_with_what_the_error_says():
    p = ad.scalar("p")
    program = lambda: ad.grad(ad.RandomStream(1).poisson(p) * 2.0, p)
    programs = {"A": (program, "of the mean")}
    check_reading(lambda: {"A": ("poisson", "ad.score_function")}, programs)
    with pytest.raises(Wrong, match="the end of the path\n  got       'multiply'\n  at        A"):
        check_reading(lambda: {"A": ("multiply", "ad.score_function")}, programs)
    with pytest.raises(Wrong, match="the derivative of the mean"):
        check_reading(lambda: {"A": ("poisson", "ad.disconnected_grad")}, programs)


def test_messages_say_what_is_needed_and_where():
    def score(cost, t, z):
        return 2 * z

    with pytest.raises(Wrong) as caught:
        check_score(score, seed=1)
    message = str(caught.value)
    assert message.startswith("score\n  needed    ") and " in the mean\n  got  " in message
    assert "for the cost with the coefficients [" in message

    def baseline(t):
        return t * t + 1

    with pytest.raises(Wrong, match="smallest variance\n  got       1, where it is 10\n  at  "):
        check_baseline(baseline)


def test_unsolved_and_the_engine():
    def score(cost, t, z):
        raise NotImplementedError

    with pytest.raises(Unsolved, match="score is not written yet"):
        check_score(score)
    x = ad.scalar("x")
    with pytest.raises(Wrong, match="the engine was called"):
        check_score(lambda cost, t, z: ad.evaluate(x * cost, {x: z - t}))
