"""A GRU that remembers the symbol before."""

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


n = 12
Wz, Uz, Wr, Ur, Wh, Uh, Wo = (
    init(4, n),
    init(n, n),
    init(4, n),
    init(n, n),
    init(4, n),
    init(n, n),
    init(n, 4),
)
X = T.tensor3("X")
Y = T.imatrix("Y")


def step(x, h):
    z = T.nnet.hard_sigmoid(T.dot(x, Wz) + T.dot(h, Uz))
    r = T.nnet.sigmoid(T.dot(x, Wr) + T.dot(h, Ur))
    hh = T.tanh(T.dot(x, Wh) + T.dot(r * h, Uh))
    return (T.ones_like(z) - z) * h + z * hh


h0 = T.zeros((X.shape[1], n))
hs, _ = theano.scan(step, sequences=X, outputs_info=[h0])
o = T.nnet.softmax(T.dot(hs, Wo).reshape((X.shape[0] * X.shape[1], 4)))
cost = T.nnet.categorical_crossentropy(o, Y.flatten()).mean()
params = [Wz, Uz, Wr, Ur, Wh, Uh, Wo]
f = theano.function([X, Y], cost, updates=adam(cost, params, 0.02))
x = rng.randint(0, 4, (7, 16))
yv = np.roll(x, 1, axis=0).astype("int32")
yv[0] = 0
xo = np.eye(4, dtype=floatX)[x]
for i in range(150):
    c = f(xo, yv)
print(c)
assert c < 0.3
