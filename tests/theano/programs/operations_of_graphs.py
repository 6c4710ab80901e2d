"""Operations of graphs, with shared variables and gradients of their own."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano import OpFromGraph, function

x, y, z = T.scalars("xyz")
e = x + y * z
op = OpFromGraph([x, y, z], [e])
e2 = op(x, y, z) + op(z, y, x)
fn = function([x, y, z], [e2])
assert fn(1, 2, 3)[0] == 1 + 6 + 3 + 2
s = theano.shared(np.random.rand(2, 2))
x, y, z = T.matrices("xyz")
e = x + y * z + s
op = OpFromGraph([x, y, z], [e])
fn = function([x, y, z], [op(x, y, z) - op(y, z, x)])
fn(*[np.ones((2, 2))] * 3)
x, y, z = T.scalars("xyz")
e = x + y * z


def rescale_dy(inps, grads):
    x, y, z = inps
    (g,) = grads
    return z * 2


op = OpFromGraph([x, y, z], [e], grad_overrides=["default", rescale_dy, "default"])
op2 = op(x, y, z)
dx, dy, dz = T.grad(op2, [x, y, z])
fn = function([x, y, z], [dx, dy, dz])
assert fn(2.0, 3.0, 4.0) == [1.0, 8.0, 3.0]
