"""RandomStreams draws the numbers of NumPy's RandomState, and can be seeded."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano.tensor.shared_randomstreams import RandomStreams
from theano import function

srng = RandomStreams(seed=234)
rv_u = srng.uniform((2, 2))
rv_n = srng.normal((2, 2))
f = function([], rv_u)
g = function([], rv_n, no_default_updates=True)
nearly_zeros = function([], rv_u + rv_u - 2 * rv_u)
f_val0 = f()
f_val1 = f()
assert (f_val0 != f_val1).all()
g_val0 = g()
g_val1 = g()
assert (g_val0 == g_val1).all()
assert np.allclose(nearly_zeros(), 0)
rs = np.random.RandomState(234)
s1 = rs.randint(2**30)
r1 = np.random.RandomState(int(s1)).uniform(size=(2, 2))
assert np.array_equal(r1, f_val0)
rng_val = rv_u.rng.get_value(borrow=True)
rng_val.seed(89234)
rv_u.rng.set_value(rng_val, borrow=True)
assert np.array_equal(f(), np.random.RandomState(89234).uniform(size=(2, 2)))
srng.seed(902340)
state_after_v0 = rv_u.rng.get_value().get_state()
nearly_zeros()
v1 = f()
rng = rv_u.rng.get_value(borrow=True)
rng.set_state(state_after_v0)
rv_u.rng.set_value(rng, borrow=True)
v2 = f()
v3 = f()
assert (v3 == v1).all()
