"""A convolution and a pooling layer before the hidden one."""

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


class LogisticRegression(object):
    def __init__(self, input, n_in, n_out):
        self.W = theano.shared(
            value=numpy.zeros((n_in, n_out), dtype=theano.config.floatX), name="W", borrow=True
        )
        self.b = theano.shared(
            value=numpy.zeros((n_out,), dtype=theano.config.floatX), name="b", borrow=True
        )
        self.p_y_given_x = T.nnet.softmax(T.dot(input, self.W) + self.b)
        self.y_pred = T.argmax(self.p_y_given_x, axis=1)
        self.params = [self.W, self.b]
        self.input = input

    def negative_log_likelihood(self, y):
        return -T.mean(T.log(self.p_y_given_x)[T.arange(y.shape[0]), y])

    def errors(self, y):
        if y.ndim != self.y_pred.ndim:
            raise TypeError(
                "y should have the same shape as self.y_pred",
                ("y", y.type, "y_pred", self.y_pred.type),
            )
        if y.dtype.startswith("int"):
            return T.mean(T.neq(self.y_pred, y))
        else:
            raise NotImplementedError()


class HiddenLayer(object):
    def __init__(self, rng, input, n_in, n_out, W=None, b=None, activation=T.tanh):
        self.input = input
        if W is None:
            W_values = numpy.asarray(
                rng.uniform(
                    low=-numpy.sqrt(6.0 / (n_in + n_out)),
                    high=numpy.sqrt(6.0 / (n_in + n_out)),
                    size=(n_in, n_out),
                ),
                dtype=theano.config.floatX,
            )
            if activation == theano.tensor.nnet.sigmoid:
                W_values *= 4
            W = theano.shared(value=W_values, name="W", borrow=True)
        if b is None:
            b = theano.shared(
                value=numpy.zeros((n_out,), dtype=theano.config.floatX), name="b", borrow=True
            )
        self.W = W
        self.b = b
        lin_output = T.dot(input, self.W) + self.b
        self.output = lin_output if activation is None else activation(lin_output)
        self.params = [self.W, self.b]


from theano.tensor.signal import pool
from theano.tensor.nnet import conv2d


class LeNetConvPoolLayer(object):
    def __init__(self, rng, input, filter_shape, image_shape, poolsize=(2, 2)):
        assert image_shape[1] == filter_shape[1]
        self.input = input
        fan_in = numpy.prod(filter_shape[1:])
        fan_out = filter_shape[0] * numpy.prod(filter_shape[2:]) // numpy.prod(poolsize)
        W_bound = numpy.sqrt(6.0 / (fan_in + fan_out))
        self.W = theano.shared(
            numpy.asarray(
                rng.uniform(low=-W_bound, high=W_bound, size=filter_shape),
                dtype=theano.config.floatX,
            ),
            borrow=True,
        )
        self.b = theano.shared(
            value=numpy.zeros((filter_shape[0],), dtype=theano.config.floatX), borrow=True
        )
        conv_out = conv2d(
            input=input, filters=self.W, filter_shape=filter_shape, input_shape=image_shape
        )
        pooled_out = pool.pool_2d(input=conv_out, ds=poolsize, ignore_border=True)
        self.output = T.tanh(pooled_out + self.b.dimshuffle("x", 0, "x", "x"))
        self.params = [self.W, self.b]


rng = numpy.random.RandomState(23455)
index = T.lscalar()
x = T.matrix("x")
y = T.ivector("y")
batch_size = 20
layer0_input = x.reshape((batch_size, 1, 8, 8))
layer0 = LeNetConvPoolLayer(
    rng,
    input=layer0_input,
    image_shape=(batch_size, 1, 8, 8),
    filter_shape=(6, 1, 3, 3),
    poolsize=(2, 2),
)
layer2_input = layer0.output.flatten(2)
layer2 = HiddenLayer(rng, input=layer2_input, n_in=6 * 3 * 3, n_out=30, activation=T.tanh)
layer3 = LogisticRegression(input=layer2.output, n_in=30, n_out=10)
cost = layer3.negative_log_likelihood(y)
params = layer3.params + layer2.params + layer0.params
grads = T.grad(cost, params)
updates = [(param_i, param_i - 0.1 * grad_i) for param_i, grad_i in zip(params, grads)]
train_model = theano.function(
    [index],
    cost,
    updates=updates,
    givens={
        x: train_set_x[index * batch_size : (index + 1) * batch_size],
        y: train_set_y[index * batch_size : (index + 1) * batch_size],
    },
)
test_model = theano.function(
    [index],
    layer3.errors(y),
    givens={
        x: test_set_x[index * batch_size : (index + 1) * batch_size],
        y: test_set_y[index * batch_size : (index + 1) * batch_size],
    },
)
for e in range(15):
    for i in range(60):
        train_model(i)
e = np.mean([test_model(i) for i in range(29)])
print(e)
assert e < 0.12
