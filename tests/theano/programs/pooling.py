"""Pooling of all modes, compared with loops."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano.tests import unittest_tools as utt

rng = np.random.RandomState(3)
from theano.tensor.signal.pool import pool_2d


def ref(x, ws, ib, st, pad, mode):
    r = []
    H, Wd = x.shape[-2] + 2 * pad[0], x.shape[-1] + 2 * pad[1]

    def out(n, k, s):
        if ib:
            return (n - k) // s + 1
        return (n - 1) // s + 1 if s >= k else max(0, (n - 1 - k + s) // s) + 1

    o = np.zeros(x.shape[:-2] + (out(H, ws[0], st[0]), out(Wd, ws[1], st[1])))
    fill = -np.inf if mode == "max" else 0.0
    xp = np.full(x.shape[:-2] + (H, Wd), fill)
    xp[..., pad[0] : pad[0] + x.shape[-2], pad[1] : pad[1] + x.shape[-1]] = x
    m = np.zeros((H, Wd))
    m[pad[0] : pad[0] + x.shape[-2], pad[1] : pad[1] + x.shape[-1]] = 1
    for i in range(o.shape[-2]):
        for j in range(o.shape[-1]):
            sl = (
                Ellipsis,
                slice(i * st[0], min(i * st[0] + ws[0], H)),
                slice(j * st[1], min(j * st[1] + ws[1], Wd)),
            )
            p = xp[sl]
            o[..., i, j] = (
                p.max((-1, -2))
                if mode == "max"
                else p.sum((-1, -2))
                if mode == "sum"
                else p.mean((-1, -2))
                if mode == "average_inc_pad"
                else p.sum((-1, -2)) / m[sl[1:]].sum()
            )
    return o


x = T.tensor4()
v = rng.rand(2, 2, 7, 6)
for ws in [(2, 2), (3, 2)]:
    for st in [None, (1, 2)]:
        for ib, pad in [(True, (0, 0)), (False, (0, 0)), (True, (1, 1))]:
            for mode in ["max", "average_exc_pad"]:
                f = theano.function(
                    [x], pool_2d(x, ws, ignore_border=ib, stride=st, pad=pad, mode=mode)
                )
                assert np.allclose(f(v), ref(v, ws, ib, st or ws, pad, mode)), (
                    ws,
                    st,
                    ib,
                    pad,
                    mode,
                )
                utt.verify_grad(
                    lambda a: pool_2d(a, ws, ignore_border=ib, stride=st, pad=pad, mode=mode),
                    [v],
                    n_tests=1,
                )
                s0 = T.iscalar()
                f = theano.function(
                    [x, s0],
                    pool_2d(x, (s0, ws[1]), ignore_border=ib, stride=st, pad=pad, mode=mode),
                )
                assert np.allclose(f(v, ws[0]), ref(v, ws, ib, st or ws, pad, mode))
ones = np.ones((1, 1, 2, 2))
g = theano.function([x], T.grad(pool_2d(x, (2, 2), ignore_border=True).sum(), x))
assert (g(ones) == 1).all()
