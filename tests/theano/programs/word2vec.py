"""Word embeddings from their contexts."""

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


text = "the cat sat on the mat the dog sat on the rug the cat ate the fish the dog ate the bone".split()
vocab = sorted(set(text))
ids = {w: i for i, w in enumerate(vocab)}
C = theano.shared(rng.uniform(-0.5, 0.5, (len(vocab), 8)).astype(floatX), "C")
D = theano.shared(rng.uniform(-0.5, 0.5, (8, len(vocab))).astype(floatX), "D")
ctx = T.imatrix("ctx")
tgt = T.ivector("tgt")
hid = C[ctx].mean(axis=1)
p = T.nnet.softmax(T.dot(hid, D))
cost = -T.mean(T.log(p)[T.arange(tgt.shape[0]), tgt])
emb = C[ctx]
g = T.grad(cost, [C, D])
tr = theano.function([ctx, tgt], cost, updates=[(C, C - 1.0 * g[0]), (D, D - 1.0 * g[1])])
cs = np.array([[ids[text[i - 1]], ids[text[i + 1]]] for i in range(1, len(text) - 1)], "int32")
ts = np.array([ids[text[i]] for i in range(1, len(text) - 1)], "int32")
a = tr(cs, ts)
for i in range(300):
    b = tr(cs, ts)
print(a, b)
assert b < 0.6
sub = C[ctx.flatten()]
gs = T.grad(T.sum(sub**2), sub)
u = (C, T.inc_subtensor(sub, -0.1 * gs))
fu = theano.function([ctx], [], updates=[u])
before = C.get_value()
fu(cs[:1])
assert not np.allclose(before, C.get_value())
