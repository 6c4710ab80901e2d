"""A variational autoencoder by Adagrad."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano import *
from theano import theano as th2
from sklearn.datasets import load_digits

_d = load_digits()
_X = (_d.data / 16.0).astype(theano.config.floatX)
_y = _d.target.astype("int32")
floatX = theano.config.floatX
rng = np.random.RandomState(0)


def init(*s):
    return theano.shared((rng.randn(*s) * 0.1).astype(floatX))


from theano.sandbox.rng_mrg import MRG_RandomStreams as RandomStreams

srng = RandomStreams(seed=234)
W1, b1, Wm, bm, Ws, bs, W2, b2, W3, b3 = (
    init(64, 40),
    init(40),
    init(40, 5),
    init(5),
    init(40, 5),
    init(5),
    init(5, 40),
    init(40),
    init(40, 64),
    init(64),
)
x = T.matrix("x", dtype=floatX)
h = T.nnet.softplus(T.dot(x, W1) + b1.dimshuffle("x", 0))
mu = T.dot(h, Wm) + bm.dimshuffle("x", 0)
ls = T.dot(h, Ws) + bs.dimshuffle("x", 0)
eps = srng.normal((x.shape[0], 5), dtype=floatX) if False else srng.normal(mu.shape)
z = mu + T.exp(0.5 * ls) * eps
d = T.nnet.relu(T.dot(z, W2) + b2)
y = T.nnet.sigmoid(T.dot(d, W3) + b3)
rec = -T.nnet.binary_crossentropy(y, x).sum(axis=1)
kl = 0.5 * T.sum(1 + ls - mu**2 - T.exp(ls), axis=1)
L = T.mean(rec + kl)
params = [W1, b1, Wm, bm, Ws, bs, W2, b2, W3, b3]
grads = T.grad(L, params)
G = [theano.shared(np.zeros_like(p.get_value())) for p in params]
i = T.iscalar("i")
xs = theano.shared(_X, borrow=True)
ups = [(g, g + gr**2) for g, gr in zip(G, grads)] + [
    (p, p + 0.1 / (1e-6 + T.sqrt(g + gr**2)) * gr) for p, g, gr in zip(params, G, grads)
]
f = theano.function([i], L, updates=ups, givens={x: xs[i * 50 : (i + 1) * 50]})
r = [np.mean([f(k) for k in range(30)]) for e in range(8)]
print(r)
assert r[-1] > r[0] + 3
