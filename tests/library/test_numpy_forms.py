"""NumPy's functions in the forms that are written seldom: values, dtypes and slopes as there."""

from itertools import permutations

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view
from scipy import special

import autodiff_edu as ad
from tests.helpers.depth import some

V = np.arange(12.0).reshape(3, 4) ** 1.1 - 5
K = np.array([-4, -3, 1, -3])


def agrees(f, *arrays):
    """f gives for expressions the values, shapes and dtypes of NumPy, simplified or not."""
    xs = [ad.tensor(f"x{k}", dtype=a.dtype, shape=a.shape) for k, a in enumerate(arrays)]
    want = f(*arrays)
    for simplify in (None, "safe", "real"):
        got = ad.function(xs, f(*xs), simplify=simplify, on_unused_input="ignore")(*arrays)
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)
        assert np.shape(got) == np.shape(want) and np.asarray(got).dtype == np.asarray(want).dtype


# ---- differences, axes, equality


@pytest.mark.each("n", some(range(3), 2))
@pytest.mark.each(
    "ends", some([{"append": 1.5}, {"prepend": -0.5, "append": 2}, {"prepend": 1}], 2)
)
def test_differences_with_numbers_at_the_ends(n, ends):
    agrees(lambda x: np.diff(x, n, **ends), K)
    agrees(lambda x: np.diff(x, n, axis=0, **ends), V)
    agrees(lambda x: np.diff(x, n, **ends), np.array([3, 1, 2], "uint8"))
    agrees(lambda x: np.diff(x, n, axis=0, **ends), V[:0])


@pytest.mark.each("dtype", ["int8", "bool", "float32"])
@pytest.mark.each("how", ["reduce", "accumulate"])
@pytest.mark.each("ufunc", [np.add, np.multiply])
def test_reductions_of_ufuncs_keep_the_dtype_that_is_asked_for(ufunc, how, dtype):
    agrees(lambda x: getattr(ufunc, how)(x, axis=1, dtype=dtype), V)


@pytest.mark.each("dtype", ["int64", "bool"])
@pytest.mark.each("function", [np.var, np.std])
def test_deviations_are_not_computed_in_whole_numbers(function, dtype):
    with pytest.raises(TypeError, match="computes in floats"):
        function(ad.vector("x"), dtype=dtype)


def test_only_infinities_are_close_to_infinities():
    edge = np.array([0.0, 1e300, -np.inf, np.inf, np.nan])
    agrees(lambda x, y: np.isclose(x[:, None], y), edge, edge)


@pytest.mark.each("axes", [(0, 0), (-1, 1)])
def test_no_axis_turns_towards_itself(axes):
    with pytest.raises(ValueError, match="from one axis towards another"):
        np.rot90(ad.matrix("x"), axes=axes)


@pytest.mark.each("start", some(range(-3, 4), 4))
@pytest.mark.each("axis", some(range(-3, 3), 2))
def test_an_axis_rolls_to_a_place_from_the_end(axis, start):
    agrees(lambda x: np.rollaxis(x, axis, start), np.arange(24.0).reshape(2, 3, 4))


PAIRS = [(j, k) for j, k in permutations(range(-3, 3), 2) if (j - k) % 3]
OVER_TWO = {
    "windows": lambda x, axes: sliding_window_view(x, (1, 2), axes),
    "gradient": lambda x, axes: np.stack(np.gradient(x, 0.5, 2.0, axis=axes)),
    "columns": lambda x, axes: np.linalg.norm(x, 1, axis=axes),
    "rows": lambda x, axes: np.linalg.norm(x, np.inf, axis=axes, keepdims=True),
    "rot90": lambda x, axes: np.rot90(x, axes=axes),
    "moveaxis": lambda x, axes: np.moveaxis(x, axes, (0, 1)),
    "roll": lambda x, axes: np.roll(x, (1, 2), axes),
    "tensordot": lambda x, axes: np.tensordot(x, x * 2, (axes, axes)),
    "trace": lambda x, axes: np.trace(x, 1, *axes),
    "quantile": lambda x, axes: np.quantile(x, 0.3, axis=axes, keepdims=True),
    "flip": lambda x, axes: np.flip(x, axes),
}


