"""Windows as rows, and products of blocks, compared with plain loops."""

import itertools

import numpy as np
import pytest

import autodiff_edu.theano as theano
from autodiff_edu.theano import tensor as T
from autodiff_edu.theano.gradient import verify_grad
from autodiff_edu.theano.tensor.nnet import blocksparse, neighbours
from tests.helpers.depth import some

pytestmark = pytest.mark.numeric
RNG = np.random.RandomState
IMAGES = T.dtensor4()


@pytest.mark.parametrize("mode", some(["valid", "half", "full", "wrap_centered"], 3))
def test_windows_meet_the_borders_or_are_refused(mode):
    around = {"valid": lambda k: 0, "half": lambda k: 2 * (k // 2), "full": lambda k: 2 * (k - 1)}
    for n, k, step in some(itertools.product((4, 5, 7), (2, 3), (1, 2, 3)), 4, turn=len(mode)):
        f = theano.function([IMAGES], neighbours.images2neibs(IMAGES, (k, k), (step, step), mode))
        value = RNG(n).rand(1, 2, n, n)
        fits = k % 2 == 1 if mode == "wrap_centered" else (n + around[mode](k) - k) % step == 0
        if fits:
            assert f(value).shape[1] == k * k
        else:
            with pytest.raises(TypeError, match="not consistent"):
                f(value)


def test_known_lengths_that_do_not_fit_are_refused_when_the_program_runs():
    f = theano.function([], neighbours.images2neibs(T.constant(np.ones((1, 1, 5, 5))), (2, 2)))
    with pytest.raises(TypeError, match="not consistent"):
        f()


def test_images_of_a_shape_that_is_told_later():
    rows, shape = T.matrix(), T.ivector()
    f = theano.function([rows, shape], neighbours.neibs2images(rows, (2, 3), shape))
    value = RNG(0).rand(1, 2, 4, 6)
    windows = neighbours.Images2Neibs("valid")(T.constant(value), (2, 3)).eval()
    assert np.array_equal(f(windows, value.shape), value)
    with pytest.raises(ValueError, match="4 lengths"):
        f(windows, (1, 1, 2, 4, 6))
    with pytest.raises(NotImplementedError, match="no mode"):
        neighbours.neibs2images(rows, (2, 3), shape, mode="half")


def blocks(rng):
    left, right = rng.randint(0, 8, (2, 4)), rng.randint(0, 7, (2, 3))
    return rng.rand(8, 7, 6, 5), rng.rand(2, 4, 6), rng.rand(7, 5), rng.rand(2, 3, 5), left, right


def test_products_of_blocks():
    w, h, b, _, left, right = blocks(RNG(1))
    expected = b[right]
    for n, i, j in itertools.product(range(2), range(4), range(3)):
        expected[n, j] += h[n, i] @ w[left[n, i], right[n, j]]

    def product(w, h, b):
        return blocksparse.sparse_block_dot(w, h, left, b, right)

    np.testing.assert_allclose(product(w, h, b).eval(), expected)
    one = blocksparse.sparse_block_dot(w, h[0], left[0], b, right[0])
    np.testing.assert_allclose(one.eval(), expected[:1])
    verify_grad(product, [w, h, b], rng=RNG(0))


def test_outer_products_of_blocks():
    w, x, _, y, left, right = blocks(RNG(2))
    expected = w.copy()
    for n, i, j in itertools.product(range(2), range(4), range(3)):
        expected[left[n, i], right[n, j]] += 2.0 * np.outer(x[n, i], y[n, j])
    found = blocksparse.sparse_block_outer(*map(T.constant, (w, x, y)), left, right, 2.0)
    np.testing.assert_allclose(found.eval(), expected)
