"""Each optimiser against its formula, written out in NumPy.

Protects the few lines of each optimiser from being off by a factor, which still descends.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import optimisers
from tests.helpers.depth import some

pytestmark = pytest.mark.numeric

START = np.array([2.0, -1.0])
SCALE = np.array([1.0, 10.0])


def path(optimiser, steps=5, **how):
    """Where five steps down Σ ½ a w² lead."""
    w = ad.shared(START, "w")
    cost = (0.5 * SCALE * w**2).sum()
    step = ad.function([], cost, updates=optimiser(cost, [w], **how))
    found = []
    for _ in range(steps):
        step()
        found.append(w.get_value())
    return np.array(found)


def test_sgd():
    wanted = [START * (1 - 0.05 * SCALE) ** k for k in range(1, 6)]
    np.testing.assert_allclose(path(optimisers.sgd, learning_rate=0.05), wanted, rtol=1e-14)


def test_momentum():
    w, v, wanted = START.copy(), np.zeros(2), []
    for _ in range(5):
        v = 0.8 * v - 0.05 * SCALE * w
        w = w + v
        wanted.append(w)
    found = path(optimisers.momentum, learning_rate=0.05, momentum=0.8)
    np.testing.assert_allclose(found, wanted, rtol=1e-14)


def test_adam():
    w, m, s, wanted = START.copy(), 0.0, 0.0, []
    for t in range(1, 6):
        g = SCALE * w
        m, s = 0.9 * m + 0.1 * g, 0.999 * s + 0.001 * g**2
        w = w - 0.1 * (m / (1 - 0.9**t)) / (np.sqrt(s / (1 - 0.999**t)) + 1e-8)
        wanted.append(w)
    np.testing.assert_allclose(path(optimisers.adam, learning_rate=0.1), wanted, rtol=1e-12)


def test_gradients_may_be_given():
    w = ad.shared(3.0, "w")
    (update,) = optimisers.sgd([ad.clip(ad.grad(w**2, w), -1, 1)], [w], learning_rate=0.5)
    ad.function([], [], updates=[update])()
    assert w.get_value() == 2.5


def test_single_precision_stays_single():
    w = ad.shared(np.float32(3), "w")
    ad.function([], [], updates=optimisers.adam(w**2, [w]))()
    assert w.get_value().dtype == "float32"


def test_parameters_are_shared():
    x = ad.scalar("x")
    with pytest.raises(TypeError, match="made by ad.shared"):
        optimisers.sgd(x**2, [x])


ALL = [optimisers.sgd, optimisers.momentum, optimisers.adam]


@pytest.mark.each("optimiser", some(ALL, 2))
@pytest.mark.each("kind", some([list, tuple, iter], 2))
def test_parameters_may_be_any_iterable(optimiser, kind):
    parts = [ad.shared(1.0, "w"), ad.shared(START, "v")]
    cost = parts[0] ** 2 + (parts[1] ** 2).sum()
    step = ad.function([], cost, updates=optimiser(cost, kind(parts)))
    assert step() > step()
    assert not np.array_equal(parts[1].get_value(), START)


@pytest.mark.each("optimiser", some(ALL, 2))
@pytest.mark.each("rate", some([1, 0.1, np.float64(0.1), ad.scalar("rate"), ad.shared(0.1)], 2))
def test_a_rate_of_another_dtype_leaves_a_parameter_its_own(optimiser, rate):
    w = ad.shared(START.astype("float32"), "w")
    cost = (w**2).sum()
    given = [rate] if isinstance(rate, ad.Expr) and rate.name else []
    step = ad.function(given, cost, updates=optimiser(cost, [w], rate))
    step(*[0.1 for _ in given])
    assert w.get_value().dtype == "float32" and np.all(w.get_value() != START)


WRONG = [
    (lambda w, n: (w**2, w), r"parameters are a list, also of one: write \[w\]"),
    (lambda w, n: (w**2, [2.0]), "parameters are made by ad.shared"),
    (lambda w, n: (w**2, [w, n]), "n is int64.*: write its value as floats"),
    (lambda w, n: (1.0, [w]), "a cost is an expression, or a list of gradients, not 1.0"),
    (lambda w, n: ([w, w], [w]), "2 gradients are given for 1 parameters: give one for each"),
]


@pytest.mark.each("optimiser", ALL)
@pytest.mark.each(("given", "told"), WRONG, ids=[told[:12] for _, told in WRONG])
def test_what_cannot_be_learned_is_told(optimiser, given, told):
    with pytest.raises((TypeError, ValueError), match=told):
        optimiser(*given(ad.shared(1.0, "w"), ad.shared(1, "n")))