@pytest.mark.parametrize("name", some(OVER_TWO, 3))
def test_two_axes_are_taken_in_the_order_in_which_they_are_given(name):
    value = np.arange(24.0).reshape(2, 3, 4) ** 1.1
    for axes in some(PAIRS, 8, turn=len(name)):
        agrees(lambda x, axes=axes: OVER_TWO[name](x, axes), value)


@pytest.mark.each(("size", "axes"), [((2, 2), (0, 0)), ([2, 2, 2], (1, -2, -1)), ((2, 1), (-1, 1))])
def test_windows_of_windows(size, axes):
    agrees(lambda x: sliding_window_view(x, size, axes), V)
    with pytest.raises(ad.ShapeError, match="does not fit"):
        ad.sliding_window_view(ad.vector("x", shape=4), (2, 4), (0, 0))


@pytest.mark.each("shape", [(3, 4), (4,), (1, 3, 4), (3, 1), (2, 4), ()], ids=str)
def test_arrays_of_other_shapes_are_not_equal(shape):
    agrees(lambda x: np.array_equal(x, np.ones(shape)), np.ones((3, 4)))


# ---- covariances


@pytest.mark.parametrize("function", some([np.cov, np.corrcoef], 2))
@pytest.mark.parametrize("rowvar", some([True, False], 2))
def test_covariances_of_vectors_and_of_two_matrices(function, rowvar):
    agrees(lambda x: function(x, rowvar=rowvar), V[0])
    agrees(lambda x, y: function(x, y, rowvar=rowvar), V[0], V[1] ** 2)
    agrees(lambda x, y: function(x, y, rowvar=rowvar), V**3, np.sin(V))
    f = lambda x, y: (function(x, y, rowvar=rowvar) ** 2).sum()
    ad.verify_grad(f, [V**3 / 9, np.sin(V)], n_tests=1)


def test_covariances_of_a_stack_of_matrices_are_refused():
    with pytest.raises(ad.ShapeError, match="has 3 axes: reshape it"):
        np.cov(ad.tensor3("x", shape=(2, 3, 4)))


# ---- places


PLACES = [0, 2, -1, [1], [0, 2], [2, 0], [-1, 1, 1], slice(1, 3), slice(None, None, -2)]


@pytest.mark.each("place", some(PLACES, 12), ids=str)
@pytest.mark.each("values", some([7.0, np.array([1.0, 2.0, 3.0]), V[:3, :1]], 2), ids=np.shape)
def test_values_put_in_at_places(place, values):
    one = not isinstance(place, list) or len(place) == 1
    if np.ndim(values) == 1 and not isinstance(place, int) or np.ndim(values) == 2 and not one:
        values = np.broadcast_to(np.sum(values), (3, 1))
    f = lambda x, v: np.insert(x, place, v, axis=1)
    agrees(f, V, np.asarray(values))
    ad.verify_grad(lambda x, v: (f(x, v) ** 2).sum(), [V, np.array(values)], n_tests=1)
    agrees(lambda x: np.insert(x, place, 5), K)


def test_nothing_is_put_in_past_the_end():
    with pytest.raises(IndexError, match="out of bounds"):
        np.insert(ad.vector("x", shape=3), 7, 1.0)


@pytest.mark.each("shift, axis", [((1, -3), 1), (2, (0, 1)), ((1, 2), (1, 1)), ((1, 1), None)])
def test_entries_roll_by_several_shifts(shift, axis):
    agrees(lambda x: np.roll(x, shift, axis), V)
    ad.verify_grad(lambda x: (np.roll(x, shift, axis) * V).sum(), [V], n_tests=1)


def test_a_product_at_a_place_that_is_named_twice_is_refused():
    x = ad.vector("x", shape=3)
    with pytest.raises(ValueError, match="takes each place once"):
        x.at[[0, 2, -3]].multiply(2.0)
    with pytest.raises(AttributeError, match=r"no divide: write x.at\[key\].set"):
        x.at[0].divide(2.0)
    agrees(
        lambda x: x.at[[0, 2]].multiply(3.0) if isinstance(x, ad.Expr) else x * [3, 1, 3], V[:, 0]
    )


@pytest.mark.each("left", [None, 2.0])
def test_one_point_is_interpolated_by_a_constant(left):
    f = lambda x, fp: np.interp(x, np.array([1.0]), fp, left=left)
    agrees(f, np.array([0.0, 1.0, 2.0]), np.array([5.0]))
    ad.verify_grad(lambda x, fp: f(x, fp).sum(), [np.array([0.0, 2.0]), np.array([5.0])])


