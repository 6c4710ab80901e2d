"""A generator and a discriminator."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano import *
from theano import theano as th2

floatX = theano.config.floatX
rng = np.random.RandomState(0)


def init(*s):
    return theano.shared((rng.randn(*s) * 0.1).astype(floatX))


def adam(cost, params, lr=0.002, b1=0.1, b2=0.001, e=1e-8):
    updates = []
    grads = T.grad(cost, params)
    i = theano.shared(np.float64(0.0).astype(floatX))
    i_t = i + 1.0
    fix1 = 1.0 - (1.0 - b1) ** i_t
    fix2 = 1.0 - (1.0 - b2) ** i_t
    lr_t = lr * (T.sqrt(fix2) / fix1)
    for p, g in zip(params, grads):
        m = theano.shared(p.get_value() * 0.0)
        v = theano.shared(p.get_value() * 0.0)
        m_t = (b1 * g) + ((1.0 - b1) * m)
        v_t = (b2 * T.sqr(g)) + ((1.0 - b2) * v)
        g_t = m_t / (T.sqrt(v_t) + e)
        p_t = p - (lr_t * g_t)
        updates.append((m, m_t))
        updates.append((v, v_t))
        updates.append((p, p_t))
    updates.append((i, i_t))
    return updates


noise = T.matrix("noise")
real = T.matrix("real")
gw, gb, gw2, gb2 = (
    init(4, 16),
    theano.shared(np.zeros(16, floatX)),
    init(16, 2),
    theano.shared(np.zeros(2, floatX)),
)
dw, db, dw2, db2 = (
    init(2, 16),
    theano.shared(np.zeros(16, floatX)),
    init(16, 1),
    theano.shared(np.zeros(1, floatX)),
)


def lrelu(x):
    return T.maximum(x, 0.2 * x)


G = T.dot(lrelu(T.dot(noise, gw) + gb), gw2) + gb2


def Dd(x):
    return T.nnet.sigmoid(T.dot(T.tanh(T.dot(x, dw) + db), dw2) + db2)


bce = T.nnet.binary_crossentropy
p_real, p_gen = Dd(real), Dd(G)
d_cost = bce(p_real, T.ones(p_real.shape)).mean() + bce(p_gen, T.zeros(p_gen.shape)).mean()
g_cost = bce(p_gen, T.ones_like(p_gen)).mean()
td = theano.function([real, noise], d_cost, updates=adam(d_cost, [dw, db, dw2, db2], 0.02))
tg = theano.function([noise], g_cost, updates=adam(g_cost, [gw, gb, gw2, gb2], 0.02))
gen = theano.function([noise], G)
for k in range(300):
    td(rng.randn(64, 2) * 0.3 + [2, -1], rng.randn(64, 4))
    tg(rng.randn(64, 4))
m = gen(rng.randn(500, 4)).mean(0)
print(m)
assert abs(m - [2, -1]).max() < 1
