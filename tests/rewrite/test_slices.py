"""Slices of slices become one slice, whatever they are."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import autodiff_edu as ad

bounds = st.one_of(st.none(), st.integers(-6, 6))
slices = st.builds(slice, bounds, bounds, st.sampled_from([None, 1, 2, 3, -1, -2, -3]))
keys = st.lists(st.tuples(slices, slices), min_size=1, max_size=3)


@given(st.integers(0, 5), st.integers(0, 4), keys)
def test_slices_of_slices_of_known_lengths_are_one(n, m, keys):
    x, values = ad.matrix("x", shape=(n, m)), np.arange(n * m).reshape(n, m)
    e, wanted = x, values
    for key in keys:
        e, wanted = e[key], wanted[key]
    short = ad.simplify(e).output
    assert len(ad.Graph(short).operations) <= 1
    np.testing.assert_array_equal(ad.evaluate(short, {x: values.astype(float)}), wanted)


def test_slices_of_unknown_lengths_are_one_where_they_can_be():
    x = ad.matrix("x")
    for e, short in [
        (x[::-1][::-1], "x"),
        (x[1:][::-1][::-1], "x[1:, :]"),
        (x[:, ::-1][1:], "x[1:, ::-1]"),
        (x[1:][:-1], "x[1:, :][:-1, :]"),
    ]:
        assert str(ad.simplify(e).output) == short


def test_numbers_and_new_axes_within_slices():
    x = ad.matrix("x", shape=(4, 5))
    values = np.arange(20.0).reshape(4, 5)
    for take in (
        lambda x: x[1][2:],
        lambda x: x[:, 1:][0],
        lambda x: x[::2, ::-1][::-1, ::2][0],
        lambda x: x[1:][None, :, 2],
        lambda x: x[1:, None][:, 0, ::-1],
        lambda x: x[-1][-1],
    ):
        found = ad.evaluate(ad.simplify(take(x)).output, {x: values})
        np.testing.assert_array_equal(found, take(values))


def test_a_new_axis_behind_a_slice():
    x, values = ad.matrix("x", shape=(4, 5)), np.arange(20.0).reshape(4, 5)
    for take in (lambda x: x[:, 1:, None][0], lambda x: x[1:, ::2, None][..., 0]):
        np.testing.assert_array_equal(ad.function(x, take(x))(values), take(values))