@pytest.mark.each("points", [1, 2, 4])
def test_points_whose_number_is_not_known_are_interpolated(points):
    xp, fp = np.arange(1.0, points + 1), np.sin(np.arange(1.0, points + 1))
    x, known = np.array([0.0, 1.0, 1.25, 3.25, 5.0]), ad.vector("x", shape=5)
    inputs = [known, ad.vector("xp"), ad.vector("fp")]
    y = np.interp(*inputs)
    value, *slopes = ad.function(inputs, [y, *ad.grad(ad.sum(y), inputs)])(x, xp, fp)
    np.testing.assert_allclose(value, np.interp(x, xp, fp))
    assert all(np.isfinite(v).all() for v in slopes)
    up = np.interp(x, xp, fp + 1) - np.interp(x, xp, fp)  # which is linear in fp
    np.testing.assert_allclose(slopes[2].sum(), up.sum())
    inside = (x > 1) & (x < points)
    wanted = np.interp(x + 1e-6, xp, fp) - np.interp(x - 1e-6, xp, fp)
    np.testing.assert_allclose(slopes[0][inside], wanted[inside] / 2e-6, rtol=1e-6)


# ---- lengths that do not fit


COUNTS = ad.shared(np.array([1, 2]), "counts")
V2, V3, M1, M2 = np.ones(2), np.ones(3), np.ones((1, 3)), np.ones((2, 3))


@pytest.mark.each("f, values", some([
    (lambda x, y: np.interp(x, x, y), (V2, V3)), (lambda x, y: np.interp(y, x, y), (V2[:1], V3)),
    *[(lambda x: np.einsum("ii->i", x), (m,)) for m in (M1, M2, M1.T, M2.T, M1[:, :0])],
    (lambda x: np.einsum("iji->j", x), (np.ones((1, 2, 3)),)),
    (lambda x, y: np.einsum("ii,j->j", x, y), (M1, V3)),
    (lambda x, y: y * np.linalg.matrix_power(x, 0)[0], (M2, V3)),
    *[(lambda y, x: np.repeat(x, COUNTS, axis=0), (V2, m)) for m in (M1, np.ones((3, 2)))],
], 3))  # fmt: skip
def test_lengths_that_differ_are_refused_when_the_program_runs(f, values):
    inputs = [ad.tensor(n, shape=(None,) * v.ndim) for n, v in zip("xy", values)]
    y = f(*inputs)
    for program in (y, ad.grad(ad.sum(y), inputs[-1])):
        with pytest.raises(ValueError, match="length"):
            ad.function(inputs, program, on_unused_input="ignore")(*values)
        with pytest.raises(ValueError, match="length"):
            ad.evaluate(program, dict(zip(inputs, values)))


@pytest.mark.each("count", [0, 1, 3])
def test_one_count_in_an_array_stands_for_all(count):
    x, k = ad.matrix("x"), ad.vector("k", dtype="int64")
    f = ad.function([x, k], np.repeat(x, k, axis=0))
    np.testing.assert_array_equal(f(np.eye(3), [count]), np.repeat(np.eye(3), [count], axis=0))


@pytest.mark.each("of, at, axis", [
    ((2,), (2, 2), -1), ((2,), (3, 2), -1), ((2, 3), (4, 2, 3), -2),
    ((2, 3), (3,), -1), ((2, 3), (2, 3), 0),
])  # fmt: skip
def test_integrals_over_several_grids(of, at, axis):
    y, x = np.sin(np.arange(6.0))[: np.prod(of)].reshape(of), np.cumsum(np.ones(at), axis) ** 2
    agrees(lambda y, x: np.trapezoid(y, x, axis=axis), y, x)


# ---- names


