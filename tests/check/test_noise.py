"""Rounding that a function makes on the way is no kink and no wrong gradient; real ones are found.

Letters: c a number that is added and taken away again, so that digits get lost.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import autodiff_edu as ad
from autodiff_edu.expr import GradientError
from tests.helpers.depth import draws, some

pytestmark = pytest.mark.numeric

WHOLE = st.integers(500_000, 3_000_000)  # Hypothesis prefers simple floats, but not of these
POINTS = st.lists(WHOLE.map(lambda k: k / 1e6), min_size=1, max_size=4).map(np.array)
LOST = st.integers(0, 7_000_000).map(lambda k: 10.0 ** (k / 1e6))
SMOOTH = [ad.sin, ad.exp, ad.tanh, ad.square, ad.log, lambda x: 0 * x, lambda x: x]


def lossy(x, c):
    return ad.sum((x + c) - c)


def squares(x):
    """The least-squares solution for a column of the matrix: a unit vector, wherever x is."""
    return (np.linalg.lstsq(x.T, x[0], rcond=None)[0] ** 2).sum()


@pytest.mark.parametrize("seed", range(draws(20)))
def test_a_function_that_is_constant_but_for_rounding(seed):
    x = np.random.default_rng(seed).normal(size=(2, 4))
    assert ad.verify_grad(squares, [x], n_tests=1, abs_tol=1e-7).kinks == ()
    ad.verify_grad(squares, [x], n_tests=1)


@given(x=POINTS, c=LOST, f=st.sampled_from(SMOOTH))
def test_few_digits_are_no_kinks(x, c, f):
    x, c = x.astype("float32"), np.float32(min(c, 1e3))
    assert ad.verify_grad(lambda x: lossy(f(x), c), [x], n_tests=1).kinks == ()


@given(x=POINTS, c=LOST, f=st.sampled_from(SMOOTH))
def test_lost_digits_are_no_kinks(x, c, f):
    assert ad.verify_grad(lambda x: lossy(f(x), c), [x], n_tests=1).kinks == ()


@given(x=POINTS, c=st.integers(7_000_000, 10_000_000), f=st.sampled_from(SMOOTH))
def test_a_right_gradient_is_not_rejected_where_few_digits_are_left(x, c, f):
    """Rounding is as coarse as the steps of the differences."""
    ad.verify_grad(lambda x: lossy(f(x), 10 ** (c / 1e6)), [x], n_tests=1)
    x, c = x.astype("float32"), np.float32(10 ** (c / 1e6 - 6))
    ad.verify_grad(lambda x: lossy(f(x), c), [x], n_tests=1)


@pytest.mark.each("x", some([1.5, 2.9, 3.0], 2))
@pytest.mark.each("c", some([9.0, 9.6, 10.0], 2))
def test_a_right_gradient_is_not_rejected_where_the_value_stays_the_same_over_a_step(x, c):
    ad.verify_grad(lambda x: lossy(ad.tanh(x), 10**c), [np.array([x])], n_tests=1)
    small = np.array([x], "float32")
    ad.verify_grad(lambda x: lossy(ad.tanh(x), np.float32(10 ** (c - 6))), [small], n_tests=1)


def test_a_slope_of_what_is_constant_is_rejected():
    flat = ad.custom_gradient(lambda x: (0 * x + 1, lambda g: g * 0.01))
    with pytest.raises(GradientError):
        ad.verify_grad(lambda x: ad.sum(flat(x)), [np.array([1.0, 2.0])], n_tests=1)


@given(x=POINTS, c=LOST, f=st.sampled_from(SMOOTH))
def test_lost_digits_hide_no_wrong_gradient(x, c, f):
    wrong = ad.custom_gradient(lambda x: (f(x), lambda g: g * (ad.cos(x) + 2)))
    with pytest.raises(GradientError):
        ad.verify_grad(lambda x: lossy(f(x), c) + 0.1 * ad.sum(wrong(x)), [x], n_tests=1)


@given(x=POINTS, c=LOST)
def test_kinks_are_found_beside_lost_digits(x, c):
    kinked = lambda y: lossy(y, c) + ad.sum(ad.abs(y - x[0]))
    assert (0, (0,)) in ad.verify_grad(kinked, [x], n_tests=1).kinks
