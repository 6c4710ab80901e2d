"""Shapes that are computed."""

import numpy
import numpy as np
import theano
import theano.tensor as T

x = T.matrix("x")
f = theano.function([x], (x**2).shape)
assert (f(np.zeros((3, 4))) == [3, 4]).all()
theano.printing.debugprint(f)
y = T.matrix("y")
z = T.join(0, x, y)
xv = np.random.rand(5, 4)
yv = np.random.rand(3, 3)
f = theano.function([x, y], z.shape)
theano.printing.debugprint(f)
import theano.tensor.opt

xx = T.tensor4()
