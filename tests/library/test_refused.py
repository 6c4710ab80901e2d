"""What NumPy's functions refuse of expressions, each with a word on what to write."""

import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array

import autodiff_edu as ad

x = ad.scalar("x")
v, b = ad.vector("v", shape=3), ad.vector("b", dtype="bool", shape=3)
k = ad.vector("k", dtype="int64", shape=3)
m, t = ad.matrix("m", shape=(3, 3)), ad.tensor3("t", shape=(2, 3, 3))
own = np.frompyfunc(lambda x: x + 1, 1, 1)
masked = np.ma.masked_array(np.ones(3), [0, 1, 0])


def matrix():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        return np.matrix(np.eye(3))


REFUSED = [
    (lambda: np.emath.sqrt(v), r"np.emath.sqrt; the nearest .* np.sqrt"),
    (lambda: np.strings.multiply(v, v), "np.strings.multiply|not an array"),  # by the NumPy
    (lambda: own(v), "ad.op"),
    (lambda: matrix() * v, r"np.asarray\(a\)"),
    (lambda: v * matrix(), r"np.asarray\(a\)"),
    (lambda: v + masked, "lose its mask"),
    (lambda: v + csr_array(np.eye(3)), ".toarray"),
    (lambda: v + Fraction(1, 2), r"float\(Fraction\(1, 2\)\)"),
    (lambda: Decimal("0.5") * v, r"float\(Decimal\('0.5'\)\)"),
    (lambda: ad.function([x], x)(Fraction(1, 2)), r"float\(Fraction\(1, 2\)\)"),
    (lambda: ad.function([m], m)(csr_array(np.eye(3))), ".toarray"),
    (lambda: np.delete(v, k), "places that are numbers.*write x"),
    (lambda: np.delete(v, k[0]), "places that are numbers"),
    (lambda: np.delete(v, [0, k[0]]), "places that are numbers"),
    (lambda: np.insert(v, k, 1.0), "write ad.concatenate"),
    (lambda: np.insert(v, k[0], 1.0), "write ad.concatenate"),
    (lambda: np.transpose(t, (1, 0)), "2 axes in their new order for 3 axes"),
    (lambda: np.permute_dims(t, (1, 0)), "2 axes in their new order for 3 axes"),
    (lambda: np.piecewise(v, [v > 1], [1, 2, 3]), "3 functions for 1 conditions"),
    (lambda: np.piecewise(v, [v > 1, v > 2], [1]), "1 functions for 2 conditions"),
    (lambda: np.vander(m), "takes a vector"),
    (lambda: np.ix_(m), "takes a vector for each axis"),
    (lambda: np.take_along_axis(v, b, 0), "whole numbers"),
    (lambda: np.take(v, [0], mode="nearest"), 'the modes "raise", "wrap" and "clip"'),
    (lambda: np.linalg.lstsq(m, v, rcond=0.1), "lstsq takes no rcond"),
    (lambda: np.linalg.svd(v), "a matrix is needed"),
    (lambda: np.linalg.svd(x), "a matrix is needed"),
    (lambda: np.tril(x), "needs a matrix, and x has no axes"),
    (lambda: np.triu(x), "needs a matrix, and x has no axes"),
    (lambda: ad.multi_dot([]), "a list of matrices"),
    (lambda: np.linalg.multi_dot([x, m]), "a list of matrices"),
    (lambda: ad.concatenate([]), "at least one array"),
    (lambda: ad.hstack([]), "at least one array"),
    (lambda: ad.stack([]), "at least one array"),
]


@pytest.mark.each("call, words", REFUSED)
def test_it_says_so_where_it_is_written(call, words):
    with pytest.raises((TypeError, ValueError), match=words) as caught:
        call()
    assert " at 0x" not in str(caught.value)


def test_a_number_beyond_the_dtype_is_told_as_such():
    with pytest.raises(OverflowError, match="add met a number beyond .* write it as a float"):
        k + 2**70
