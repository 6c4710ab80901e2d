"""switch computes both sides, ifelse one."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano.ifelse import ifelse

a, b = T.scalars("a", "b")
x, y = T.matrices("x", "y")
z_switch = T.switch(T.lt(a, b), T.mean(x), T.mean(y))
z_lazy = ifelse(T.lt(a, b), T.mean(x), T.mean(y))
f_switch = theano.function([a, b, x, y], z_switch, mode=theano.Mode(linker="vm"))
f_lazyifelse = theano.function([a, b, x, y], z_lazy, mode=theano.Mode(linker="vm"))
v = np.ones((3, 3), dtype=theano.config.floatX)
assert f_switch(0.0, 1.0, v, v * 2) == 1 and f_lazyifelse(0.0, 1.0, v, v * 2) == 1
