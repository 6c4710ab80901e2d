"""Names of Theano's that few programs used, compared with NumPy or with what they are made of."""

import math

import numpy as np
import pytest

import autodiff_edu.theano as theano
import autodiff_edu.theano.tensor as T
from autodiff_edu.theano.gradient import verify_grad
from autodiff_edu.theano.tensor import extra_ops, fft, nlinalg
from autodiff_edu.theano.tensor.nnet import abstract_conv, crossentropy_softmax_1hot
from autodiff_edu.theano.tensor.nnet import crossentropy_softmax_max_and_argmax_1hot as all_four
from autodiff_edu.theano.tensor.signal import pool
from tests.helpers.depth import some

pytestmark = pytest.mark.numeric
RNG = np.random.default_rng


def by_kernels(x, ratio):
    """Theano's own way: edges repeated, then a transposed convolution for each direction."""
    n, channels, rows, columns = x.shape
    for axis in (2, 3):
        ends = [np.take(x, [k], axis) for k in (0, -1)]
        x = np.concatenate([ends[0], x, ends[1]], axis)
    x = x.reshape(-1, 1, rows + 2, columns + 2)
    kernel = abstract_conv.bilinear_kernel_1D(ratio).eval()
    pad = 2 * ratio - (ratio - 1) // 2 - 1
    x = abstract_conv.conv2d_grad_wrt_inputs(
        T.constant(x), T.constant(kernel[None, None, :, None]),
        (len(x), 1, rows * ratio, columns + 2), border_mode=(pad, 0),
        subsample=(ratio, 1))  # fmt: skip
    x = abstract_conv.conv2d_grad_wrt_inputs(
        x, T.constant(kernel[None, None, None, :]),
        (n * channels, 1, rows * ratio, columns * ratio), border_mode=(0, pad),
        subsample=(1, ratio))  # fmt: skip
    return x.eval().reshape(n, channels, rows * ratio, columns * ratio)


@pytest.mark.parametrize("ratio", some([1, 2, 3, 4, 5], 6))
def test_upsampling_is_that_of_the_kernels(ratio):
    value = RNG(ratio).normal(size=(2, 3, *RNG(ratio).integers(1, 6, 2)))
    x = T.dtensor4()
    found = abstract_conv.bilinear_upsampling(x, ratio=ratio)
    np.testing.assert_allclose(found.eval({x: value}), by_kernels(value, ratio), atol=1e-12)
    verify_grad(
        lambda x: abstract_conv.bilinear_upsampling(x, ratio), [value], rng=np.random.RandomState(0)
    )


def test_upsampling_keeps_the_dtype_and_says_what_it_has_not():
    x = T.ftensor4()
    assert abstract_conv.bilinear_upsampling(x, ratio=2).dtype == "float32"
    with pytest.raises(ValueError, match="tuple"):
        abstract_conv.bilinear_upsampling(x, frac_ratio=1.5)
    with pytest.raises(ValueError, match="takes ratio="):
        abstract_conv.bilinear_upsampling(x)


@pytest.mark.parametrize("ind", some([1, 2, 3], 2))
def test_the_inverse_of_a_tensor(ind):
    shape = {1: (12, 2, 3, 2), 2: (4, 3, 6, 2), 3: (2, 3, 2, 12)}[ind]
    value, x = RNG(ind).normal(size=shape), T.dtensor4()
    found = nlinalg.tensorinv(x, ind).eval({x: value})
    np.testing.assert_allclose(found, np.linalg.tensorinv(value, ind), atol=1e-10)
    verify_grad(lambda x: nlinalg.tensorinv(x, ind), [value], rng=np.random.RandomState(0))


@pytest.mark.each(("shape", "axes"), [
    ((6, 4, 2, 3, 4), None), ((3, 6, 4, 4, 2), (0, 4, 3)), ((6, 4, 24), None)])  # fmt: skip
def test_the_solution_of_an_equation_between_tensors(shape, axes):
    left = T.TensorType("float64", (False,) * len(shape))()
    right = T.dmatrix()
    a, b = RNG(0).normal(size=shape), RNG(1).normal(size=(6, 4))
    found = theano.function([left, right], nlinalg.tensorsolve(left, right, axes))(a, b)
    np.testing.assert_allclose(found, np.linalg.tensorsolve(a, b, axes), atol=1e-9)
    verify_grad(
        lambda b: nlinalg.tensorsolve(T.constant(a), b, axes), [b], rng=np.random.RandomState(0)
    )


def test_eigenvalues_of_a_matrix_without_symmetry():
    value = RNG(0).uniform(size=(5, 5))
    value = np.linalg.inv(value) @ np.diag(np.arange(1.0, 6.0)) @ value
    x = T.dmatrix()
    w, v = theano.function([x], nlinalg.eig(x))(value)
    np.testing.assert_allclose(value @ v, w * v, atol=1e-8)
    np.testing.assert_allclose(np.sort(w), np.arange(1.0, 6.0), atol=1e-8)
    with pytest.raises(Exception, match="eigh"):
        T.grad(nlinalg.eig(x)[0].sum(), x)


