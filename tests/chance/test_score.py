"""The score-function estimator: its mean, its variance, higher orders, what it refuses."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

pytestmark = pytest.mark.numeric

N = 100_000


def normal_cost(t):
    """z² for z ~ N(t, 1), and log p(z) without its constant."""
    z = ad.disconnected_grad(ad.RandomStream(5).normal(t, size=N))
    return z**2, -((z - t) ** 2) / 2


def test_mean_and_variance_of_both_estimators():
    """∇E[z²] = 2t: the variance is 4 along the path and t⁴ + 14t² + 15 by the score."""
    at = 2.0
    ts = ad.vector("ts", shape=N)  # a parameter for each draw, to see each one's gradient
    paths = ad.grad((ad.RandomStream(5).normal(ts) ** 2).sum(), ts)
    scores = ad.grad(ad.score_function(*normal_cost(ts)).sum(), ts)
    path, score = ad.evaluate([paths, scores], {ts: np.full(N, at)})
    assert np.isclose(path.mean(), 2 * at, atol=4 * np.sqrt(4 / N))
    assert np.isclose(score.mean(), 2 * at, atol=4 * np.sqrt(87 / N))
    assert np.isclose(path.var(), 4, rtol=0.02)
    assert np.isclose(score.var(), at**4 + 14 * at**2 + 15, rtol=0.05)


def test_the_value_is_the_cost():
    t = ad.scalar("t")
    cost, log_prob = normal_cost(t)
    value, expected = ad.evaluate([ad.score_function(cost, log_prob), cost], {t: 2.0})
    np.testing.assert_array_equal(value, expected)


def test_the_gradient_is_its_formula():
    t = ad.scalar("t")
    cost, log_prob = normal_cost(t)
    cost = cost * ad.sin(t)
    found = ad.grad(ad.score_function(cost, log_prob).sum(), t)
    held = ad.disconnected_grad(cost)
    expected = ad.grad(cost.sum(), t) + ad.grad((held * log_prob).sum(), t)
    assert np.isclose(*ad.evaluate([found, expected], {t: 0.7}), rtol=1e-12)


@pytest.mark.parametrize(
    "second", some([ad.forward_mode, ad.reverse_mode, ad.symbolic_derivative], 2)
)
def test_higher_orders_are_unbiased_too(second):
    """E[c(b)·p] for b ~ Bernoulli(p) is p²·c(1) + p(1 − p)·c(0): its second derivative is
    2c(1) − 2c(0), and its third 0."""
    p = ad.scalar("p")
    b = ad.disconnected_grad(ad.RandomStream(1).bernoulli(p, size=N))
    log_prob = ad.log(ad.where(b == 1, p, 1 - p))
    cost = ad.where(b == 1, 5.0, 2.0) * p
    estimate = ad.score_function(cost, log_prob).mean()
    first = ad.grad(estimate, p)
    then = second(first, p).output
    third = ad.grad(then, p)
    at = ad.evaluate([first, then, third], {p: 0.4})
    np.testing.assert_allclose(at, [2 * 0.4 * 5 + (1 - 0.8) * 2, 6, 0], atol=0.3)
    assert np.isclose(ad.evaluate(ad.hessian(estimate, p), {p: 0.4}), at[1])


def test_every_part_of_one_draw_is_needed():
    t = ad.scalar("t")
    cost, log_prob = normal_cost(t)
    for wrong in (cost.sum(), ad.expand_dims(cost, axis=1)):
        with pytest.raises(ad.ShapeError, match="sum log_prob over the parts"):
            ad.score_function(wrong, log_prob)


def test_a_draw_that_is_not_held_raises():
    p = ad.scalar("p")
    b = ad.RandomStream(1).bernoulli(p)
    with pytest.raises(ad.NullTypeGradError, match="hold the draw by ad.disconnected_grad"):
        ad.grad(ad.score_function(b * 3.0, ad.log(ad.where(b == 1, p, 1 - p))), p)


def test_descent_on_a_probability():
    """E[(b − 0.45)²] is least at p = 0, where plain gradients do not exist (Tucker et al. 2017)."""
    rng, logit = ad.RandomStream(0), ad.shared(0.0, "logit")
    p = ad.sigmoid(logit)
    b = ad.disconnected_grad(rng.bernoulli(p, size=100))
    cost = (b - 0.45) ** 2
    log_prob = ad.log(ad.where(b == 1, p, 1 - p))
    slope = ad.grad(ad.score_function(cost - 0.25, log_prob).mean(), logit)
    step = ad.function([], cost.mean(), updates={logit: logit - 5.0 * slope})
    costs = [step() for _ in range(200)]
    assert np.mean(costs[-20:]) < 0.206 < np.mean(costs[:5])
