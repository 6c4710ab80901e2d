"""Cross entropies as students write them, at scores of a thousand: value and gradient are finite
and right, whatever is picked, weighted, summed or shared.

Protects stable forms from whatever uses a part of them twice.
"""

import itertools

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

PROBABILITIES = {
    "softmax": lambda z: ad.softmax(z, axis=-1),
    "exp / sum": lambda z: ad.exp(z) / ad.sum(ad.exp(z), axis=-1, keepdims=True),
    "shared exp": lambda z: (lambda e: e / ad.sum(e, axis=-1, keepdims=True))(ad.exp(z)),
    "shifted": lambda z: (lambda e: e / ad.sum(e, axis=-1, keepdims=True))(
        ad.exp(z - ad.max(z, axis=-1, keepdims=True))
    ),
}
ROWS, LABELS = np.arange(3), np.array([1, 0, 1])
ONES, SOFT = np.eye(4)[LABELS], np.array([[0.1, 0.2, 0.3, 0.4]] * 3)
WEIGHTS = np.array([0.3, 0.7, 2.0])
LOSSES = {
    "one-hot": (lambda log: -ad.sum(ONES * log()), ONES),
    "soft": (lambda log: -ad.sum(SOFT * log()), SOFT),
    "mean of rows": (lambda log: -ad.mean(ad.sum(ONES * log(), axis=1)), ONES / 3),
    "weighted rows": (
        lambda log: -ad.sum(WEIGHTS * ad.sum(ONES * log(), axis=1)),
        ONES.T * WEIGHTS,
    ),
    "picked": (lambda log: -ad.mean(log()[ROWS, LABELS]), ONES / 3),
    "picked, weighted": (lambda log: -ad.sum(WEIGHTS * log()[ROWS, LABELS]), ONES.T * WEIGHTS),
    "picked one by one": (
        lambda log: -(0.3 * log()[ROWS, LABELS][0] + 0.7 * log()[ROWS, LABELS][2]),
        ONES.T * [0.3, 0, 0.7],
    ),
    "entries": (
        lambda log: -(0.5 * log()[0, 1] + 2 * log()[1, 0] + log()[2, 3]),
        np.array([[0, 0.5, 0, 0], [2, 0, 0, 0], [0, 0, 0, 1]]),
    ),
    "smoothed": (
        lambda log: -0.9 * ad.sum(ONES * log()) - 0.1 * ad.mean(log()),
        0.9 * ONES + 0.1 / 12,
    ),
}


def right(scores, targets):
    """-Σ targets · log softmax, and its gradient."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    log = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return -np.sum(targets * log), np.exp(log) * targets.sum(1, keepdims=True) - targets


@pytest.mark.each("twice", [False, True], ids=["one logarithm", "a logarithm each"])
@pytest.mark.each(("form", "loss"), some(itertools.product(PROBABILITIES, LOSSES), 22))
def test_naive_cross_entropies_are_finite_and_right(form, loss, twice):
    z = ad.matrix("z")
    p = PROBABILITIES[form](z)
    write, targets = LOSSES[loss]
    log = ad.log(p)
    y = write((lambda: ad.log(p)) if twice else (lambda: log))
    targets = targets.T if targets.shape != (3, 4) else targets
    f = ad.function([z], [y, ad.grad(y, z)])
    rng = np.random.default_rng(7)
    for size in (1, 30, 1000):
        scores = size * rng.normal(size=(3, 4))
        value, slope = right(scores, targets)
        got = f(scores)
        np.testing.assert_allclose(got[0], value, rtol=1e-9)
        np.testing.assert_allclose(got[1], slope, rtol=1e-9, atol=1e-12)


PICKS = {
    "a row": lambda x: x[:1],
    "rows": lambda x: x[[0, 0]],
    "a column": lambda x: x[..., :1],
    "columns": lambda x: x[..., [0, 0]],
    "one": lambda x: x[..., 0],
}


@pytest.mark.each("pick", PICKS.values(), ids=PICKS)
@pytest.mark.each("other", some([(3, 4), (1, 4), (3, 1), (1, 1), (None, 4)], 6, turn=1))
@pytest.mark.each("shape", some([(3, 4), (1, 4), (3, 1), (None, None)], 2))
def test_what_was_picked_is_put_back_among_as_many_entries(shape, other, pick):
    """The slope to z of y / p · z, where of both the same is picked, times p."""
    x, y, z = ad.matrix("x", shape=shape), ad.matrix("y", shape=other), ad.matrix("z", shape=other)
    p = ad.softmax(x, axis=0)
    try:
        e = ad.grad(ad.sum(pick(y) / pick(p) * pick(z)), z) * p
    except ad.ShapeError:
        return  # they do not stand beside each other
    rng = np.random.default_rng(0)
    at = {i: rng.normal(size=[n or m for n, m in zip(i.type.shape, (3, 4))]) for i in (x, y, z)}
    wanted, found = (
        ad.function([x, y, z], out, simplify=None, on_unused_input="ignore")(*at.values())
        for out in (e, ad.simplify(e).output)
    )
    np.testing.assert_allclose(found, wanted)
