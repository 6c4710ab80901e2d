"""Classes of operations: made, and asked for by isinstance."""

import numpy
import numpy as np
import theano
import theano.tensor as T

rng = np.random.RandomState(3)
x = T.matrix()
v = rng.rand(3, 4)
assert np.allclose(T.Elemwise(theano.scalar.add)(x, x).eval({x: v}), 2 * v)
assert T.elemwise.DimShuffle((False, False), (1, "x", 0))(x).eval({x: v}).shape == (4, 1, 3)
assert np.allclose(T.elemwise.Sum(axis=[0])(x).eval({x: v}), v.sum(0))
assert isinstance((x + x).owner.op, T.Elemwise) and not isinstance(x.sum().owner.op, T.Elemwise)
from theano.tests import unittest_tools as utt

for f, lo in [
    (T.erfinv, 0.1),
    (T.j0, 0.1),
    (T.i1, 0.2),
    (lambda a: T.gammainc(T.constant(2.0), a), 0.1),
    (T.erfcinv, 0.1),
    (lambda a: T.jv(T.constant(1.5), a), 0.3),
]:
    utt.verify_grad(f, [rng.rand(3) * 0.5 + lo])
from theano.tensor.nnet.neighbours import images2neibs

assert T.permute_row_elements(
    T.constant(np.arange(6.0).reshape(2, 3)), T.constant(np.array([2, 0, 1]))
).eval().tolist() == [[2, 0, 1], [5, 3, 4]]
