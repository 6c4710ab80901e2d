"""Rounding that a function makes on the way is no kink and no wrong gradient; real ones are found.

Letters: c a number that is added and taken away again, so that digits get lost.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import autodiff_edu as ad
from autodiff_edu.expr import GradientError

pytestmark = pytest.mark.numeric

POINTS = st.lists(st.floats(0.5, 3.0), min_size=1, max_size=4).map(np.array)
LOST = st.floats(0, 7).map(lambda k: 10.0**k)
SMOOTH = [ad.sin, ad.exp, ad.tanh, ad.square, ad.log, lambda x: 0 * x, lambda x: x]


def lossy(x, c):
    return ad.sum((x + c) - c)


def squares(x):
    """The least-squares solution for a column of the matrix: a unit vector, wherever x is."""
    return (np.linalg.lstsq(x.T, x[0], rcond=None)[0] ** 2).sum()


@pytest.mark.parametrize("seed", range(20))
def test_a_function_that_is_constant_but_for_rounding(seed):
    x = np.random.default_rng(seed).normal(size=(2, 4))
    assert ad.verify_grad(squares, [x], n_tests=1, abs_tol=1e-7).kinks == ()
    ad.verify_grad(squares, [x], n_tests=1)


@given(x=POINTS, c=LOST, f=st.sampled_from(SMOOTH))
def test_lost_digits_are_no_kinks(x, c, f):
    assert ad.verify_grad(lambda x: lossy(f(x), c), [x], n_tests=1).kinks == ()


@given(x=POINTS, c=LOST, f=st.sampled_from(SMOOTH))
def test_lost_digits_hide_no_wrong_gradient(x, c, f):
    wrong = ad.custom_gradient(lambda x: (f(x), lambda g: g * (ad.cos(x) + 2)))
    with pytest.raises(GradientError):
        ad.verify_grad(lambda x: lossy(f(x), c) + 0.1 * ad.sum(wrong(x)), [x], n_tests=1)


@given(x=POINTS, c=LOST)
def test_kinks_are_found_beside_lost_digits(x, c):
    kinked = lambda y: lossy(y, c) + ad.sum(ad.abs(y - x[0]))
    assert (0, (0,)) in ad.verify_grad(kinked, [x], n_tests=1).kinks
