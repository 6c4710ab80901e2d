"""A layer of a stacked autoencoder, with named inputs that have defaults."""

import pickle
import numpy
import numpy as np
import theano
import theano.tensor as T
from theano.tensor.shared_randomstreams import RandomStreams
from sklearn.datasets import load_digits

_d = load_digits()
_X = (_d.data / 16.0).astype(theano.config.floatX)
_y = _d.target


def shared_dataset(data_xy, borrow=True):
    data_x, data_y = data_xy
    shared_x = theano.shared(numpy.asarray(data_x, dtype=theano.config.floatX), borrow=borrow)
    shared_y = theano.shared(numpy.asarray(data_y, dtype=theano.config.floatX), borrow=borrow)
    return shared_x, T.cast(shared_y, "int32")


train_set_x, train_set_y = shared_dataset((_X[:1200], _y[:1200]))
test_set_x, test_set_y = shared_dataset((_X[1200:], _y[1200:]))
corr = T.scalar("corruption")
lr = T.scalar("lr")
index = T.lscalar("index")
x = T.matrix("x")


class Stack:
    pass


rng = numpy.random.RandomState(89677)
theano_rng = RandomStreams(rng.randint(2**30))
layers = []
inp = x
n = 64
W = theano.shared(np.asarray(rng.uniform(-0.5, 0.5, (64, 30)), dtype=theano.config.floatX))
b = theano.shared(np.zeros(30, dtype=theano.config.floatX))
bp = theano.shared(np.zeros(64, dtype=theano.config.floatX))
h = T.nnet.sigmoid(
    T.dot(theano_rng.binomial(size=x.shape, n=1, p=1 - corr, dtype=theano.config.floatX) * x, W) + b
)
z = T.nnet.sigmoid(T.dot(h, W.T) + bp)
c = T.mean(T.sum(T.nnet.binary_crossentropy(z, x), axis=1))
g = T.grad(c, [W, b, bp])
fn = theano.function(
    inputs=[index, theano.In(corr, value=0.2), theano.In(lr, value=0.1)],
    outputs=c,
    updates=[(p, p - lr * gp) for p, gp in zip([W, b, bp], g)],
    givens={x: train_set_x[index * 20 : (index + 1) * 20]},
)
a0 = fn(0)
a1 = [fn(index=i % 60, corruption=0.1, lr=0.1) for i in range(120)][-1]
assert a1 < a0
