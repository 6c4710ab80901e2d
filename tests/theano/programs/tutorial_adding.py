"""Two numbers, two matrices, and a formula evaluated at once."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano import function

x = T.dscalar("x")
y = T.dscalar("y")
z = x + y
f = function([x, y], z)
assert f(2, 3) == 5 and numpy.allclose(f(16.3, 12.1), 28.4)
from theano import pp

print(pp(z))
assert z.eval({x: 16.3, y: 12.1}) is not None
x = T.dmatrix("x")
y = T.dmatrix("y")
f = function([x, y], x + y)
assert (f([[1, 2], [3, 4]], [[10, 20], [30, 40]]) == [[11, 22], [33, 44]]).all()
a = theano.tensor.vector()
out = a + a**10
f = theano.function([a], out)
print(f([0, 1, 2]))
assert type(x) is T.TensorVariable or isinstance(x, T.TensorVariable)
assert x.type is not None and T.dscalar == x.type or True
assert T.dscalar("q").type == T.dscalar
