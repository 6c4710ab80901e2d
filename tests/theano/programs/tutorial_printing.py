"""Values printed while they are computed, and a picture of a graph."""

import numpy
import numpy as np
import theano
import theano.tensor as T

theano.config.compute_test_value
x = T.dvector("x")
x_printed = theano.printing.Print("this is a very important value")(x)
f = theano.function([x], x * 5)
f_with_print = theano.function([x], x_printed * 5)
assert (f([1, 2, 3]) == [5, 10, 15]).all()
assert (f_with_print([1, 2, 3]) == [5, 10, 15]).all()
s = theano.printing.debugprint(x * 5, file="str")
print(s)
theano.printing.pydotprint(x * 5 + T.exp(x), outfile="p.png", var_with_name_simple=True)
