"""An input that has a default value, and an update of it."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano import In, Out, function

x = T.scalar("x")
s = T.scalar("s")
f = function([x, In(s, update=s + x, value=10.0)], s * 2)
assert f(1.0) == 20 and f["s"] == 11 and f(2.0) == 22 and f[s] == 13
f["s"] = 100.0
assert f(0.0) == 200
