"""A denoising autoencoder."""

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


class dA(object):
    def __init__(
        self,
        numpy_rng,
        theano_rng=None,
        input=None,
        n_visible=784,
        n_hidden=500,
        W=None,
        bhid=None,
        bvis=None,
    ):
        self.n_visible = n_visible
        self.n_hidden = n_hidden
        if not theano_rng:
            theano_rng = RandomStreams(numpy_rng.randint(2**30))
        if not W:
            initial_W = numpy.asarray(
                numpy_rng.uniform(
                    low=-4 * numpy.sqrt(6.0 / (n_hidden + n_visible)),
                    high=4 * numpy.sqrt(6.0 / (n_hidden + n_visible)),
                    size=(n_visible, n_hidden),
                ),
                dtype=theano.config.floatX,
            )
            W = theano.shared(value=initial_W, name="W", borrow=True)
        if not bvis:
            bvis = theano.shared(
                value=numpy.zeros(n_visible, dtype=theano.config.floatX), borrow=True
            )
        if not bhid:
            bhid = theano.shared(
                value=numpy.zeros(n_hidden, dtype=theano.config.floatX), name="b", borrow=True
            )
        self.W = W
        self.b = bhid
        self.b_prime = bvis
        self.W_prime = self.W.T
        self.theano_rng = theano_rng
        self.x = T.dmatrix(name="input") if input is None else input
        self.params = [self.W, self.b, self.b_prime]

    def get_corrupted_input(self, input, corruption_level):
        return (
            self.theano_rng.binomial(
                size=input.shape, n=1, p=1 - corruption_level, dtype=theano.config.floatX
            )
            * input
        )

    def get_hidden_values(self, input):
        return T.nnet.sigmoid(T.dot(input, self.W) + self.b)

    def get_reconstructed_input(self, hidden):
        return T.nnet.sigmoid(T.dot(hidden, self.W_prime) + self.b_prime)

    def get_cost_updates(self, corruption_level, learning_rate):
        tilde_x = self.get_corrupted_input(self.x, corruption_level)
        y = self.get_hidden_values(tilde_x)
        z = self.get_reconstructed_input(y)
        L = -T.sum(self.x * T.log(z) + (1 - self.x) * T.log(1 - z), axis=1)
        cost = T.mean(L)
        gparams = T.grad(cost, self.params)
        updates = [
            (param, param - learning_rate * gparam) for param, gparam in zip(self.params, gparams)
        ]
        return (cost, updates)


index = T.lscalar()
x = T.matrix("x")
rng = numpy.random.RandomState(123)
theano_rng = RandomStreams(rng.randint(2**30))
da = dA(numpy_rng=rng, theano_rng=theano_rng, input=x, n_visible=64, n_hidden=50)
cost, updates = da.get_cost_updates(corruption_level=0.3, learning_rate=0.1)
train_da = theano.function(
    [index], cost, updates=updates, givens={x: train_set_x[index * 20 : (index + 1) * 20]}
)
cs = []
for e in range(6):
    cs.append(np.mean([train_da(i) for i in range(60)]))
print(cs)
assert cs[-1] < cs[0] * 0.8
