"""A convolutional network with dropout and RMSprop."""

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


from theano.tensor.nnet.conv import conv2d
from theano.tensor.signal.pool import pool_2d

srng = theano.sandbox.rng_mrg.MRG_RandomStreams()


def rectify(X):
    return T.maximum(X, 0.0)


def softmax(X):
    e_x = T.exp(X - X.max(axis=1).dimshuffle(0, "x"))
    return e_x / e_x.sum(axis=1).dimshuffle(0, "x")


def dropout(X, p=0.0):
    if p > 0:
        retain = 1 - p
        X *= srng.binomial(X.shape, p=retain, dtype=theano.config.floatX)
        X /= retain
    return X


def RMSprop(cost, params, lr=0.01, rho=0.9, epsilon=1e-6):
    grads = T.grad(cost=cost, wrt=params)
    updates = []
    for p, g in zip(params, grads):
        acc = theano.shared(p.get_value() * 0.0)
        acc_new = rho * acc + (1 - rho) * g**2
        updates.append((acc, acc_new))
        updates.append((p, p - lr * g / T.sqrt(acc_new + epsilon)))
    return updates


def model(X, w, w2, w3, w4, pc, ph):
    l1a = rectify(conv2d(X, w, border_mode="full"))
    l1 = pool_2d(l1a, (2, 2), ignore_border=True)
    l1 = dropout(l1, pc)
    l2a = rectify(conv2d(l1, w2))
    l2b = pool_2d(l2a, (2, 2))
    l2 = T.flatten(l2b, outdim=2)
    l2 = dropout(l2, pc)
    l3 = dropout(rectify(T.dot(l2, w3)), ph)
    return l1, l2, l3, softmax(T.dot(l3, w4))


X = T.ftensor4() if floatX == "float32" else T.tensor4()
Y = T.fmatrix() if floatX == "float32" else T.matrix()
w = init(6, 1, 3, 3)
w2 = init(8, 6, 3, 3)
w3 = init(8 * 2 * 2, 30)
w4 = init(30, 10)
*_, py = model(X, w, w2, w3, w4, 0.1, 0.2)
*_, pyx = model(X, w, w2, w3, w4, 0.0, 0.0)
yx = T.argmax(pyx, axis=1)
cost = T.mean(T.nnet.categorical_crossentropy(py, Y))
params = [w, w2, w3, w4]
updates = RMSprop(cost, params)
train = theano.function(inputs=[X, Y], outputs=cost, updates=updates, allow_input_downcast=True)
predict = theano.function(inputs=[X], outputs=yx, allow_input_downcast=True)
XX = _X.reshape(-1, 1, 8, 8)
YY = np.eye(10)[_y]
for e in range(14):
    for s, en in zip(range(0, 1200, 64), range(64, 1200, 64)):
        c = train(XX[s:en], YY[s:en])
acc = np.mean(predict(XX[1200:]) == _y[1200:])
print(acc, c)
assert acc > 0.8
