"""Logistic regression of random data."""

import numpy
import numpy as np
import theano
import theano.tensor as T

rng = numpy.random.RandomState(0)
N = 400
feats = 78
D = (rng.randn(N, feats), rng.randint(size=N, low=0, high=2))
training_steps = 300
x = T.dmatrix("x")
y = T.dvector("y")
w = theano.shared(rng.randn(feats), name="w")
b = theano.shared(0.0, name="b")
p_1 = 1 / (1 + T.exp(-T.dot(x, w) - b))
prediction = p_1 > 0.5
xent = -y * T.log(p_1) - (1 - y) * T.log(1 - p_1)
cost = xent.mean() + 0.01 * (w**2).sum()
gw, gb = T.grad(cost, [w, b])
train = theano.function(
    inputs=[x, y], outputs=[prediction, xent], updates=((w, w - 0.1 * gw), (b, b - 0.1 * gb))
)
predict = theano.function(inputs=[x], outputs=prediction)
for i in range(training_steps):
    pred, err = train(D[0], D[1])
assert (predict(D[0]) == D[1]).mean() > 0.6
