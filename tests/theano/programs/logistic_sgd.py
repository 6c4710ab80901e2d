"""Softmax regression of the digits by minibatches; the model is pickled and loaded."""

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


batch_size = 50
index = T.lscalar()
x = T.matrix("x")
y = T.ivector("y")
classifier = LogisticRegression(input=x, n_in=64, n_out=10)
cost = classifier.negative_log_likelihood(y)
test_model = theano.function(
    inputs=[index],
    outputs=classifier.errors(y),
    givens={
        x: test_set_x[index * batch_size : (index + 1) * batch_size],
        y: test_set_y[index * batch_size : (index + 1) * batch_size],
    },
)
g_W = T.grad(cost=cost, wrt=classifier.W)
g_b = T.grad(cost=cost, wrt=classifier.b)
updates = [(classifier.W, classifier.W - 0.13 * g_W), (classifier.b, classifier.b - 0.13 * g_b)]
train_model = theano.function(
    inputs=[index],
    outputs=cost,
    updates=updates,
    givens={
        x: train_set_x[index * batch_size : (index + 1) * batch_size],
        y: train_set_y[index * batch_size : (index + 1) * batch_size],
    },
)
n_train_batches = train_set_x.get_value(borrow=True).shape[0] // batch_size
for e in range(30):
    for i in range(n_train_batches):
        c = train_model(i)
err = numpy.mean([test_model(i) for i in range(11)])
print(err, c)
assert err < 0.15
with open("best_model.pkl", "wb") as f:
    pickle.dump(classifier, f)
classifier2 = pickle.load(open("best_model.pkl", "rb"))
predict_model = theano.function(inputs=[classifier2.input], outputs=classifier2.y_pred)
p1 = predict_model(test_set_x.get_value()[:10])
p2 = theano.function([classifier.input], classifier.y_pred)(test_set_x.get_value()[:10])
assert (p1 == p2).all()
f2 = pickle.loads(pickle.dumps(predict_model))
assert (f2(test_set_x.get_value()[:10]) == p1).all()
