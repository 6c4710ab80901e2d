"""NumPy's arrays, numbers and functions beside variables."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano import In, Out, function

x = T.vector()
f = function(
    [x],
    [
        np.ones(3) * x,
        x * np.ones(3),
        np.float32(2) * x,
        np.int64(3) + x,
        np.exp(x),
        np.maximum(x, 0),
        2 - x,
        1 / x,
        x**2,
        2**x,
        np.dot(np.eye(3), 1) * x,
    ],
)
r = f([1.0, 2.0, 3.0])
assert r[0].tolist() == [1, 2, 3] and r[3].tolist() == [4, 5, 6]