def test_the_two_ways_to_round_have_names():
    x = T.dvector()
    even, away = [f(x).eval({x: [0.5, 1.5, -2.5]}) for f in (
        T.round_half_to_even, T.round_half_away_from_zero)]  # fmt: skip
    assert even.tolist() == [0, 2, -2] and away.tolist() == [1, 2, -3]


def test_the_diagonal_by_its_old_name():
    x = T.dmatrix()
    assert T.extract_diag(x).eval({x: [[1.0, 2.0], [3.0, 4.0]]}).tolist() == [1, 4]


def test_all_that_the_softmax_of_a_row_gives():
    x, y = T.dmatrix(), T.lvector()
    value, places = RNG(0).normal(size=(4, 3)), [0, 2, 1, 1]
    nll, p, largest, place = theano.function([x, y], all_four(x, y))(value, places)
    expected = theano.function([x, y], crossentropy_softmax_1hot(x, y))(value, places)
    np.testing.assert_allclose(nll, expected[0])
    np.testing.assert_allclose(p, expected[1])
    np.testing.assert_allclose(largest, p.max(1))
    assert place.tolist() == p.argmax(1).tolist()


@pytest.mark.each("name", ["complex", "complex_from_polar", "angle"])
def test_complex_numbers_are_refused_by_name(name):
    with pytest.raises(NotImplementedError, match=f"theano.tensor.{name} is not there.*write"):
        getattr(T, name)(T.dscalar(), T.dscalar())


@pytest.mark.each("options", [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)])
def test_the_different_entries_and_where_they_stand(options):
    value, x = RNG(sum(options)).integers(-3, 4, 20), T.lvector()
    found = extra_ops.Unique(*map(bool, options))(x)
    expected = np.unique(value, *map(bool, options))
    found = theano.function([x], found)(value)
    for mine, numpys in zip(found, expected, strict=True):
        np.testing.assert_array_equal(mine, numpys)


def test_an_input_as_it_was_stated_before_in():
    x, y = T.dscalars("xy")
    f = theano.function([x, theano.Param(y, default=3.0, name="other")], x + y)
    assert f(1.0) == 4 and f(1.0, other=1.0) == 2
    assert theano.function([theano.Param(x, 2.0)], x)() == 2


def test_a_variable_stays_on_its_device():
    x = T.dvector()
    assert x.transfer("cpu") is x


NORMS = {None: "backward", "ortho": "ortho"}


SHAPES = [(2, 6), (3, 5), (2, 4, 6), (2, 3, 7), (1, 3, 2, 4)]


@pytest.mark.parametrize(
    "shape, norm",
    [(s, norm) for k, s in some(enumerate(SHAPES), 3) for norm in some(NORMS, 2, turn=k)],
)
def test_transforms_are_numpys_with_parts_on_the_last_axis(norm, shape):
    value, axes = RNG(len(shape)).normal(size=shape), tuple(range(1, len(shape)))
    x = T.TensorType("float64", (False,) * len(shape))()
    found = theano.function([x], fft.rfft(x, norm))(value)
    expected = np.fft.rfftn(value, axes=axes, norm=NORMS[norm])
    np.testing.assert_allclose(found, np.stack([expected.real, expected.imag], -1), atol=1e-12)
    verify_grad(lambda x: fft.rfft(x, norm), [value], rng=np.random.RandomState(0))
    odd, z = bool(shape[-1] % 2), T.TensorType("float64", (False,) * (len(shape) + 1))()
    other = RNG(0).normal(size=found.shape)
    back = theano.function([z], fft.irfft(z, norm, odd))
    np.testing.assert_allclose(back(found), value, atol=1e-12)
    expected = np.fft.irfftn(other[..., 0] + 1j * other[..., 1], shape[1:], axes, NORMS[norm])
    np.testing.assert_allclose(back(other), expected, atol=1e-12)
    verify_grad(lambda z: fft.irfft(z, norm, odd), [other], rng=np.random.RandomState(0))


def test_transforms_refuse_another_norm():
    with pytest.raises(ValueError, match="Invalid value 123 for norm"):
        fft.rfft(T.dmatrix(), norm=123)


@pytest.mark.each("norm", [None, "ortho", "no_norm"])
def test_transforms_keep_single_precision(norm):
    x = T.fmatrix()
    there, back = fft.rfft(x, norm), fft.irfft(fft.rfft(x, norm), norm)
    assert (there.dtype, back.dtype) == ("float32", "float32")
    value = RNG(0).normal(size=(2, 8)).astype("float32")
    found = theano.function([x], [there, back])(value)
    assert [a.dtype for a in found] == ["float32", "float32"]
    np.testing.assert_allclose(found[1], value * (8 if norm == "no_norm" else 1), rtol=1e-4)


