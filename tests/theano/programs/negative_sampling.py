"""Skip-grams with negative sampling."""

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


x = T.ivector()
ny = T.imatrix()
W = init(20, 6)
V = init(20, 6)
score = T.batched_dot(V[ny], W[x])
c = (
    -T.log(T.nnet.sigmoid(score[:, 0])).mean()
    - T.log(T.nnet.sigmoid(-score[:, 1:])).sum(axis=1).mean()
)
f = theano.function(
    [x, ny], c, updates=[(p, p - 0.5 * g) for p, g in zip([W, V], T.grad(c, [W, V]))]
)
xs = np.arange(10, dtype="int32")
n = np.array([[i, (i + 3) % 20, (i + 7) % 20] for i in range(10)], "int32")
a = f(xs, n)
for i in range(200):
    b = f(xs, n)
assert b < a * 0.3
