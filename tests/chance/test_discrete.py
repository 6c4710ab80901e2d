"""Whole numbers: where their derivative is needed it does not exist, and the error tells all."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Null, steps_now

pytestmark = pytest.mark.numeric

X = ad.scalar("x")
DRAWS = {
    "bernoulli": lambda r: r.bernoulli(ad.sigmoid(X)),
    "binomial": lambda r: r.binomial(5, ad.sigmoid(X)),
    "poisson": lambda r: r.poisson(ad.exp(X)),
    "categorical": lambda r: r.categorical(ad.softmax(ad.array([X, 0.0, 1.0]))),
}
each = pytest.mark.each("name", DRAWS)


@each
def test_the_error_tells_path_line_reason_and_remedy(name):
    cost = ad.sqrt(DRAWS[name](ad.RandomStream(0)).astype("float64")) * 2
    with pytest.raises(ad.NullTypeGradError) as caught:
        ad.grad(cost, X)
    message = str(caught.value)
    assert f"multiply ← sqrt ← cast ← {name}" in message
    assert "test_discrete.py" in message and f"r.{name}(" in message
    assert "its expectation has" in message and "ad.score_function" in message


@each
def test_it_can_be_returned(name):
    found = ad.grad(DRAWS[name](ad.RandomStream(0)), X, null_gradients="return")
    assert isinstance(found, Null) and "jumps" in found.why


@each
def test_other_paths_do_not_need_it(name):
    draw = DRAWS[name](ad.RandomStream(0))
    assert ad.evaluate(ad.grad(X**2 + ad.disconnected_grad(draw), X), {X: 3.0}) == 6
    w = ad.scalar("w")
    value, slope = ad.evaluate([draw, ad.grad(draw * w, w)], {X: 0.3, w: 2.0})
    assert slope == value
    assert ad.evaluate(ad.grad(draw * 0 + w, w), {X: 0.3, w: 2.0}) == 1


@each
@pytest.mark.each("stage", [ad.forward_mode, ad.symbolic_derivative])
def test_the_other_modes_say_so_too(name, stage):
    draw = DRAWS[name](ad.RandomStream(0))
    with pytest.raises(ad.NullTypeGradError, match="jumps"):
        stage(draw * 2.0, X)
    held = ad.disconnected_grad(draw)
    assert ad.evaluate(stage(X * X + held, X).output, {X: 3.0}) == 6
    assert ad.evaluate(stage(ad.where(draw > 1, X, 2 * X), X).output, {X: 0.0}) in (1, 2)


def test_within_a_loop_too():
    token = steps_now.set((ad.scalar("i", dtype="int64"),))
    draws = ad.RandomStream(0).bernoulli(X, size=3)
    steps_now.reset(token)
    with pytest.raises(ad.NullTypeGradError, match="sum ← bernoulli .made at test_discrete.py"):
        ad.grad(draws.sum(), X)


def test_bounds_of_integers_are_no_continuous_matter():
    n = ad.scalar("n", dtype="int64")
    with pytest.raises(ad.DisconnectedInputError, match="whole number"):
        ad.grad(ad.RandomStream(0).integers(n).astype("float64"), n)


@pytest.mark.each(
    "bounds", [(0, 2**63 - 1), (-(2**62), 2**62 - 1), (2**63 - 9, 2**63), (2**60 + 1, 2**60 + 9)]
)
def test_integers_of_64_bits_lie_between_their_bounds(bounds):
    drawn = ad.evaluate(ad.RandomStream(0).integers(*bounds, size=1000))
    assert bounds[0] <= drawn.min() and drawn.max() < bounds[1]
    assert len(np.unique(drawn)) > 6


@pytest.mark.each("bounds", [(0, 2**64), (-(2**63), 2**63), (-(2**65), 0)])
def test_bounds_beyond_64_bits_are_refused(bounds):
    with pytest.raises(ValueError, match="int64"):
        ad.evaluate(ad.RandomStream(0).integers(*bounds))


def test_no_more_are_chosen_than_there_are():
    with pytest.raises(ValueError, match="at most all 3, and not 4"):
        ad.RandomStream(0).choice(3, (2, 2), replace=False)


def test_a_choice_hands_derivatives_on_to_what_is_chosen():
    a = ad.vector("a", shape=3)
    rng = ad.RandomStream(0)
    places = rng.choice(3, 100, p=[0.5, 0.5, 0.0])
    slope = ad.evaluate(ad.grad(a[places].sum(), a), {a: np.zeros(3)})
    assert slope.sum() == 100 and slope[2] == 0
    slope = ad.evaluate(ad.grad(rng.choice(a, 50).sum(), a), {a: np.zeros(3)})
    assert slope.sum() == 50