@pytest.mark.each("f", some([
    lambda x: np.sum(a=x, axis=0), lambda x: np.std(a=x, ddof=1), lambda x: np.median(a=x),
    lambda x: np.select(condlist=[x > 0, x < -3], choicelist=[x, -x], default=2.0),
    lambda x: np.split(ary=x, indices_or_sections=3)[1], lambda x: np.delete(arr=x, obj=1, axis=0),
    lambda x: np.insert(arr=x, obj=1, values=2.0, axis=1), lambda x: np.repeat(a=x, repeats=2),
    lambda x: np.tensordot(a=x, b=x, axes=2), lambda x: np.linalg.svd(a=x[:3, :3]).S,
    lambda x: np.compress(condition=[True, False, True], a=x, axis=0), lambda x: np.diag(v=x, k=1),
    lambda x: np.searchsorted(a=x[0], v=0.5), lambda x: np.clip(a=x, a_min=0, a_max=2),
    lambda x: np.take_along_axis(arr=x, indices=np.zeros((3, 1), int), axis=1),
    lambda x: np.moveaxis(a=x, source=0, destination=1), lambda x: np.pad(array=x, pad_width=1),
    lambda x: np.linalg.matrix_power(a=x[:3, :3], n=2),
    lambda x: np.broadcast_to(array=x, shape=(2, 3, 4)),
    lambda x: np.argmax(a=x, axis=1), lambda x: np.fliplr(m=x), lambda x: np.clip(x, min=0, max=2),
], 3))  # fmt: skip
def test_operands_by_the_names_that_they_have_in_numpy(f):
    agrees(f, V)


UNKNOWN = {
    r"np.gradient takes no edge_order= for expressions; what it takes is f, spacing, axis": (
        lambda x: np.gradient(x, edge_order=2)
    ),
    r"np.percentile takes no method=.*x, q, axis, keepdims": (
        lambda x: np.percentile(x, 5, method="lower")
    ),
    r"np.std takes no correction=.*ddof": lambda x: np.std(x, correction=1),
    r"cumsum has no parameter include_initial; what it takes is x, axis": (
        lambda x: np.cumulative_sum(x, axis=0, include_initial=True)
    ),
    r"np.prod takes no initial=.*by \+, \*": lambda x: np.prod(x, initial=2.0),
    r"np.add.at changes an array.*x.at\[key\].add": lambda x: np.add.at(x, [0], 1.0),
    r"scipy.special.kelvin": special.kelvin,
    r"scipy.special.comb takes numbers.*scipy.special.binom": lambda x: special.comb(x, 2),
    r"np.fft.fft: write `k = np.arange\(n\); x @ np.cos": np.fft.fft,
}


@pytest.mark.each("message", UNKNOWN)
def test_what_expressions_do_not_take_is_told_with_what_they_take(message):
    with pytest.raises(TypeError, match=message):
        UNKNOWN[message](ad.matrix("x", shape=(3, 4)))


@pytest.mark.each("p", some([None, 1, -1, 2, -2, np.inf, -np.inf, "fro", "nuc"], 3))
def test_condition_numbers_in_every_norm(p):
    a = V[:, :3] + np.diag([9.0, -4.0, 2.0])
    agrees(lambda x: np.linalg.cond(x, p), np.stack([a, a.T + 1]))
    ad.verify_grad(lambda x: np.linalg.cond(x, p), [a], n_tests=1)


# ---- steps


def test_the_value_of_a_step_at_zero_has_a_slope():
    steps, at_zero = np.array([-1.5, 0.0, 0.0, 2.0]), np.array([0.3, 0.5, -2.0, 0.7])
    ad.verify_grad(lambda h: np.heaviside(steps, h * h), [at_zero], n_tests=1)
    x, h = ad.vector("x", shape=4), ad.vector("h", shape=4)
    assert np.array_equal(
        ad.evaluate(ad.jacobian(np.heaviside(x, h), h, mode="forward"), {x: steps}),
        np.diag(steps == 0),
    )
    with pytest.raises(ad.DisconnectedInputError, match="jumps and is flat elsewhere"):
        ad.grad(np.heaviside(x, h).sum(), x)


@pytest.mark.each("axis", some(range(-3, 3), 3))
def test_equal_distances_stand_along_any_axis(axis):
    f = lambda x, y: np.linspace(x, y, 5, axis=axis)
    agrees(f, V, V[:1] ** 2)
    agrees(lambda x: np.linspace(0, x, 3, endpoint=False, axis=axis), V)
    ad.verify_grad(lambda x, y: (f(x, y) ** 2).sum(), [V, V[:1]], n_tests=1)


def test_places_of_entries_in_one_row():
    agrees(lambda x: np.flatnonzero(x > 0), V)
    agrees(lambda k: np.flatnonzero(k), K * (K > -4))
