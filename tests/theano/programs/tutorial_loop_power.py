"""A power and a polynomial by scan."""

import numpy
import numpy as np
import theano
import theano.tensor as T

k = T.iscalar("k")
A = T.vector("A")


def inner_fct(prior_result, B):
    return prior_result * B


result, updates = theano.scan(fn=inner_fct, outputs_info=T.ones_like(A), non_sequences=A, n_steps=k)
final_result = result[-1]
power = theano.function(inputs=[A, k], outputs=final_result, updates=updates)
assert (power(range(10), 2) == np.arange(10) ** 2).all()
coefficients = theano.tensor.vector("coefficients")
x = T.scalar("x")
max_coefficients_supported = 10000
full_range = theano.tensor.arange(max_coefficients_supported)
components, updates = theano.scan(
    fn=lambda coeff, power, free_var: coeff * (free_var**power),
    outputs_info=None,
    sequences=[coefficients, full_range],
    non_sequences=x,
)
polynomial = components.sum()
calculate_polynomial = theano.function(inputs=[coefficients, x], outputs=polynomial)
test_coeff = numpy.asarray([1, 0, 2], dtype=numpy.float32)
assert calculate_polynomial(test_coeff, 3) == 19
