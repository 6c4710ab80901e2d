"""Memory that is shared, and that is not."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano import In, Out, function

a = np.ones(2)
s = theano.shared(a, borrow=False)
sb = theano.shared(a, borrow=True)
a += 1
assert s.get_value().tolist() == [1, 1] and sb.get_value().tolist() == [2, 2]
v = sb.get_value(borrow=True)
v += 1
assert sb.get_value().tolist() == [3, 3]
