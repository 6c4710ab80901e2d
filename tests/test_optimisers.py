"""Each optimiser against its formula, written out in NumPy.

Protects the few lines of each optimiser from being off by a factor, which still descends.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import optimisers

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
