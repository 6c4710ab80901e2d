"""Programs published for Theano, in four threads, with their import lines changed and no more."""

import numpy as np
import pytest
from scipy.spatial import distance

import autodiff_edu as ad
import autodiff_edu.theano as th
import autodiff_edu.theano as theano
import autodiff_edu.theano.tensor as T
from autodiff_edu.theano import gof

# ---- thread 1: overriding part of a gradient


def atan2_program(USE_INLINE, EPS=0.01):
    s_x, s_y = T.scalars("xy")
    s_darg = T.scalar()
    s_arg = T.arctan2(s_y, s_x)
    s_abs2 = T.sqr(s_x) + T.sqr(s_y) + EPS
    s_dx = -s_y / s_abs2
    s_dy = s_x / s_abs2

    atan2_safe_grad = th.OpFromGraph(
        [s_x, s_y, s_darg], [s_dx, s_dy], inline=USE_INLINE, on_unused_input="ignore"
    )
    atan2_safe = th.OpFromGraph(
        [s_x, s_y], [s_arg], inline=USE_INLINE, grad_overrides=atan2_safe_grad
    )

    x, y = T.scalar(), T.scalar()
    arg = atan2_safe(x, y)
    dx, dy = T.grad(arg, [x, y])
    return atan2_safe, th.function([x, y], [dx, dy])


@pytest.mark.each("inline", [False, True])
def test_thread_1(inline):
    _, fn = atan2_program(inline)
    dx, dy = fn(1.0, 0.0)
    assert (dx, dy) == (0.0, 1 / 1.01)
    assert np.signbit(dx)  # the thread prints [-0.0, 0.99099]; 1/1.01 is 0.990099...
    assert fn(0.0, 0.0) == [0.0, 0.0]


@pytest.mark.parametrize("inline", [False, True])
def test_the_override_of_thread_1_drops_the_cotangent(inline):
    atan2_safe, _ = atan2_program(inline)
    x, y = T.scalar("x"), T.scalar("y")
    tripled = th.function([x, y], T.grad(3 * atan2_safe(x, y), [x, y]))
    once = th.function([x, y], T.grad(atan2_safe(x, y), [x, y]))
    assert tripled(1.0, 2.0) == once(1.0, 2.0)  # three times as much would be right
    assert "off by a factor of 3" in atan2_safe.check(1.0, 2.0).findings[0]


# ---- thread 2: an operation of one's own


class Cdist(theano.Op):
    __props__ = ()

    def __init__(self):
        super().__init__()

    def make_node(self, x, w):
        return gof.Apply(self, [x, w], [x.type()])

    def perform(self, node, inputs, output_storage):
        x, w = inputs[0], inputs[1]
        z = output_storage[0]
        z[0] = distance.cdist(x, w, "euclidean")


class CdistL(Cdist):
    def L_op(self, inputs, outputs, out_grads):
        x, y = inputs
        (z,) = outputs
        (g,) = out_grads
        diff = x.dimshuffle(0, "x", 1) - y.dimshuffle("x", 0, 1)
        diff = g.dimshuffle(0, 1, "x") * diff / z.dimshuffle(0, 1, "x")
        return [T.sum(diff, axis=1), -T.sum(diff, axis=0)]


class CdistAsInTheAnswer(Cdist):
    def grad(self, inputs, out_grads):
        x, y = inputs
        (g,) = out_grads
        diff = x.dimshuffle(0, "x", 1) - y.dimshuffle("x", 0, 1)
        z = T.sqrt(T.sum(T.sqr(diff), axis=2, keepdims=True))
        diff = g * diff / z
        return [T.sum(diff, axis=1), -T.sum(diff, axis=0)]


class CdistGrad(CdistAsInTheAnswer):
    def grad(self, inputs, out_grads):
        x, y = inputs
        (g,) = out_grads
        diff = x.dimshuffle(0, "x", 1) - y.dimshuffle("x", 0, 1)
        z = T.sqrt(T.sum(T.sqr(diff), axis=2, keepdims=True))
        diff = g.dimshuffle(0, 1, "x") * diff / z
        return [T.sum(diff, axis=1), -T.sum(diff, axis=0)]


class CDistGrad(theano.Op):
    __props__ = ()

    def make_node(self, x, w, g):
        return gof.Apply(self, [x, w, g], [x.type(), w.type()])

    def perform(self, node, inputs, output_storage):
        x, w, g = inputs
        diff = g[:, :, None] * (x[:, None] - w) / distance.cdist(x, w)[:, :, None]
        output_storage[0][0], output_storage[1][0] = diff.sum(1), -diff.sum(0)


class CdistWithAnOpOfItsOwn(Cdist):
    def grad(self, inputs, output_grads):
        return CDistGrad()(*inputs, *output_grads)


X, WW = np.random.default_rng(1).normal(size=(5, 3)), np.random.default_rng(2).normal(size=(4, 3))


