"""An operation on single numbers, applied to each entry."""

import numpy
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(3)
import theano.scalar as scalar


class XlogX2(theano.scalar.UnaryScalarOp):
    @staticmethod
    def st_impl(x):
        if x == 0.0:
            return 0.0
        return x * numpy.log(x)

    def impl(self, x):
        return XlogX2.st_impl(x)

    def grad(self, inputs, grads):
        (x,) = inputs
        (gz,) = grads
        return [gz * (1 + scalar.log(x))]

    def c_code(self, node, name, inputs, outputs, sub):
        return ""


scalar_xlogx = XlogX2(scalar.upgrade_to_float, name="scalar_xlogx")
xlogx = T.Elemwise(scalar_xlogx, name="xlogx")
v = rng.rand(3, 2) + 0.1
x = T.matrix()
assert np.allclose(xlogx(x).eval({x: v}), v * np.log(v))
theano.tests.unittest_tools.verify_grad(xlogx, [v])
