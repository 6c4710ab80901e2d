"""Inputs that are results, and givens."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano import In, Out, function

x = T.scalar("x")
y = x * 2
z = y + 1
f = function([y], z)
assert f(5.0) == 6
f = function((x,), [Out(y, borrow=True), z])
assert f(1.0) == [2, 3]
f = function([x], z, givens=[(y, T.constant(7.0))], on_unused_input="ignore")
assert f(1.0) == 8
w = theano.shared(np.arange(3.0))
f = function([], updates={w: np.zeros(3)})
f()
assert (w.get_value() == 0).all()
f = function([], w.sum(), givens={w: np.ones(3)})
assert f() == 3
