"""What many programs do: norms, one-hot rows, log-sums, draws, copies and pickles."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano import config
from theano.printing import pydotprint

# keyed optimisers, OrderedDict updates, shared scalars of float32
lr = theano.shared(np.float32(0.1))
lr.set_value(np.float32(0.05))
assert lr.dtype == "float32"
c = theano.shared(0)
c.set_value(3)
c.set_value(np.int64(4))
x = T.matrix()
w = theano.shared(np.ones((3, 2)), "w")
assert w.get_value(borrow=True, return_internal_type=True).shape == (
    3,
    2,
) and w.container.value.shape == (3, 2)
y = T.dot(x, w)
z = y / y.norm(2, axis=1).dimshuffle(0, "x")
f = theano.function([x], z)
f(np.ones((2, 3)))
n = T.sqrt(T.sum(T.sqr(w)))
cl = T.switch(T.ge(n, 1.0), w / n, w)
theano.function([], cl)()
h = T.tensor3()
o = T.batched_dot(h, h.dimshuffle(0, 2, 1))
theano.function([h], o)(np.ones((2, 3, 4)))
a = T.ivector()
oh = T.extra_ops.to_one_hot(a, 5)
assert theano.function([a], oh)(np.array([1, 2], "int32")).shape == (2, 5)
oh = T.eq(a.dimshuffle(0, "x"), T.arange(5))
theano.function([a], T.cast(oh, config.floatX))(np.array([1], "int32"))
b = T.vector()
g = T.grad(T.sum(theano.gradient.grad_clip(b, -1, 1) ** 2), b)
assert theano.function([b], g)([3.0]).tolist() == [1.0]
l = T.jacobian(b**2, b)
hh = T.hessian(T.sum(b**3), b)
assert theano.function([b], [l, hh])([1.0, 2.0])[1].tolist() == [[6, 0], [0, 12]]
m = T.max(x, axis=1, keepdims=True)
lse = m + T.log(T.sum(T.exp(x - m), axis=1, keepdims=True))
theano.function([x], lse)(np.ones((2, 2)))
import sys

sys.setrecursionlimit(50000)
p = T.nnet.softmax(x)
yv = T.ivector()
cost = T.nnet.categorical_crossentropy(p, yv).mean()
theano.function([x, yv], T.grad(cost, x))(np.ones((2, 3)), np.array([0, 1], "int32"))
conf = T.nnet.confusion_matrix(yv, yv)
theano.function([yv], conf)(np.array([0, 1, 1], "int32"))
d = T.nnet.conv2d(
    T.tensor4("q").dimshuffle(0, 1, 2, 3),
    theano.shared(np.ones((2, 1, 3, 3))),
    input_shape=(None, 1, 8, 8),
    filter_shape=(2, 1, 3, 3),
    subsample=(2, 2),
    border_mode="half",
)
f = theano.function([x], T.grad(T.sum(T.nlinalg.trace(T.dot(x, x))), x))
f(np.eye(2))
print(theano.config)
print(f, f.maker.fgraph.outputs)
theano.printing.debugprint([y, z])
tt = T.tensor("float32", (False, True), "tt")
assert tt.broadcastable == (False, True)
v = T.vector("v")
r = theano.tensor.extra_ops.repeat(v, 2)
sq = (v - T.mean(v)) / T.std(v)
theano.function([v], [r, sq])([1.0, 2.0])
from theano.tensor.shared_randomstreams import RandomStreams

s = RandomStreams(1)
q = [
    s.random_integers((3,), 0, 9),
    s.choice((3,), a=5),
    s.permutation((2,), n=4),
    s.multinomial((2,), n=3, pvals=[0.2, 0.8]),
    s.poisson((2,), lam=3.0),
    s.shuffle_row_elements(v),
]
r = theano.function([v], q)([1.0, 2.0, 3.0])
assert r[2].shape == (2, 4) and r[3].shape == (2, 2) and sorted(r[5]) == [1, 2, 3]


class Layer(object):
    def __call__(self, x):
        return x


assert all(
    isinstance(k, theano.compile.SharedVariable)
    for k in theano.gof.graph.inputs([y])
    if k.name == "w"
)
f = theano.function([x], y, name="f")
g = f.copy()
assert (g(np.ones((1, 3))) == f(np.ones((1, 3)))).all()
assert T.isnan(v).any().eval({v: [np.nan]}) and T.le(v, 1).all().eval({v: [1.0]})
import pickle, copy

x2 = pickle.loads(pickle.dumps(z))
w2 = copy.copy(w)
w3 = copy.deepcopy([w, w])
assert w3[0] is w3[1]
