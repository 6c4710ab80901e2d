"""Convolution and pooling of images."""

import numpy as np
import pytest

import autodiff_edu as ad

RNG = np.random.default_rng(5)


def test_one_entry_of_a_window_has_the_slope():
    slope = ad.grad(lambda x: ad.max_pool2d(x, 2).sum())(np.zeros((1, 1, 4, 4)))
    assert slope.sum() == 4 and slope[0, 0, 0, 0] == 1
    image = RNG.normal(size=(2, 3, 4, 6))
    found = ad.vectorize(lambda x: ad.max_pool2d(x, (2, 3)))(image)
    np.testing.assert_array_equal(found, image.reshape(2, 3, 2, 2, 2, 3).max(axis=(3, 5)))


def test_a_convolution_may_keep_the_size_and_counts_channels():
    image, filters = RNG.normal(size=(2, 3, 5, 6)), RNG.normal(size=(4, 3, 3, 2))
    same = ad.evaluate(ad.conv2d(image, filters, padding="same"), {})
    assert same.shape == (2, 4, 5, 6)
    valid = ad.evaluate(ad.conv2d(image, filters), {})
    np.testing.assert_allclose(same[:, :, 1:-1, :-1], valid)
    with pytest.raises(ad.ShapeError, match="3 channels.*2"):
        ad.conv2d(image, filters[:, :2])
