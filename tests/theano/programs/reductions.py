"""Reductions over lists of axes, with dtypes; arrays of symbolic lengths."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano import In, Out, function

x = T.tensor3()
v = np.arange(24.0).reshape(2, 3, 4)
f = function(
    [x],
    [
        x.sum(axis=[0, 2]),
        x.sum(axis=(0, 1), keepdims=True),
        T.mean(x, axis=[1, 2], dtype="float32"),
        T.sum(x, acc_dtype="float64"),
        x.max(axis=[0, 1]),
        T.argmax(x, axis=-1),
        x.prod(axis=0),
        T.any(x > 3, axis=0),
        T.all(x),
        x.var(axis=(0, 1)),
        T.max_and_argmax(x, axis=1)[1],
        x.argmin(axis=0, keepdims=True),
    ],
)
r = f(v)
assert (
    r[0].tolist() == v.sum((0, 2)).tolist()
    and r[2].dtype == "float32"
    and r[4].tolist() == v.max((0, 1)).tolist()
)
n = T.iscalar()
f = function(
    [n],
    [
        T.arange(n, dtype="float32"),
        T.arange(1, n),
        T.arange(n) * 2.0,
        T.zeros((n, 2)),
        T.eye(n),
        T.alloc(1.0, n, 3),
        T.ones((2, n), dtype="int32"),
    ],
)
r = f(4)
assert r[0].dtype == "float32" and r[3].shape == (4, 2) and r[6].dtype == "int32"
