"""Gradients of many operations, compared with differences."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano.tests import unittest_tools as utt

rng = np.random.RandomState(3)
M = rng.rand(3, 3) + np.eye(3) * 3
for f in [
    T.exp,
    T.log,
    T.tanh,
    T.sqrt,
    T.sqr,
    T.nnet.sigmoid,
    T.nnet.softplus,
    T.nnet.softmax,
    T.nnet.logsoftmax,
    T.nnet.elu,
    T.nnet.selu,
    T.nnet.relu,
    T.erf,
    T.gammaln,
    T.psi,
    T.nlinalg.det,
    T.nlinalg.matrix_inverse,
    T.nlinalg.trace,
    T.slinalg.expm,
    lambda x: T.nlinalg.svd(x)[1],
    lambda x: x.std(axis=0),
    lambda x: x.var(),
    lambda x: T.extra_ops.cumsum(x, axis=1),
    lambda x: T.extra_ops.diff(x),
    lambda x: x.repeat(2, axis=0),
    lambda x: T.sort(x, axis=0),
    lambda x: T.batched_dot(x.dimshuffle(0, "x", 1), x.dimshuffle(0, 1, "x")),
    lambda x: T.tensordot(x, x, axes=1),
    lambda x: T.tensordot(x, x, [[0], [1]]),
    lambda x: T.extra_ops.fill_diagonal(x, 1.0),
    lambda x: x.norm(2),
    lambda x: x.norm(3, axis=1),
    lambda x: T.nnet.neighbours.images2neibs(x.dimshuffle("x", "x", 0, 1), (2, 2), (1, 1)),
    lambda x: T.tile(x, (2, 3)),
    lambda x: T.roll(x, 1, axis=1),
    lambda x: x.choose([x, x]) if False else x,
    lambda x: T.stack([x, 2 * x], axis=1),
    lambda x: T.concatenate([x, x], axis=-1),
    lambda x: T.dot(x, x),
    lambda x: T.outer(x[0], x[1]),
    lambda x: x.prod(axis=0),
    lambda x: T.maximum(x, 2.0),
    lambda x: T.switch(x > 2, x**2, x),
    lambda x: T.arctan2(x, x.T + 1),
    lambda x: T.alloc(x, 2, 3, 3),
    lambda x: T.fill(x, x[0, 0]),
    lambda x: T.triu(x),
    lambda x: T.diag(x),
    lambda x: T.diag(x[0]),
    lambda x: T.nlinalg.pinv(x),
    lambda x: T.slinalg.solve(x, x[0]),
    lambda x: T.slinalg.cholesky(T.dot(x, x.T)),
    lambda x: T.nnet.ultra_fast_sigmoid(x) if False else x,
    lambda x: T.nnet.binary_crossentropy(T.nnet.sigmoid(x), 0.3),
    lambda x: T.nnet.crossentropy_softmax_argmax_1hot_with_bias(x, x[0], np.array([0, 1, 2]))[0],
    lambda x: T.nnet.bn.batch_normalization_train(x, x[:1], x[1:2])[0],
    lambda x: T.inv(x),
    lambda x: T.clip(x, 1.0, 3.3),
    lambda x: x.T.dimshuffle(1, "x", 0),
    lambda x: T.split(x, [1, 2], 2, axis=0)[1],
    lambda x: T.slinalg.kron(x, x),
    lambda x: T.set_subtensor(x[0], x[1] ** 2),
    lambda x: T.inc_subtensor(x[:, [0, 0]], x[:, 1:]),
    lambda x: T.max(x, axis=1),
    lambda x: T.ptp(x),
    lambda x: T.nlinalg.matrix_dot(x, x, x),
    lambda x: T.nnet.softmax(x[0]),
    lambda x: T.xlogx.xlogx(x),
    lambda x: T.cov(x) if False else x,
]:
    try:
        utt.verify_grad(f, [M], n_tests=1)
    except Exception as e:
        import inspect

        print(
            "BAD",
            getattr(f, "__name__", f),
            type(e).__name__,
            str(e)[:200],
            inspect.getsource(f)[:0]
            if False
            else f.__code__.co_firstlineno
            if hasattr(f, "__code__")
            else "",
            f.__code__.co_names if hasattr(f, "__code__") else "",
        )
