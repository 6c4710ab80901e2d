"""Powers of x over powers of ‖x‖, and their slopes: in each mode rewriting comes to an end, once is
enough, and the values stay."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

INNER = [lambda x: x, ad.log, ad.exp, lambda x: 1 / x]
POWERS = [(1, 1), (2, 1), (3, 1), (1, 3), (2, 3), (3, 2), (4, 2)]


def quotients(x):
    """xᵖ / ‖x‖ᵏ, their sums of logarithms, and all slopes, in a matrix and along its rows."""
    for turn, inner in enumerate(INNER):
        for axis in (None, -1):
            y = inner(x)
            length = ad.sqrt(ad.sum(ad.square(y), axis=axis, keepdims=True))
            for p, k in some(POWERS, 7, turn):
                total = ad.sum(y**p / length**k) + ad.sum(ad.log(length))
                yield total, ad.grad(total, x)


@pytest.mark.parametrize("mode", some(["ieee", "safe", "real"], 2))
def test_powers_over_powers_of_a_length(mode):
    x = ad.tensor("x", shape=(2, 3))
    at = {x: np.random.default_rng(0).uniform(0.5, 2, (2, 3))}
    for both in quotients(x):
        stage = ad.simplify(ad.Graph(both), mode=mode)
        for found, wanted in zip(ad.evaluate(stage, at), ad.evaluate(ad.Graph(both), at)):
            np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)
        assert not ad.simplify(stage, mode=mode).steps


def test_the_length_of_logarithms_in_mode_real():
    x = ad.vector("x")
    slope = ad.simplify(ad.grad(ad.sqrt(ad.sum(ad.square(ad.log(x)))), x), mode="real").output
    assert str(slope) == "(log(x) / norm2(log(x), axis=(0,))) / x"