def test_thread_2_values():
    x, w = T.matrix("x"), T.matrix("w")
    run = theano.function([x, w], Cdist()(x, w))
    np.testing.assert_array_equal(run(X, WW), distance.cdist(X, WW))


@pytest.mark.each("op", [CdistL(), CdistGrad(), CdistWithAnOpOfItsOwn()])
def test_thread_2_gradients(op):
    x, w = T.matrix("x"), T.matrix("w")
    g = np.random.default_rng(3).normal(size=(5, 4))
    run = theano.function([x, w], T.grad(T.sum(op(x, w) * g), [x, w]))
    d = [np.random.default_rng(k).normal(size=v.shape) for k, v in ((4, X), (5, WW))]

    def phi(h):
        return np.sum(g * distance.cdist(X + h * d[0], WW + h * d[1]))

    slope = (phi(1e-6) - phi(-1e-6)) / 2e-6
    assert sum(np.sum(a * b) for a, b in zip(run(X, WW), d)) == pytest.approx(slope, rel=1e-8)


def test_a_type_copied_from_x_has_the_lengths_of_x():
    x, w = ad.matrix("x", shape=(5, 1)), ad.matrix("w", shape=(4, 1))
    assert Cdist()(x, w).type.shape == (None, 1)  # the distances are (5, 4): SEMANTICS 8


def test_the_answer_of_thread_2_does_not_broadcast():
    x, w = T.matrix("x"), T.matrix("w")
    run = theano.function([x, w], T.grad(T.sum(T.sqr(CdistAsInTheAnswer()(x, w))), [x, w]))
    with pytest.raises(ValueError, match="5.*4|4.*5"):
        run(X, WW)


def test_equal_props_are_one_operation():
    x, w = T.matrix("x"), T.matrix("w")
    twice = Cdist()(x, w) + Cdist()(x, w)
    assert ad.simplify(twice).graph.counts["Cdist"] == 1


def test_c_code_is_accepted_and_said_to_be_never_called():
    with pytest.warns(UserWarning, match="never called"):

        class WithC(Cdist):
            def c_code(self, node, name, inputs, outputs, sub):
                raise AssertionError

    x, w = T.matrix("x"), T.matrix("w")
    np.testing.assert_array_equal(
        theano.function([x, w], WithC()(x, w))(X, WW), distance.cdist(X, WW)
    )


# ---- thread 3: sampling in the step of a scan

SEED = 42


class Model:
    """A step of the kind that the thread describes: a state, an objective and an estimate."""

    batch_size, n_latent, n_in = 3, [4, 2], 5

    def __init__(self):
        rng = np.random.default_rng(0)

        def weights(*shape):
            return theano.shared(rng.normal(size=shape) * 0.3)

        self.W_h, self.W_x = weights(2, 2), weights(5, 2)
        self.W_mu, self.W_s, self.W_out = weights(2, 2), weights(2, 2), weights(2, 5)
        self.h_params = [self.W_h, self.W_x]
        self.o_params = [self.W_mu, self.W_s, self.W_out]
        self.e_params = [self.W_mu, self.W_out]
        self.h = T.matrix("h")
        self.h_shape = (3, 2)

    def sample(self, mu, logSigma):
        global SEED
        srng = T.shared_randomstreams.RandomStreams(seed=SEED)
        dev = srng.normal((self.batch_size, self.n_latent[-1]))
        z = mu + T.exp(0.5 * logSigma) * dev
        return z

    def iter_step(self, x_step, h):
        hidden = T.tanh(T.dot(h, self.W_h) + T.dot(x_step, self.W_x))
        z = self.sample(T.dot(hidden, self.W_mu), T.dot(hidden, self.W_s))
        hidden = T.tanh(hidden + z)
        est = T.dot(z, self.W_out)
        obj = T.sum(T.sqr(est - x_step))
        return hidden, obj, est


def test_thread_3():
    model = Model()
    x = T.tensor3("x")
    [h_n, obj_n, x_n], _ = theano.scan(
        fn=model.iter_step,
        sequences=[x],
        outputs_info=[
            T.as_tensor_variable(np.zeros(model.h_shape), model.h.dtype),
            None,
            None,
        ],
    )
    data = np.random.default_rng(5).normal(size=(6, 3, 5))
    for cost, params in ((h_n, model.h_params), (obj_n, model.o_params), (x_n, model.e_params)):
        slopes = T.grad(T.sum(cost), params)  # NullTypeGradError in Theano
        run = theano.function([x], [*slopes, T.sum(cost)])
        flat = ad.unroll(ad.release(T.sum(cost)), 6).output
        wanted = ad.evaluate(ad.grad(flat, params), {x: data})
        for a, b in zip(run(data), wanted):
            np.testing.assert_allclose(a, b, rtol=1e-11)


def test_evaluation_needs_no_function():
    x = T.vector("x")
    assert T.sum(T.sqr(x)).eval({x: [1.0, 2.0]}) == 5.0
    assert T.sum(x).owner.inputs[0] is x
