"""Gradients of convolutions of all borders, strides, dilations and groups."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano.tests import unittest_tools as utt

rng = np.random.RandomState(3)
for mode in ["valid", "full", "half", 1, (2, 1)]:
    for sub in [(1, 1), (2, 1)]:
        for dil in [(1, 1), (1, 2)]:
            for flip in (True, False):
                utt.verify_grad(
                    lambda a, b: T.nnet.conv2d(
                        a, b, border_mode=mode, subsample=sub, filter_dilation=dil, filter_flip=flip
                    ),
                    [rng.rand(2, 2, 7, 6), rng.rand(3, 2, 3, 2)],
                    n_tests=1,
                )
utt.verify_grad(
    lambda a, b: T.nnet.conv2d(a, b, num_groups=2),
    [rng.rand(2, 4, 5, 5), rng.rand(6, 2, 3, 3)],
    n_tests=1,
)
utt.verify_grad(
    lambda a, b: T.nnet.conv3d(a, b), [rng.rand(1, 2, 4, 4, 4), rng.rand(2, 2, 2, 2, 2)], n_tests=1
)
a = rng.rand(2, 3, 4, 4)
x = T.tensor4()
w = rng.rand(2, 3, 3, 3)
# transposed conv equals gradient
for mode in ["valid", "full", "half", 1]:
    for sub in [(1, 1), (2, 2)]:
        X = T.tensor4()
        W = T.tensor4()
        y = T.nnet.conv2d(X, W, border_mode=mode, subsample=sub)
        ct = T.tensor4()
        g = T.grad(None, X, known_grads={y: ct})
        h = T.nnet.abstract_conv.conv2d_grad_wrt_inputs(
            ct, W, (None, None, X.shape[2], X.shape[3]), border_mode=mode, subsample=sub
        )
        g2 = T.grad(None, W, known_grads={y: ct})
        h2 = T.nnet.abstract_conv.conv2d_grad_wrt_weights(
            X, ct, W.shape, border_mode=mode, subsample=sub
        )
        yv = theano.function([X, W], y)(a, w)
        r = theano.function([X, W, ct], [g, h, g2, h2])(a, w, rng.rand(*yv.shape))
        assert np.allclose(r[0], r[1]) and np.allclose(r[2], r[3])
