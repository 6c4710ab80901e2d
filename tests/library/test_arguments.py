"""Arguments of NumPy's functions: what stands for what, and what is refused."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.values import value


@pytest.mark.each("mode", ["mean", "linear_ramp", "minimum", "maximum", "median", "empty"])
def test_padding_by_what_is_no_entry_is_refused(mode):
    with pytest.raises(ValueError, match="modes constant, edge"):
        np.pad(ad.vector("x", shape=4), 2, mode=mode)


def test_counts_of_repetitions():
    x = ad.vector("x", shape=3)
    data = np.array([3.0, 1.0, 2.0])
    np.testing.assert_array_equal(value(np.repeat(x, [2]), x=data), np.repeat(data, [2]))
    with pytest.raises(ValueError, match="broadcast"):
        np.repeat(x, [2, 1])
    with pytest.raises(ValueError, match="reshape"):
        value(np.repeat(ad.vector("x"), [2, 1]), x=data)


def test_what_cannot_be_known_or_held_is_refused():
    with pytest.raises(ValueError, match="order is C or F"):
        ad.matrix("X", shape=(2, 3)).ravel(order="K")
    with pytest.raises(TypeError, match="not order='A'"):
        np.reshape(ad.matrix("X", shape=(2, 3)), (3, 2), order="A")
    with pytest.raises(TypeError, match="the axis along which it weighs"):
        np.average(ad.matrix("X", shape=(2, 3)), weights=np.ones(3))
    with pytest.raises(ad.DTypeError, match="cannot take float64"):
        ad.vector("k", dtype="int64", shape=2).at[0].add(0.5)
    with pytest.raises(ad.ShapeError, match="give axis="):
        np.squeeze(ad.matrix("A"))
    x = ad.scalar("x")
    with pytest.raises(TypeError, match="a list of expressions"):
        ad.grad(x * x, x, consider_constant=x)


ONE_AXIS = {
    "cumsum": np.cumsum, "cumprod": np.cumprod, "sort": np.sort, "argsort": np.argsort,
    "argmax": np.argmax, "argmin": np.argmin, "unstack": lambda x, k: ad.unstack(x, axis=k),
    "diff": lambda x, k: np.diff(x, axis=k), "trapezoid": lambda x, k: np.trapezoid(x, axis=k),
    "concatenate": lambda x, k: np.concatenate([x, x], k), "stack": lambda x, k: np.stack([x], k),
    "split": lambda x, k: np.split(x, 3, k), "array_split": lambda x, k: np.array_split(x, 2, k),
    "repeat": lambda x, k: np.repeat(x, 2, k), "swapaxes": lambda x, k: np.swapaxes(x, k, 0),
    "take": lambda x, k: np.take(x, [0], k), "delete": lambda x, k: np.delete(x, 0, k),
    "take_along_axis": lambda x, k: np.take_along_axis(x, np.zeros((3, 3), int), k),
    "insert": lambda x, k: np.insert(x, 0, 1.0, k),
    "compress": lambda x, k: np.compress([True, False, True], x, k),
}  # fmt: skip
MANY_AXES = {
    "sum": np.sum, "max": np.max, "mean": np.mean, "prod": np.prod, "any": np.any, "var": np.var,
    "flip": np.flip, "expand_dims": np.expand_dims, "median": np.median, "softmax": ad.softmax,
    "logsumexp": ad.logsumexp, "roll": lambda x, k: np.roll(x, 1, k),
    "transpose": lambda x, k: np.transpose(x, (k, 0)),
}  # fmt: skip


@pytest.mark.each("axis", [(0, 1), [1], (0,)], ids=str)
@pytest.mark.each("name", ONE_AXIS)
def test_of_several_axes_none_is_forgotten(name, axis):
    with pytest.raises(TypeError, match="an axis is one whole number such as 0 or -1, not"):
        ONE_AXIS[name](ad.matrix("x", shape=(3, 3)), axis)


@pytest.mark.each("axis", [0.5, "a", True, 1.0, np.True_], ids=str)
@pytest.mark.each("name", ONE_AXIS | MANY_AXES)
def test_what_is_no_axis_is_told(name, axis):
    with pytest.raises(TypeError, match="an axis is one whole number such as 0 or -1, not"):
        (ONE_AXIS | MANY_AXES)[name](ad.matrix("x", shape=(3, 3)), axis)


@pytest.mark.each("axis", [1, np.int64(1), np.array(1)], ids=repr)
@pytest.mark.each("name", ONE_AXIS | MANY_AXES)
def test_an_axis_may_be_a_number_of_numpy(name, axis):
    (ONE_AXIS | MANY_AXES)[name](ad.matrix("x", shape=(3, 3)), axis)


def test_differences_are_not_taken_a_negative_number_of_times():
    with pytest.raises(ValueError, match="0 times or more, not -1"):
        np.diff(ad.vector("x", shape=3), -1)


OF_ROWS = {
    "array_split": (2,), "astype": ("float32",), "delete": (0, 1), "diag": (), "diagonal": (),
    "dsplit": (1,), "flip": (), "hsplit": (2,), "matrix_norm": (), "matrix_power": (2,),
    "matrix_trace": (), "matrix_transpose": (), "median": (), "moveaxis": (0, 1), "nanmax": (),
    "nanmean": (), "nanmin": (), "nanstd": (), "nanvar": (), "norm": (), "pad": (1,),
    "prod": (), "quantile": (0.5,), "repeat": (2, 1), "roll": (1,), "rot90": (), "round": (),
    "sliding_window_view": (2, 0), "split": (2,), "svd": (), "swapaxes": (0, 1), "tile": (2,),
    "tril": (), "triu": (), "unstack": (), "vector_norm": (), "vsplit": (2,),
}  # fmt: skip


@pytest.mark.each("name", OF_ROWS)
def test_lists_and_arrays_stand_for_constants(name):
    function, rows = getattr(ad, name), [[4.0, 2.0], [2.0, 5.0]]
    rows = [rows] if name == "dsplit" else rows
    results = [function(x, *OF_ROWS[name]) for x in (ad.constant(rows), rows, np.array(rows))]
    wanted, *found = [ad.evaluate(list(y) if isinstance(y, tuple) else y) for y in results]
    for y in found:
        np.testing.assert_equal(y, wanted)


@pytest.mark.each("name", OF_ROWS)
@pytest.mark.each("wrong", [None, "x", object(), {}])
def test_what_is_no_array_is_named(name, wrong):
    with pytest.raises(TypeError, match="takes expressions and numbers, not"):
        getattr(ad, name)(wrong, *OF_ROWS[name])
