"""A spatial transformer and its gradient."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano import *
from theano import theano as th2
from sklearn.datasets import load_digits

_d = load_digits()
_X = (_d.data / 16.0).astype(theano.config.floatX)
_y = _d.target.astype("int32")
floatX = theano.config.floatX
rng = np.random.RandomState(0)


def init(*s):
    return theano.shared((rng.randn(*s) * 0.1).astype(floatX))


def meshgrid(height, width):
    x_t = (
        T.dot(
            T.ones((height, 1)),
            T.reshape(T.cast(T.arange(width), floatX) / (width - 1) * 2 - 1, (1, width)),
        )
        if False
        else T.dot(
            T.ones((height, 1)),
            (T.arange(width).astype(floatX) / (width - 1) * 2 - 1).dimshuffle("x", 0),
        )
    )
    y_t = T.dot(
        (T.arange(height).astype(floatX) / (height - 1) * 2 - 1).dimshuffle(0, "x"),
        T.ones((1, width)),
    )
    return T.concatenate(
        [x_t.reshape((1, -1)), y_t.reshape((1, -1)), T.ones_like(x_t.reshape((1, -1)))], axis=0
    )


def interpolate(im, x, y, oh, ow):
    nb, h, w, c = im.shape
    hf = T.cast(h, floatX)
    wf = T.cast(w, floatX)
    x = (x + 1) / 2 * (wf - 1)
    y = (y + 1) / 2 * (hf - 1)
    x0f = T.floor(x)
    y0f = T.floor(y)
    x1f = x0f + 1
    y1f = y0f + 1
    x0 = T.cast(T.clip(x0f, 0, wf - 1), "int64")
    y0 = T.cast(T.clip(y0f, 0, hf - 1), "int64")
    x1 = T.cast(T.minimum(x1f, wf - 1), "int64")
    y1 = T.cast(T.minimum(y1f, hf - 1), "int64")
    base = T.repeat(T.arange(nb, dtype="int64") * w * h, oh * ow)
    imf = im.reshape((-1, c))
    Ia = imf[base + y0 * w + x0]
    Ib = imf[base + y1 * w + x0]
    Ic = imf[base + y0 * w + x1]
    Id = imf[base + y1 * w + x1]
    wa = ((x1f - x) * (y1f - y)).dimshuffle(0, "x")
    wb = ((x1f - x) * (y - y0f)).dimshuffle(0, "x")
    wc = ((x - x0f) * (y1f - y)).dimshuffle(0, "x")
    wd = ((x - x0f) * (y - y0f)).dimshuffle(0, "x")
    return T.sum([wa * Ia, wb * Ib, wc * Ic, wd * Id], axis=0)


def transform(theta, input):
    nb, c, h, w = input.shape
    theta = T.reshape(theta, (-1, 2, 3))
    oh = T.cast(h, "int64")
    ow = T.cast(w, "int64")
    grid = meshgrid(oh, ow)
    Tg = T.dot(theta, grid)
    xs, ys = Tg[:, 0], Tg[:, 1]
    xf = xs.flatten()
    yf = ys.flatten()
    im = input.dimshuffle(0, 2, 3, 1)
    out = interpolate(im, xf, yf, oh, ow)
    return T.reshape(out, (nb, oh, ow, c)).dimshuffle(0, 3, 1, 2)


th = T.matrix("theta")
im = T.tensor4("im")
out = transform(th, im)
f = theano.function([th, im], out)
img = _X[:3].reshape(3, 1, 8, 8)
idn = np.tile(np.array([1, 0, 0, 0, 1, 0], floatX), (3, 1))
assert np.allclose(f(idn, img), img)
g = theano.function([th, im], T.grad((out**2).sum(), th))
assert g(idn * 0.9, img).shape == (3, 6)
theano.gradient.verify_grad(
    lambda t: (transform(t, theano.shared(img))).sum(), [idn * 0.87 + 0.01], rng=rng, n_tests=1
)
