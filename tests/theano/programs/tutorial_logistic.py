"""Functions with several outputs, default values, shared variables and copies of functions."""

import numpy
import numpy as np
import theano
import theano.tensor as T

x = T.dmatrix("x")
s = 1 / (1 + T.exp(-x))
logistic = theano.function([x], s)
logistic([[0, 1], [-1, -2]])
a, b = T.dmatrices("a", "b")
diff = a - b
abs_diff = abs(diff)
diff_squared = diff**2
f = theano.function([a, b], [diff, abs_diff, diff_squared])
r = f([[1, 1], [1, 1]], [[0, 1], [2, 3]])
assert len(r) == 3
from theano import In, function, shared

x, y = T.dscalars("x", "y")
z = x + y
f = function([x, In(y, value=1)], z)
assert f(33) == 34 and f(33, 2) == 35
x, y, w = T.dscalars("x", "y", "w")
z = (x + y) * w
f = function([x, In(y, value=1), In(w, value=2, name="w_by_name")], z)
assert (
    f(33) == 68
    and f(33, 2) == 70
    and f(33, 0, 1) == 33
    and f(33, w_by_name=1) == 34
    and f(33, w_by_name=1, y=0) == 33
)
state = shared(0)
inc = T.iscalar("inc")
accumulator = function([inc], state, updates=[(state, state + inc)])
assert state.get_value() == 0 and accumulator(1) == 0 and state.get_value() == 1
accumulator(300)
assert state.get_value() == 301
state.set_value(-1)
accumulator(3)
decrementor = function([inc], state, updates=[(state, state - inc)])
decrementor(2)
assert state.get_value() == 0
fn_of_state = state * 2 + inc
foo = T.scalar(dtype=state.dtype)
skip_shared = function([inc, foo], fn_of_state, givens=[(state, foo)])
assert skip_shared(1, 3) == 7 and state.get_value() == 0
new_state = theano.shared(0)
new_accumulator = accumulator.copy(swap={state: new_state})
new_accumulator(100)
assert new_state.get_value() == 100 and state.get_value() == 0
null_accumulator = accumulator.copy(delete_updates=True)
null_accumulator(9000)
assert state.get_value() == 0
