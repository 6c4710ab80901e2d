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


NUMBERS = {  # what a number of steps or entries is, and whether zero is one
    "size": (lambda x, k: ad.max_pool2d(x, k), 2, False),
    "stride": (lambda x, k: ad.mean_pool2d(x, 3, k), 2, False),
    "stride of a convolution": (lambda x, k: ad.conv2d(x, x[:, :, :2, :2], k), 2, False),
    "padding": (lambda x, k: ad.conv2d(x, x[:, :, :2, :2], padding=k), 2, True),
    "window_shape": (lambda x, k: ad.sliding_window_view(x, k, (2,)), 1, True),
}


@pytest.mark.each("name", NUMBERS)
def test_sizes_and_steps_are_whole_numbers(name):
    build, axes, zero = NUMBERS[name]
    x = ad.tensor("x", shape=(1, 1, 6, 7))
    for k in (1, 2):
        row = (k,) * axes
        kinds = [build(x, a).type for a in (k, np.int64(k), np.uint8(k), row, list(row))]
        assert kinds == kinds[:1] * 5 == [build(x, np.array(row)).type] * 5
    wrong = [-1, 1.5, "valid", (1,) * (axes + 1), (), (-1,) * axes, np.float64(2.0)]
    for given in [*wrong, *([] if zero else [0, (0,) * axes])]:
        with pytest.raises(
            (TypeError, ValueError), match=f"{name.split()[0]}.* whole number|one for each"
        ):
            build(x, given)


def test_widths_by_axes():
    x = RNG.normal(size=(2, 3))
    for widths, rows in (({0: 1}, [(1, 1), (0, 0)]), ({-1: (2, 1), 0: 0}, [(0, 0), (2, 1)])):
        np.testing.assert_array_equal(ad.evaluate(ad.pad(ad.constant(x), widths)), np.pad(x, rows))
