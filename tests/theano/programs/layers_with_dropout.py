"""Layers as classes, with dropout in a second path."""

import numpy
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(3)
from theano.tensor.nnet import conv, softmax
from theano.tensor import shared_randomstreams, tanh
from theano.tensor.signal import downsample
from theano.tensor.nnet import sigmoid


def linear(z):
    return z


def ReLU(z):
    return T.maximum(0.0, z)


GPU = True
if GPU:
    try:
        theano.config.device = "gpu"
    except:
        pass
    theano.config.floatX = "float32"
from sklearn.datasets import load_digits

d = load_digits()


def shared(data):
    shared_x = theano.shared(np.asarray(data[0], dtype=theano.config.floatX), borrow=True)
    shared_y = theano.shared(np.asarray(data[1], dtype=theano.config.floatX), borrow=True)
    return shared_x, T.cast(shared_y, "int32")


def size(data):
    return data[0].get_value(borrow=True).shape[0]


def dropout_layer(layer, p_dropout):
    srng = shared_randomstreams.RandomStreams(np.random.RandomState(0).randint(999999))
    mask = srng.binomial(n=1, p=1 - p_dropout, size=layer.shape)
    return layer * T.cast(mask, theano.config.floatX)


class FullyConnectedLayer(object):
    def __init__(self, n_in, n_out, activation_fn=sigmoid, p_dropout=0.0):
        self.n_in = n_in
        self.n_out = n_out
        self.activation_fn = activation_fn
        self.p_dropout = p_dropout
        self.w = theano.shared(
            np.asarray(
                np.random.normal(loc=0.0, scale=np.sqrt(1.0 / n_out), size=(n_in, n_out)),
                dtype=theano.config.floatX,
            ),
            name="w",
            borrow=True,
        )
        self.b = theano.shared(
            np.asarray(
                np.random.normal(loc=0.0, scale=1.0, size=(n_out,)), dtype=theano.config.floatX
            ),
            name="b",
            borrow=True,
        )
        self.params = [self.w, self.b]

    def set_inpt(self, inpt, inpt_dropout, mini_batch_size):
        self.inpt = inpt.reshape((mini_batch_size, self.n_in))
        self.output = self.activation_fn((1 - self.p_dropout) * T.dot(self.inpt, self.w) + self.b)
        self.y_out = T.argmax(self.output, axis=1)
        self.inpt_dropout = dropout_layer(
            inpt_dropout.reshape((mini_batch_size, self.n_in)), self.p_dropout
        )
        self.output_dropout = self.activation_fn(T.dot(self.inpt_dropout, self.w) + self.b)

    def accuracy(self, y):
        return T.mean(T.eq(y, self.y_out))


class SoftmaxLayer(FullyConnectedLayer):
    def set_inpt(self, inpt, inpt_dropout, mini_batch_size):
        self.inpt = inpt.reshape((mini_batch_size, self.n_in))
        self.output = softmax((1 - self.p_dropout) * T.dot(self.inpt, self.w) + self.b)
        self.y_out = T.argmax(self.output, axis=1)
        self.inpt_dropout = dropout_layer(
            inpt_dropout.reshape((mini_batch_size, self.n_in)), self.p_dropout
        )
        self.output_dropout = softmax(T.dot(self.inpt_dropout, self.w) + self.b)

    def cost(self, net):
        return -T.mean(T.log(self.output_dropout)[T.arange(net.y.shape[0]), net.y])


