"""Lasagne 0.1, the layer library of the time, trains its example on the digits.

It is looked for among installed packages, or in the folder AUTODIFF_EDU_LASAGNE.
"""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from autodiff_edu.theano import install_as_theano
install_as_theano()
try:
    import pkg_resources
    pkg_resources.get_distribution("Lasagne")
    import lasagne
except Exception as error:
    print(error)
    sys.exit(77)
import numpy as np
import theano
import theano.tensor as T
from lasagne.layers import Conv2DLayer, DenseLayer, InputLayer, MaxPool2DLayer, dropout
from sklearn.datasets import load_digits

lasagne.random.set_rng(np.random.RandomState(1))
data = load_digits()
X = (data.data / 16.0).reshape(-1, 1, 8, 8).astype(theano.config.floatX)
y = data.target.astype("int32")

def mlp(x):
    layer = dropout(InputLayer((None, 1, 8, 8), input_var=x), p=0.1)
    layer = dropout(DenseLayer(layer, 60, nonlinearity=lasagne.nonlinearities.rectify), p=0.2)
    return DenseLayer(layer, 10, nonlinearity=lasagne.nonlinearities.softmax)

def cnn(x):
    layer = InputLayer((None, 1, 8, 8), input_var=x)
    layer = MaxPool2DLayer(Conv2DLayer(layer, 8, (3, 3)), (2, 2))
    layer = DenseLayer(dropout(layer, p=0.2), 40)
    return DenseLayer(layer, 10, nonlinearity=lasagne.nonlinearities.softmax)

for build in (mlp, cnn):
    x, t = T.tensor4("inputs"), T.ivector("targets")
    net = build(x)
    loss = lasagne.objectives.categorical_crossentropy(lasagne.layers.get_output(net), t).mean()
    params = lasagne.layers.get_all_params(net, trainable=True)
    updates = lasagne.updates.nesterov_momentum(loss, params, learning_rate=0.05, momentum=0.9)
    test = lasagne.layers.get_output(net, deterministic=True)
    right = T.mean(T.eq(T.argmax(test, axis=1), t), dtype=theano.config.floatX)
    train, accuracy = theano.function([x, t], loss, updates=updates), theano.function([x, t], right)
    for _ in range(8):
        for k in range(0, 1200, 50):
            train(X[k : k + 50], y[k : k + 50])
    assert accuracy(X[1200:], y[1200:]) > 0.85
"""


@pytest.mark.numeric
def test_lasagne_trains():
    path = [os.environ.get("AUTODIFF_EDU_LASAGNE", ""), *sys.path]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM], env=env,
                          capture_output=True, text=True)  # fmt: skip
    if done.returncode == 77:
        pytest.skip(f"Lasagne 0.1 cannot be had here: {done.stdout.strip()}")
    assert done.returncode == 0, done.stderr
