"""Rows and columns stretch."""

import numpy
import numpy as np
import theano
import theano.tensor as T

r = T.row()
assert r.broadcastable == (True, False)
mtr = T.matrix()
f_row = theano.function([r, mtr], [r + mtr])
R = np.arange(3).reshape(1, 3)
M = np.arange(9).reshape(3, 3)
print(f_row(R, M))
c = T.col()
f_col = theano.function([c, mtr], [c + mtr])
f_col(R.reshape(3, 1), M)
