"""Gradients, Jacobians, Hessians and products with them."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano import pp

x = T.dscalar("x")
y = x**2
gy = T.grad(y, x)
print(pp(gy))
f = theano.function([x], gy)
assert f(4) == 8 and np.allclose(f(94.2), 188.4)
x = T.dvector("x")
y = x**2
J, updates = theano.scan(
    lambda i, y, x: T.grad(y[i], x), sequences=T.arange(y.shape[0]), non_sequences=[y, x]
)
f = theano.function([x], J, updates=updates)
assert (f([4, 4]) == [[8, 0], [0, 8]]).all()
cost = y.sum()
gy = T.grad(cost, x)
H, updates = theano.scan(
    lambda i, gy, x: T.grad(gy[i], x), sequences=T.arange(gy.shape[0]), non_sequences=[gy, x]
)
f = theano.function([x], H, updates=updates)
assert (f([4, 4]) == [[2, 0], [0, 2]]).all()
W = T.dmatrix("W")
V = T.dmatrix("V")
x = T.dvector("x")
y = T.dot(x, W)
JV = T.Rop(y, W, V)
f = theano.function([W, V, x], JV)
assert (f([[1, 1], [1, 1]], [[2, 2], [2, 2]], [0, 1]) == [2, 2]).all()
v = T.dvector("v")
VJ = T.Lop(y, W, v)
f = theano.function([v, x], VJ)
assert (f([2, 2], [0, 1]) == [[0, 0], [2, 2]]).all()
x = T.dvector("x")
v = T.dvector("v")
y = T.sum(x**2)
gy = T.grad(y, x)
vH = T.grad(T.sum(gy * v), x)
f = theano.function([x, v], vH)
assert (f([4, 4], [2, 2]) == [4, 4]).all()
Hv = T.Rop(gy, x, v)
f = theano.function([x, v], Hv)
assert (f([4, 4], [2, 2]) == [4, 4]).all()
