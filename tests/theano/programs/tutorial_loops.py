"""Loops over rows, taps, shared variables, random draws, and until."""

import numpy
import numpy as np
import theano
import theano.tensor as T

X = T.matrix("X")
W = T.matrix("W")
b_sym = T.vector("b_sym")
results, updates = theano.scan(lambda v: T.tanh(T.dot(v, W) + b_sym), sequences=X)
compute_elementwise = theano.function(inputs=[X, W, b_sym], outputs=results)
x = np.eye(2, dtype=theano.config.floatX)
w = np.ones((2, 2), dtype=theano.config.floatX)
b = np.ones((2), dtype=theano.config.floatX)
b[1] = 2
assert np.allclose(compute_elementwise(x, w, b), np.tanh(x.dot(w) + b))
X = T.vector("X")
W = T.matrix("W")
b_sym = T.vector("b_sym")
U = T.matrix("U")
Y = T.matrix("Y")
V = T.matrix("V")
P = T.matrix("P")
results, updates = theano.scan(
    lambda y, p, x_tm1: T.tanh(T.dot(x_tm1, W) + T.dot(y, U) + T.dot(p, V)),
    sequences=[Y, P[::-1]],
    outputs_info=[X],
)
f = theano.function(inputs=[X, W, Y, U, P, V], outputs=results)
x = np.zeros((2))
x[1] = 1
w = np.ones((2, 2))
y = np.ones((5, 2))
y[0, :] = -3
u = np.ones((2, 2))
p = np.ones((5, 2))
p[0, :] = 3
v = np.ones((2, 2))
assert f(x, w, y, u, p, v).shape == (5, 2)
X = T.matrix("X")
results, updates = theano.scan(lambda x_i: T.sqrt((x_i**2).sum()), sequences=[X])
f = theano.function(inputs=[X], outputs=results)
f(np.diag(np.arange(1, 6), 1).astype("float64"))
X = T.matrix("X")
results, updates = theano.scan(
    lambda i, j, t_f: T.cast(X[i, j] + t_f, theano.config.floatX),
    sequences=[T.arange(X.shape[0]), T.arange(X.shape[1])],
    outputs_info=np.asarray(0.0, dtype=theano.config.floatX),
)
result = results[-1]
f = theano.function(inputs=[X], outputs=result)
x = np.eye(5, dtype=theano.config.floatX)
x[0] = np.arange(5)
assert f(x) == np.diagonal(x).sum()
X = T.matrix("X")
W = T.matrix("W")
b_sym = T.vector("b_sym")
U = T.matrix("U")
n_sym = T.iscalar("n_sym")
V = T.matrix("V")
results, updates = theano.scan(
    lambda x_tm2, x_tm1: T.dot(x_tm2, U) + T.dot(x_tm1, V) + T.tanh(T.dot(x_tm1, W) + b_sym),
    n_steps=n_sym,
    outputs_info=[dict(initial=X, taps=[-2, -1])],
)
f = theano.function(
    inputs=[X, U, W, b_sym, V, n_sym] if False else [X, U, V, W, b_sym, n_sym], outputs=results
)
n = 10
assert f(
    np.zeros((2, 2)),
    0.5 * (np.ones((2, 2)) - np.eye(2)),
    0.5 * (np.ones((2, 2)) - np.eye(2)),
    0.5 * np.ones((2, 2)),
    np.ones(2),
    n,
).shape == (10, 2)
v = T.vector()
A = T.matrix()
y = T.tanh(T.dot(v, A))
results, updates = theano.scan(lambda i: T.grad(y[i], v), sequences=[T.arange(y.shape[0])])
f = theano.function([A, v], results, allow_input_downcast=True)
f(np.eye(5)[0:3].T, np.ones(5))
k = theano.shared(0)
n_sym = T.iscalar("n_sym")
results, updates = theano.scan(lambda: {k: (k + 1)}, n_steps=n_sym)
accumulator = theano.function([n_sym], [], updates=updates, allow_input_downcast=True)
k.get_value()
accumulator(5)
assert k.get_value() == 5
X = T.matrix("X")
W = T.matrix("W")
b_sym = T.vector("b_sym")
trng = T.shared_randomstreams.RandomStreams(1234)
d = trng.binomial(size=W[1].shape)
results, updates = theano.scan(lambda v: T.tanh(T.dot(v, W) + b_sym) * d, sequences=X)
f = theano.function(
    inputs=[X, W, b_sym], outputs=[results, d], updates=updates, allow_input_downcast=True
)
r = f(np.eye(10, 2), np.ones((2, 2)), np.ones(2))
assert r[0].shape == (10, 2)


def power(k, A):
    pass


def max_value(x):
    return x * 2, theano.scan_module.until(x * 2 > 10)


x0 = T.scalar()
values, _ = theano.scan(
    lambda p: (p * 2, theano.scan_module.until(p * 2 > 100)),
    outputs_info=T.constant(1.0),
    n_steps=1024,
)
f = theano.function([], values)
print(f())
assert f()[-1] == 128