class ConvPoolLayer(object):
    def __init__(self, filter_shape, image_shape, poolsize=(2, 2), activation_fn=sigmoid):
        self.filter_shape = filter_shape
        self.image_shape = image_shape
        self.poolsize = poolsize
        self.activation_fn = activation_fn
        n_out = filter_shape[0] * np.prod(filter_shape[2:]) / np.prod(poolsize)
        self.w = theano.shared(
            np.asarray(
                np.random.normal(loc=0, scale=np.sqrt(1.0 / n_out), size=filter_shape),
                dtype=theano.config.floatX,
            ),
            borrow=True,
        )
        self.b = theano.shared(
            np.asarray(
                np.random.normal(loc=0, scale=1.0, size=(filter_shape[0],)),
                dtype=theano.config.floatX,
            ),
            borrow=True,
        )
        self.params = [self.w, self.b]

    def set_inpt(self, inpt, inpt_dropout, mini_batch_size):
        self.inpt = inpt.reshape(self.image_shape)
        conv_out = conv.conv2d(
            input=self.inpt,
            filters=self.w,
            filter_shape=self.filter_shape,
            image_shape=self.image_shape,
        )
        pooled_out = downsample.max_pool_2d(input=conv_out, ds=self.poolsize, ignore_border=True)
        self.output = self.activation_fn(pooled_out + self.b.dimshuffle("x", 0, "x", "x"))
        self.output_dropout = self.output


class Network(object):
    def __init__(self, layers, mini_batch_size):
        self.layers = layers
        self.mini_batch_size = mini_batch_size
        self.params = [param for layer in self.layers for param in layer.params]
        self.x = T.matrix("x")
        self.y = T.ivector("y")
        init_layer = self.layers[0]
        init_layer.set_inpt(self.x, self.x, self.mini_batch_size)
        for j in range(1, len(self.layers)):
            prev_layer, layer = self.layers[j - 1], self.layers[j]
            layer.set_inpt(prev_layer.output, prev_layer.output_dropout, self.mini_batch_size)
        self.output = self.layers[-1].output
        self.output_dropout = self.layers[-1].output_dropout

    def SGD(self, training_data, epochs, mini_batch_size, eta, test_data, lmbda=0.0):
        training_x, training_y = training_data
        test_x, test_y = test_data
        nb = size(training_data) // mini_batch_size
        l2_norm_squared = sum([(layer.w**2).sum() for layer in self.layers])
        cost = self.layers[-1].cost(self) + 0.5 * lmbda * l2_norm_squared / nb
        grads = T.grad(cost, self.params)
        updates = [(param, param - eta * grad) for param, grad in zip(self.params, grads)]
        i = T.lscalar()
        train_mb = theano.function(
            [i],
            cost,
            updates=updates,
            givens={
                self.x: training_x[i * self.mini_batch_size : (i + 1) * self.mini_batch_size],
                self.y: training_y[i * self.mini_batch_size : (i + 1) * self.mini_batch_size],
            },
        )
        acc = theano.function(
            [i],
            self.layers[-1].accuracy(self.y),
            givens={
                self.x: test_x[i * self.mini_batch_size : (i + 1) * self.mini_batch_size],
                self.y: test_y[i * self.mini_batch_size : (i + 1) * self.mini_batch_size],
            },
        )
        pred = theano.function(
            [i],
            self.layers[-1].y_out,
            givens={self.x: test_x[i * self.mini_batch_size : (i + 1) * self.mini_batch_size]},
        )
        for e in range(epochs):
            for m in range(nb):
                train_mb(m)
        pred(0)
        return np.mean([acc(j) for j in range(size(test_data) // mini_batch_size)])


np.random.seed(0)
tr = shared((d.data[:1200] / 16, d.target[:1200]))
te = shared((d.data[1200:] / 16, d.target[1200:]))
net = Network(
    [
        ConvPoolLayer(image_shape=(10, 1, 8, 8), filter_shape=(6, 1, 3, 3), poolsize=(2, 2)),
        FullyConnectedLayer(n_in=6 * 3 * 3, n_out=30, activation_fn=ReLU, p_dropout=0.1),
        SoftmaxLayer(n_in=30, n_out=10),
    ],
    10,
)
a = net.SGD(tr, 8, 10, 0.1, te, lmbda=0.1)
theano.config.floatX = "float64"
print(a)
assert a > 0.75
