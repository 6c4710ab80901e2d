"""scan, map, reduce, foldl, foldr, taps, until, and random draws in steps."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano import In, Out, function

x = T.vector()
o, u = theano.scan(lambda a, b, c: a + b + c, sequences=[x, dict(input=x, taps=[-1, 0])])
assert function([x], o)([1.0, 2, 3]).tolist() == [1 + 1 + 2, 2 + 2 + 3]
o, u = theano.scan(
    lambda xm2, xm1: xm2 + xm1, outputs_info=[{"initial": x, "taps": [-2, -1]}], n_steps=5
)
assert function([x], o)([1.0, 1.0]).tolist() == [2, 3, 5, 8, 13]
o, u = theano.scan(
    lambda a, s: (s + a, theano.scan_module.until(s + a > 3)),
    sequences=x,
    outputs_info=np.float64(0),
)
assert function([x], o)([1.0, 2, 3, 4]).tolist() == [1, 3, 6]
o, u = theano.reduce(lambda a, s: s + a, sequences=x, outputs_info=T.constant(0.0))
assert function([x], o)([1.0, 2, 3]) == 6
o, u = theano.map(lambda a: a**2, [x])
assert function([x], o)([1.0, 2]).tolist() == [1, 4]
o, u = theano.foldl(lambda a, s: 2 * s + a, x, T.constant(0.0))
p, u = theano.foldr(lambda a, s: 2 * s + a, x, T.constant(0.0))
assert function([x], [o, p])([1.0, 2, 3]) == [11, 17]
n = T.iscalar()
W = theano.shared(np.eye(2) * 0.5)
h0 = theano.shared(np.zeros(2))
M = T.matrix()
(h, y), u = theano.scan(
    lambda xt, h, W: [T.tanh(T.dot(xt, W) + h), T.sum(h)],
    sequences=M,
    outputs_info=[h0, None],
    non_sequences=[W],
    strict=True,
    n_steps=n,
)
g = T.grad(h[-1].sum(), [W, h0])
r = function([M, n], [h, y] + g)(np.ones((4, 2)), 3)
assert r[0].shape == (3, 2) and r[2].shape == (2, 2)
o, u = theano.scan(
    fn=lambda i, acc: acc + i, sequences=T.arange(5), outputs_info=T.constant(0, dtype="int64")
)
assert function([], o[-1])() == 10
A = T.vector("A")
k = T.iscalar()
r, u = theano.scan(
    lambda p, A: p * A,
    outputs_info=T.ones_like(A),
    non_sequences=A,
    n_steps=k,
    go_backwards=False,
    truncate_gradient=-1,
)
assert function([A, k], r[-1], updates=u)([2.0, 3.0], 3).tolist() == [8, 27]
rng = T.shared_randomstreams.RandomStreams(3)
o, u = theano.scan(lambda: rng.uniform((2,)), n_steps=4)
f = function([], o, updates=u)
a = f()
b = f()
assert a.shape == (4, 2) and len(set(a[:, 0])) == 4 and (a != b).all()
rs = theano.sandbox.rng_mrg.MRG_RandomStreams(3)
o, u = theano.scan(lambda h: h + rs.normal(h.shape), outputs_info=T.zeros((3,)), n_steps=4)
f = function([], o, updates=u)
assert (f() != f()).all()