def test_a_graph_is_walked_as_the_tutorial_on_graphs_does():
    x = T.dmatrix("x")
    y = x * 2.0
    assert y.owner.inputs[0] is x or y.owner.inputs[0].expr is x.expr
    stretched = y.owner.inputs[1]
    assert stretched.broadcastable == (True, True)
    (number,) = stretched.owner.inputs
    assert number.data == 2.0 and number.owner is None


def test_pooling_by_operations_with_options():
    x, ct = T.tensor3(), T.tensor3()
    at, back = np.arange(24.0).reshape(1, 4, 6), np.ones((1, 2, 3))
    pooled = pool.Pool(ignore_border=True)(x, (2, 2))
    assert pool.Pool.out_shape((1, 4, 6), (2, 2), ignore_border=True) == [1, 2, 3]
    assert pool.Pool.out_shape((9, 8, 7), 2, ndim=3) == [5, 4, 4]
    by_op = pool.MaxPoolGrad(ignore_border=True)(x, pooled, ct, (2, 2))
    slopes = theano.function([x, ct], [by_op, T.grad((pooled * ct).sum(), x)])(at, back)
    np.testing.assert_array_equal(*slopes)
    means = pool.AveragePoolGrad(ignore_border=True)(x, ct, (2, 2))
    assert (theano.function([x, ct], means)(at, back) == 0.25).all()


def test_slopes_of_softmax_by_their_own_operations():
    x, dy, y = T.matrix(), T.vector(), T.ivector()
    p = T.nnet.softmax(x)
    loss = T.nnet.crossentropy_categorical_1hot(p, y)
    expected = T.grad((dy * loss).sum(), x)
    by_op = T.nnet.crossentropy_softmax_1hot_with_bias_dx(dy, p, y)
    back = T.nnet.CrossentropyCategorical1HotGrad()(dy, p, y)
    rng = np.random.default_rng(0)
    f = theano.function([x, dy, y], [expected, by_op, T.nnet.softmax_grad(back, p)])
    found = f(rng.normal(size=(3, 4)), rng.normal(size=3), np.array([0, 3, 1], "int32"))
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=1e-10)


def test_numbers_of_few_bits():
    """A whole number of few bits becomes a float of single precision, and nothing wraps."""
    small = T.bvector()
    assert T.exp(small).dtype == T.nnet.sigmoid(small).dtype == "float32"
    k = T.lscalar()
    assert T.inv(k).eval({k: 4}) == 0.25
    a, b = T.TensorType("uint8", [False])(), T.TensorType("uint8", [False])()
    up = theano.function([a, b], T.ceil_intdiv(a, b))
    given = [np.array(v, "uint8") for v in ([255, 252, 3], [3, 253, 255])]
    np.testing.assert_array_equal(up(*given), [85, 1, 1])


def test_gamma_is_negative_between_some_whole_numbers():
    x = T.dvector()
    at = np.array([-0.75, -1.5, 0.5, 4.0])
    value, slope = theano.function([x], [T.gamma(x), T.grad(T.gamma(x).sum(), x)])(at)
    np.testing.assert_allclose(value, [math.gamma(v) for v in at], rtol=1e-12)
    step = 1e-6
    ends = [np.array([math.gamma(v + s) for v in at]) for s in (step, -step)]
    np.testing.assert_allclose(slope, (ends[0] - ends[1]) / (2 * step), rtol=1e-6)


def test_gradients_are_compared_where_lengths_of_one_stretch():
    rng = np.random.default_rng(0)
    points = [rng.normal(size=(2, 3)), rng.normal(size=(1, 3)), rng.normal(size=(2, 1))]
    verify_grad(lambda x, y, z: x * y + T.exp(z), points, rng=np.random.RandomState(0))


def test_diagonals_of_more_than_two_axes():
    x = T.tensor3()
    found = theano.function([x], extra_ops.fill_diagonal(x, 7.0))(np.zeros((3, 3, 3)))
    expected = np.zeros((3, 3, 3))
    np.fill_diagonal(expected, 7.0)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.each("axis", [-1, 0, None])
@pytest.mark.each("k", [1, 3, -1, -2])
def test_the_largest_entries_or_the_smallest(k, axis):
    x = T.matrix()
    at = RNG(0).normal(size=(4, 5))
    values, places = theano.function([x], T.topk_and_argtopk(x, k, axis=axis, idx_dtype="int32"))(
        at
    )
    flat, axis = (at.ravel(), 0) if axis is None else (at, axis)
    ordered = np.sort(flat, axis=axis)
    n = ordered.shape[axis]
    expected = np.take(ordered, range(n - k, n) if k > 0 else range(-k), axis)
    np.testing.assert_array_equal(np.sort(values, axis=axis), expected)
    np.testing.assert_array_equal(np.take_along_axis(flat, places, axis), values)
    assert places.dtype == "int32"


def test_a_graph_becomes_a_function_by_a_linker():
    x, y = T.scalars("xy")
    graph = theano.gof.FunctionGraph([x, y], [x * y])
    assert theano.gof.PerformLinker().accept(graph).make_function()(2.0, 3.0) == 6
