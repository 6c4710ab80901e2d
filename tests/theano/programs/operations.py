"""Operations of one's own, by make_node or by itypes, and their tests."""

import numpy
import numpy as np
import theano
import theano.tensor as T


class DoubleOp1(theano.Op):
    __props__ = ()

    def make_node(self, x):
        x = theano.tensor.as_tensor_variable(x)
        return theano.Apply(self, [x], [x.type()])

    def perform(self, node, inputs, output_storage):
        x = inputs[0]
        z = output_storage[0]
        z[0] = x * 2

    def infer_shape(self, node, i0_shapes):
        return i0_shapes

    def grad(self, inputs, output_grads):
        return [output_grads[0] * 2]

    def R_op(self, inputs, eval_points):
        if eval_points[0] is None:
            return eval_points
        return self.grad(inputs, eval_points)


class DoubleOp2(theano.Op):
    __props__ = ()
    itypes = [theano.tensor.dmatrix]
    otypes = [theano.tensor.dmatrix]

    def perform(self, node, inputs, output_storage):
        output_storage[0][0] = inputs[0] * 2

    def grad(self, inputs, output_grads):
        return [output_grads[0] * 2]


x = theano.tensor.matrix()
f = theano.function([x], DoubleOp1()(x))
inp = numpy.random.rand(5, 4)
assert np.allclose(inp * 2, f(inp))
f = theano.function([x], DoubleOp2()(x))
assert np.allclose(inp * 2, f(inp))
theano.tests.unittest_tools.verify_grad(DoubleOp1(), [numpy.random.rand(5, 7, 2)])
from theano.tests import unittest_tools as utt


class t(utt.InferShapeTester):
    def setUp(self):
        super(t, self).setUp()
        self.op_class = DoubleOp1
        self.op = DoubleOp1()

    def test_i(self):
        self._compile_and_check([x], [self.op(x)], [np.ones((3, 2))], self.op_class)


class AXPBOp(theano.Op):
    __props__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b
        super(AXPBOp, self).__init__()

    def make_node(self, x):
        x = theano.tensor.as_tensor_variable(x)
        return theano.Apply(self, [x], [x.type()])

    def perform(self, node, inputs, output_storage):
        output_storage[0][0] = self.a * inputs[0] + self.b

    def grad(self, inputs, output_grads):
        return [self.a * output_grads[0]]


m = AXPBOp(4, 1)
assert m == AXPBOp(4, 1)
assert np.allclose(theano.function([x], m(x))(inp), 4 * inp + 1)
