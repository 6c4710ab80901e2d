"""A convolution of an image, compared with SciPy's, and pooling with and without borders."""

import numpy
import numpy as np
import theano
import theano.tensor as T

rng = numpy.random.RandomState(23455)
input = T.tensor4(name="input")
w_shp = (2, 3, 9, 9)
w_bound = numpy.sqrt(3 * 9 * 9)
W = theano.shared(
    numpy.asarray(
        rng.uniform(low=-1.0 / w_bound, high=1.0 / w_bound, size=w_shp), dtype=input.dtype
    ),
    name="W",
)
b = theano.shared(
    numpy.asarray(rng.uniform(low=-0.5, high=0.5, size=(2,)), dtype=input.dtype), name="b"
)
conv_out = T.nnet.conv2d(input, W)
output = T.nnet.sigmoid(conv_out + b.dimshuffle("x", 0, "x", "x"))
f = theano.function([input], output)
img = np.random.rand(1, 3, 20, 20)
from scipy.signal import convolve

r = theano.function([input], conv_out)(img)
ex = sum(convolve(img[0, k], W.get_value()[0, k], "valid") for k in range(3))
assert np.allclose(r[0, 0], ex)
from theano.tensor.signal.downsample import max_pool_2d

input = T.dtensor4("input")
maxpool_shape = (2, 2)
pool_out = max_pool_2d(input, maxpool_shape, ignore_border=True)
f = theano.function([input], pool_out)
invals = numpy.random.RandomState(1).rand(3, 2, 5, 5)
assert f(invals).shape == (3, 2, 2, 2)
pool_out = max_pool_2d(input, maxpool_shape, ignore_border=False)
f = theano.function([input], pool_out)
assert f(invals).shape == (3, 2, 3, 3)
