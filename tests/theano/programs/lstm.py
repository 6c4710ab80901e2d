"""An LSTM with a mask, dropout and Adadelta."""

import numpy
import numpy as np
import theano
import theano.tensor as T

SEED = 123
numpy.random.seed(SEED)
from theano import config


def numpy_floatX(data):
    return numpy.asarray(data, dtype=config.floatX)


def _p(pp, name):
    return "%s_%s" % (pp, name)


def ortho_weight(ndim):
    W = numpy.random.randn(ndim, ndim)
    u, s, v = numpy.linalg.svd(W)
    return u.astype(config.floatX)


d = 8
from collections import OrderedDict

params = OrderedDict()
params["Wemb"] = (0.01 * numpy.random.rand(12, d)).astype(config.floatX)
params["lstm_W"] = numpy.concatenate([ortho_weight(d) for _ in range(4)], axis=1)
params["lstm_U"] = numpy.concatenate([ortho_weight(d) for _ in range(4)], axis=1)
params["lstm_b"] = numpy.zeros((4 * d,)).astype(config.floatX)
params["U"] = 0.01 * numpy.random.randn(d, 2).astype(config.floatX)
params["b"] = numpy.zeros((2,)).astype(config.floatX)
tparams = OrderedDict((k, theano.shared(v, name=k)) for k, v in params.items())


def lstm_layer(tparams, state_below, options, prefix="lstm", mask=None):
    nsteps = state_below.shape[0]
    if state_below.ndim == 3:
        n_samples = state_below.shape[1]
    else:
        n_samples = 1
    assert mask is not None

    def _slice(_x, n, dim):
        if _x.ndim == 3:
            return _x[:, :, n * dim : (n + 1) * dim]
        return _x[:, n * dim : (n + 1) * dim]

    def _step(m_, x_, h_, c_):
        preact = T.dot(h_, tparams[_p(prefix, "U")])
        preact += x_
        i = T.nnet.sigmoid(_slice(preact, 0, d))
        f = T.nnet.sigmoid(_slice(preact, 1, d))
        o = T.nnet.sigmoid(_slice(preact, 2, d))
        c = T.tanh(_slice(preact, 3, d))
        c = f * c_ + i * c
        c = m_[:, None] * c + (1.0 - m_)[:, None] * c_
        h = o * T.tanh(c)
        h = m_[:, None] * h + (1.0 - m_)[:, None] * h_
        return h, c

    state_below = T.dot(state_below, tparams[_p(prefix, "W")]) + tparams[_p(prefix, "b")]
    rval, updates = theano.scan(
        _step,
        sequences=[mask, state_below],
        outputs_info=[
            T.alloc(numpy_floatX(0.0), n_samples, d),
            T.alloc(numpy_floatX(0.0), n_samples, d),
        ],
        name=_p(prefix, "_layers"),
        n_steps=nsteps,
    )
    return rval[0]


from theano.sandbox.rng_mrg import MRG_RandomStreams as RandomStreams

trng = RandomStreams(SEED)
use_noise = theano.shared(numpy_floatX(0.0))
x = T.matrix("x", dtype="int64")
mask = T.matrix("mask", dtype=config.floatX)
y = T.vector("y", dtype="int64")
n_timesteps = x.shape[0]
n_samples = x.shape[1]
emb = tparams["Wemb"][x.flatten()].reshape([n_timesteps, n_samples, d])
proj = lstm_layer(tparams, emb, None, mask=mask)
proj = (proj * mask[:, :, None]).sum(axis=0)
proj = proj / mask.sum(axis=0)[:, None]
proj = T.switch(
    use_noise, (proj * trng.binomial(proj.shape, p=0.5, n=1, dtype=proj.dtype)), proj * 0.5
)
pred = T.nnet.softmax(T.dot(proj, tparams["U"]) + tparams["b"])
f_pred_prob = theano.function([x, mask], pred, name="f_pred_prob")
f_pred = theano.function([x, mask], pred.argmax(axis=1), name="f_pred")
off = 1e-8
if pred.dtype == "float16":
    off = 1e-6
cost = -T.log(pred[T.arange(n_samples), y] + off).mean()
decay_c = theano.shared(numpy_floatX(0.01), name="decay_c")
cost += decay_c * (tparams["U"] ** 2).sum() * 0.01
f_cost = theano.function([x, mask, y], cost, name="f_cost")
grads = T.grad(cost, wrt=list(tparams.values()))
f_grad = theano.function([x, mask, y], grads, name="f_grad")
lr = T.scalar(name="lr")


def adadelta(lr, tparams, grads, x, mask, y, cost):
    zipped_grads = [
        theano.shared(p.get_value() * numpy_floatX(0.0), name="%s_grad" % k)
        for k, p in tparams.items()
    ]
    running_up2 = [
        theano.shared(p.get_value() * numpy_floatX(0.0), name="%s_rup2" % k)
        for k, p in tparams.items()
    ]
    running_grads2 = [
        theano.shared(p.get_value() * numpy_floatX(0.0), name="%s_rgrad2" % k)
        for k, p in tparams.items()
    ]
    zgup = [(zg, g) for zg, g in zip(zipped_grads, grads)]
    rg2up = [(rg2, 0.95 * rg2 + 0.05 * (g**2)) for rg2, g in zip(running_grads2, grads)]
    f_grad_shared = theano.function(
        [x, mask, y], cost, updates=zgup + rg2up, name="adadelta_f_grad_shared"
    )
    updir = [
        -T.sqrt(ru2 + 1e-6) / T.sqrt(rg2 + 1e-6) * zg
        for zg, ru2, rg2 in zip(zipped_grads, running_up2, running_grads2)
    ]
    ru2up = [(ru2, 0.95 * ru2 + 0.05 * (ud**2)) for ru2, ud in zip(running_up2, updir)]
    param_up = [(p, p + ud) for p, ud in zip(tparams.values(), updir)]
    f_update = theano.function(
        [lr], [], updates=ru2up + param_up, on_unused_input="ignore", name="adadelta_f_update"
    )
    return f_grad_shared, f_update


fg, fu = adadelta(lr, tparams, grads, x, mask, y, cost)
rs = np.random.RandomState(0)
xs = rs.randint(0, 12, (6, 32))
ys = (xs < 6).sum(0) % 2
ys = (xs[0] < 6).astype("int64") * 0 + ((xs < 6).mean(0) > 0.5)
ys = ys.astype("int64")
ms = np.ones((6, 32), config.floatX)
ms[4:, :5] = 0
use_noise.set_value(1.0)
for i in range(250):
    c = fg(xs, ms, ys)
    fu(0.1)
use_noise.set_value(0.0)
acc = (f_pred(xs, ms) == ys).mean()
print(c, acc)
assert acc > 0.85
