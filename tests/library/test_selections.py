"""NumPy's functions that leave entries out or pick some, against NumPy and differences."""

import functools

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

ROWS = np.array([[1.5, np.nan, -0.5, 4.0], [2.5, 3.5, np.nan, np.nan], [0.3, -2.0, 1.0, 0.7]])
V = np.array([0.4, 2.9, -2.8, 3.1, 9.0])
OF_NAN = {
    f"nanmedian {axis} {keepdims}": functools.partial(np.nanmedian, axis=axis, keepdims=keepdims)
    for axis in (None, 0, 1, -1)
    for keepdims in (False, True)
} | {
    "nanquantile": lambda x: np.nanquantile(x, 0.3, axis=1),
    "nanquantile of several": lambda x: np.nanquantile(x, [0.2, 0.75], axis=0),
    "nanpercentile": lambda x: np.nanpercentile(x, 40),
    "nanprod": lambda x: np.nanprod(x, axis=1),
    "nancumsum": lambda x: np.nancumsum(x, axis=0),
    "nancumprod": lambda x: np.nancumprod(x, axis=1),
    "nanargmax": lambda x: np.nanargmax(x, axis=1) * 1.0,
    "nanargmin": lambda x: np.nanargmin(x, axis=0) * 1.0,
}
OF_NUMBERS = {
    "geomspace": lambda v: np.geomspace(v[0], v[1], 7),
    "geomspace without end": lambda v: np.geomspace(v[0], v[1], 6, endpoint=False),
    "geomspace of negative": lambda v: np.geomspace(-v[0], v[2], 5),
    "geomspace of arrays": lambda v: np.geomspace(v[:2], v[3:], 4),
    "geomspace along": lambda v: np.geomspace(v[:2], v[3:], 4, axis=1),
    "unwrap": lambda v: np.unwrap(v),
    "unwrap of rows": lambda v: np.unwrap(np.stack([v, 2 * v, -v]), axis=0),
    "unwrap of degrees": lambda v: np.unwrap(v * 100, period=360, discont=200),
    "ediff1d": lambda v: np.ediff1d(v),
    "ediff1d with ends": lambda v: np.ediff1d(v, to_end=[1.0, 2.0], to_begin=-9.0),
    "choose": lambda v: np.choose(np.array([0, 2, 1, 0, 1]), [v, v * v, 2.0]),
    "extract": lambda v: np.extract(v > 0, v),
    "row_stack": lambda v: np.vstack([v, 2 * v], dtype=None, casting="same_kind"),
    "einsum of a list": lambda v: np.einsum("i,i", v, [1, 2, 3, 4, 5]),
    "argwhere": lambda v: np.argwhere(v > 1) * 1.0,
    "kth": lambda v: np.partition(v, 2)[2],
    "argkth": lambda v: v[np.argpartition(v, 1)[1]],
}


def checked(f, at, name):
    """The same value as NumPy's, of its shape, and the slopes of differences."""
    wanted, found = f(at), ad.vectorize(lambda x, k: f(x), in_axes=(None, 0))(at, np.zeros(1))[0]
    assert np.shape(found) == np.shape(wanted), name
    np.testing.assert_allclose(found, wanted, rtol=1e-12, err_msg=name)
    weights = np.cos(np.arange(np.size(wanted))).reshape(np.shape(wanted))
    loss = lambda x: np.sum(weights * f(x))
    slope = ad.grad(loss)(at)
    for k in np.ndindex(at.shape):
        if np.isnan(at[k]):
            continue
        step = np.zeros(at.shape)
        step[k] = 1e-6
        wanted = (loss(at + step) - loss(at - step)) / 2e-6
        np.testing.assert_allclose(slope[k], wanted, rtol=1e-6, atol=1e-7, err_msg=f"{name} {k}")


@pytest.mark.each("name", some(OF_NAN, 4))
def test_nan_is_left_out(name):
    checked(OF_NAN[name], ROWS, name)


@pytest.mark.each("name", some(list(OF_NUMBERS), 3))
def test_picked_entries(name):
    checked(OF_NUMBERS[name], V, name)


def test_numbers_stand_for_the_letters_of_einsum():
    draw = np.random.default_rng(7)
    for turn in range(60):
        count = draw.integers(1, 4)
        indices = draw.choice(52, 4, replace=False).tolist()
        lengths = dict(zip(indices, (2, 3, 4, 5)))
        names = [draw.choice(indices, draw.integers(1, 4)).tolist() for _ in range(count)]
        arrays = [draw.normal(size=[lengths[n] for n in name]) for name in names]
        if turn % 3 == 0:  # the first axis of all broadcasts
            names = [[..., *name] for name in names]
            arrays = [draw.normal(size=(2, *a.shape)) for a in arrays]
        args = [v for pair in zip(arrays, names) for v in pair]
        if turn % 2:
            once = draw.permutation(sorted({n for name in names for n in name if n is not ...}))
            args.append([*([...] if turn % 3 == 0 else []), *once.tolist()[:2]])
        inputs = [ad.tensor(f"x{k}", shape=a.shape) for k, a in enumerate(arrays)]
        ours = [inputs[k // 2] if k < 2 * count and k % 2 == 0 else v for k, v in enumerate(args)]
        found = ad.evaluate(np.einsum(*ours), dict(zip(inputs, arrays)))
        np.testing.assert_allclose(found, np.einsum(*args), rtol=1e-12, err_msg=str(names))
    x = ad.vector("x", shape=3)
    for wrong in ((x, [0], x), (x, [52]), (x, ["i"]), ([0], x), (x, 0)):
        with pytest.raises(TypeError, match=r"lists of the numbers 0 to 51 behind the operands"):
            ad.einsum(*wrong)


def test_truth_of_arrays():
    v = np.array([1.0, np.inf, -np.inf, np.nan])
    x = ad.vector("x")
    for f in (np.isposinf, np.isneginf):
        assert ad.evaluate(f(x), {x: v}).tolist() == f(v).tolist()
    assert ad.evaluate(np.array_equiv(x, 2.0), {x: [2.0, 2.0]})
    with pytest.warns(RuntimeWarning):
        assert np.isnan(np.nanmedian(np.full(2, np.nan)))
    assert np.isnan(ad.evaluate(np.nanmedian(x), {x: [np.nan, np.nan]}))
