"""Convolutions in all forms of `nnet.abstract_conv`, compared with plain loops."""

import itertools

import numpy as np
import pytest

import autodiff_edu.theano as theano
from autodiff_edu.theano import tensor as T
from autodiff_edu.theano.gradient import verify_grad
from autodiff_edu.theano.tensor.nnet import abstract_conv as conv
from tests.helpers.depth import some

pytestmark = pytest.mark.numeric
RNG = np.random.RandomState
OPTIONS = list(itertools.product([1, 2], [1, 2], [1, 2], ["valid", "half", "full", (0, 2)]))


def window(x, i, j, w, stride, dilation):
    k, m = w.shape[-2:]
    rows, columns = i * stride + np.arange(k) * dilation, j * stride + np.arange(m) * dilation
    return x[:, :, rows[:, None], columns]


def by_loops(x, w, border, stride, dilation, groups):
    """A correlation; filters of six axes differ from place to place."""
    shape = conv.get_conv_output_shape(
        x.shape, (len(w), *w.shape[-3:]), border, (stride,) * 2, (dilation,) * 2)  # fmt: skip
    size = [(k - 1) * dilation + 1 for k in w.shape[-2:]]
    pads = {"valid": (0, 0), "half": [k // 2 for k in size], "full": [k - 1 for k in size]}
    p, q = border if isinstance(border, tuple) else pads[border]
    x = np.pad(x, [(0, 0), (0, 0), (p, p), (q, q)])
    out = np.zeros(shape)
    inputs, outputs = x.shape[1] // groups, len(w) // groups
    for g, i, j in itertools.product(range(groups), range(shape[2]), range(shape[3])):
        seen = window(x[:, g * inputs : (g + 1) * inputs], i, j, w, stride, dilation)
        here = w[g * outputs : (g + 1) * outputs]
        here = here[:, i, j] if w.ndim == 6 else here
        out[:, g * outputs : (g + 1) * outputs, i, j] = np.einsum("ncij,ocij->no", seen, here)
    return out


def operands(rng, stride, dilation, groups, border, unshared):
    x, w = rng.rand(2, 2 * groups, 7, 6), rng.rand(2 * groups, 2, 3, 2)
    shape = conv.get_conv_output_shape(x.shape, w.shape, border, (stride,) * 2, (dilation,) * 2)
    if unshared:
        w = rng.rand(len(w), *shape[2:], *w.shape[1:])
    return x, w, rng.rand(*shape)


@pytest.mark.parametrize(
    "unshared, stride, dilation, groups, border",
    [
        (unshared, *options)
        for k, options in some(enumerate(OPTIONS), 7)
        for unshared in some([False, True], 2, turn=k + k // 4)
    ],
)
def test_every_form_is_that_of_the_loops(stride, dilation, groups, border, unshared):
    x, w, ct = operands(RNG(0), stride, dilation, groups, border, unshared)
    how = {"border_mode": border, "subsample": (stride,) * 2, "filter_dilation": (dilation,) * 2,
           "num_groups": groups, "unshared": unshared, "filter_flip": False}  # fmt: skip
    images, filters = T.dtensor4(), T.TensorType("float64", (False,) * w.ndim)()
    top = T.dtensor4()
    y = conv.AbstractConv2d(**how)(images, filters)
    np.testing.assert_allclose(
        y.eval({images: x, filters: w}), by_loops(x, w, border, stride, dilation, groups)
    )
    back = theano.function([images, filters, top], T.grad(T.sum(y * top), [images, filters]))
    given = [conv.AbstractConv2d_gradInputs(**how)(filters, top, x.shape[2:]),
             conv.AbstractConv2d_gradWeights(**how)(images, top, w.shape[-2:])]  # fmt: skip
    f = theano.function([images, filters, top], given)
    for a, b in zip(back(x, w, ct), f(x, w, ct), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)


@pytest.mark.parametrize("unshared", some([False, True], 2, turn=1))
def test_what_is_handed_back_has_derivatives(unshared):
    how = {"border_mode": (1, 0), "subsample": (2, 2), "num_groups": 2, "unshared": unshared}
    x, w, ct = operands(RNG(1), 2, 1, 2, (1, 0), unshared)
    verify_grad(lambda w, ct: conv.AbstractConv2d_gradInputs(**how)(w, ct, x.shape[2:]), [w, ct],
                rng=RNG(0))  # fmt: skip
    verify_grad(lambda x, ct: conv.AbstractConv2d_gradWeights(**how)(x, ct, w.shape[-2:]),
                [x, ct], rng=RNG(0))  # fmt: skip


def test_shapes_told_from_one_another():
    for n, k, border, d in itertools.product(range(1, 9), range(1, 5), ["valid", "full", (0, 2)],
                                             (1, 2)):  # fmt: skip
        image, kernel = (5, 3, n, n), (7, 3, k, k)
        out = conv.get_conv_output_shape(image, kernel, border, (1, 1), (d, d))
        assert conv.get_conv_gradinputs_shape(kernel, out, border, (1, 1), (d, d)) == image
        assert conv.get_conv_gradweights_shape(image, out, border, (1, 1), (d, d)) == kernel
        assert conv.check_conv_gradinputs_shape(image, kernel, out, border, (1, 1), (d, d))
        off = (*out[:2], out[2] + 1, None)
        assert not conv.check_conv_gradinputs_shape(image, kernel, off, border, (1, 1), (d, d))
    assert conv.get_conv_gradinputs_shape(kernel, out, "valid", (2, 2)) == (5, 3, None, None)
    assert conv.get_conv_gradweights_shape(image, out, "half", (1, 1)) == (7, 3, None, None)
    with pytest.raises(ValueError, match="border_mode must be >= 0"):
        conv.get_conv_output_shape(image, kernel, (-1, 0), (1, 1))


def test_shapes_are_compared_when_a_program_runs():
    n = T.iscalar()
    f = theano.function([n], conv.assert_conv_shape((2, 2, n, 1))[2])
    assert f(3) == 3
    with pytest.raises(AssertionError, match="invalid shape"):
        f(0)
    with pytest.raises(ValueError, match="invalid shape"):
        conv.assert_conv_shape((2, 2, 0, 1))
    x, w = T.dtensor4(), T.dtensor4()
    with theano.change_flags({"conv.assert_shape": True}):
        f = theano.function([x, w], conv.conv2d(x, w, (3, 5, 7, 9), (7, 5, 3, 3)))
    f(np.ones((3, 5, 7, 9)), np.ones((7, 5, 3, 3)))
    with pytest.raises(AssertionError, match="shape"):
        f(np.ones((3, 5, 8, 9)), np.ones((7, 5, 3, 3)))


def test_classes_take_shapes_that_are_known():
    for name in ("AbstractConv2d", "AbstractConv2d_gradWeights", "AbstractConv3d_gradInputs"):
        with pytest.raises(ValueError, match="constant int values"):
            getattr(conv, name)(imshp=T.lvector())
        getattr(conv, name)(kshp=[T.constant(3), 5, 7, 11])


def test_separable_filters_are_two_convolutions():
    for axes in (2, 3):
        x, w = RNG(2).rand(2, 2, *(5,) * axes), RNG(3).rand(4, 1, *(3,) * axes)
        points = RNG(4).rand(3, 4, *(1,) * axes)
        found = getattr(conv, f"separable_conv{axes}d")(x, w, points, 2).eval()
        each = getattr(conv, f"conv{axes}d")(T.constant(x), T.constant(w), num_groups=2).eval()
        expected = np.einsum("nc...,oc->no...", each, points.reshape(3, 4))
        np.testing.assert_allclose(found, expected)


def test_a_causal_convolution_does_not_see_what_follows():
    x, w = RNG(5).rand(2, 3, 8), RNG(6).rand(4, 3, 3)
    found = conv.causal_conv1d(x, w, w.shape, filter_dilation=2).eval()
    before = np.pad(x, [(0, 0), (0, 0), (4, 0)])
    expected = sum(np.einsum("nct,oc->not", before[:, :, 2 * k : 2 * k + 8], w[:, :, 2 - k])
                   for k in range(3))  # fmt: skip
    np.testing.assert_allclose(found, expected)
    with pytest.raises(ValueError, match="3D"):
        conv.causal_conv1d(x[0], w, w.shape)


@pytest.mark.each("ratio", [(7, 4), (5, 3), (6, 4)])
def test_upsampling_by_a_fraction_takes_every_qth_pixel(ratio):
    x = RNG(7).rand(1, 2, 3, 5)
    p, q = (n // np.gcd(*ratio) for n in ratio)
    larger = conv.bilinear_upsampling(T.constant(x), ratio=int(p)).eval()
    found = conv.bilinear_upsampling(T.constant(x), frac_ratio=ratio).eval()
    np.testing.assert_allclose(found, larger[:, :, ::q, ::q])


@pytest.mark.parametrize("axes", some([(0,), (0, 2, 3)], 2))
def test_batch_normalisation_as_classes(axes):
    x, dy = RNG(8).randn(4, 3, 2, 2), RNG(9).randn(4, 3, 2, 2)
    shape = tuple(1 if k in axes else n for k, n in enumerate(x.shape))
    scale, bias = RNG(10).rand(*shape), RNG(11).rand(*shape)
    given = [T.dtensor4(), *[T.TensorType("float64", [n == 1 for n in shape])() for _ in "ab"]]
    out, mean, inverse = T.nnet.bn.AbstractBatchNormTrain(axes)(*given)
    back = T.grad(T.sum(out * dy), given)
    found = T.nnet.bn.AbstractBatchNormTrainGrad(axes)(given[0], dy, given[1], mean, inverse)
    again = T.nnet.bn.AbstractBatchNormInference(axes)(*given, mean, 1 / inverse**2 - 1e-4)
    values = theano.function(given, [*back, out, *found, again])(x, scale, bias)
    for a, b in zip(values[:4], values[4:], strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)
