"""Keys of all kinds, and values put at them."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano import In, Out, function

x = T.matrix()
i = T.ivector()
k = T.iscalar()
v = np.arange(12.0).reshape(3, 4)
f = function(
    [x, i, k],
    [
        x[i],
        x[:, i],
        x[k],
        x[k:],
        x[:k, 1:],
        x[-1],
        x[..., 0],
        x[None],
        x[i, i],
        x[k, i],
        x[::-1, ::2],
        x[T.arange(2), [0, 1]],
        x[x > 5],
        x[[True, False, True]],
        x[T.eq(i, 1).nonzero()],
        x[k - 1 : k + 1],
        x[(k,)],
        x[:-1],
        x[1:-1, k],
    ],
    on_unused_input="ignore",
)
r = f(v, np.array([0, 1, 2], "int32"), 1)
assert (
    r[0].tolist() == v.tolist()
    and r[3].tolist() == v[1:].tolist()
    and r[12].tolist() == v[v > 5].tolist()
)
assert r[14].tolist() == v[[1]].tolist()
y = T.vector()
g = function([x, y], T.set_subtensor(x[:, 0], y))
assert g(v, np.ones(3))[:, 0].tolist() == [1, 1, 1]
g = function([x, i], T.inc_subtensor(x[i], 1.0))
assert g(v, np.array([0, 0], "int32"))[0, 0] == 2
z = T.set_subtensor(x[1:, 1:][0, 0], 9.0) if False else T.set_subtensor(x[0, 0], 9.0)
assert T.grad(z.sum(), x).eval({x: v})[0, 0] == 0
z = T.zeros((3, 4))
z = T.set_subtensor(z[1], T.ones(4))
assert z.eval().sum() == 4
