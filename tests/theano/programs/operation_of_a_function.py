"""An operation of a Python function."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano.compile.ops import as_op


def infer_shape_numpy_dot(node, input_shapes):
    ashp, bshp = input_shapes
    return [ashp[:-1] + bshp[-1:]]


@as_op(
    itypes=[theano.tensor.fmatrix, theano.tensor.fmatrix],
    otypes=[theano.tensor.fmatrix],
    infer_shape=infer_shape_numpy_dot,
)
def numpy_dot(a, b):
    return numpy.dot(a, b)


x = theano.tensor.fmatrix()
y = theano.tensor.fmatrix()
f = theano.function([x, y], numpy_dot(x, y))
inp1 = numpy.random.rand(5, 4).astype("float32")
inp2 = numpy.random.rand(4, 7).astype("float32")
assert np.allclose(inp1.dot(inp2), f(inp1, inp2))
