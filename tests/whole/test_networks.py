"""Networks as a course hands them out, in plain NumPy, differentiated and trained as they stand.

Protects the way from NumPy to gradients: code is taken as students have it, without a change.
"""

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import autodiff_edu as ad

pytestmark = pytest.mark.numeric

TRAINED_ON = 1400


@pytest.fixture(scope="module")
def digits():
    """Images with entries in [0, 1] and their labels, for training and for the test."""
    from sklearn.datasets import load_digits  # late: each worker that collects would load it

    X, y = load_digits(return_X_y=True)
    order = np.random.RandomState(0).permutation(len(X))
    train, test = order[:TRAINED_ON], order[TRAINED_ON:]
    return X[train] / 16, y[train], X[test] / 16, y[test]


def descend(loss, params, X, y, *, epochs, rate, batch):
    """Stochastic gradient descent with momentum, the updates in plain NumPy."""
    np.random.seed(1)
    value_and_grad = ad.value_and_grad(loss)
    speed = {name: np.zeros_like(p) for name, p in params.items()}
    costs = []
    for _ in range(epochs):
        for rows in np.random.permutation(len(X)).reshape(-1, batch):
            cost, grads = value_and_grad(params, X[rows], y[rows])
            costs.append(cost)
            for name in params:
                speed[name] = 0.9 * speed[name] - rate * grads[name]
                params[name] = params[name] + speed[name]
    return costs


def check_some_entries(loss, params, X, y, rng):
    """A few entries of each gradient against central differences."""
    grads = ad.grad(loss)(params, X, y)
    for name, p in params.items():
        for _ in range(3):
            place = tuple(rng.integers(p.shape))
            h = np.zeros_like(p)
            h[place] = 1e-6
            above, below = (loss({**params, name: p + s * h}, X, y) for s in (1, -1))
            assert grads[name][place] == pytest.approx((above - below) / 2e-6, rel=1e-5, abs=1e-8)


# ---- two layers


def two_layers():
    np.random.seed(0)
    return {
        "W1": 0.1 * np.random.randn(64, 50),
        "b1": np.zeros(50),
        "W2": 0.1 * np.random.randn(50, 10),
        "b2": np.zeros(10),
    }


def scores(params, X):
    hidden = np.maximum(0, X.dot(params["W1"]) + params["b1"])
    return np.dot(hidden, params["W2"]) + params["b2"]


def loss(params, X, y):
    n = X.shape[0]
    z = scores(params, X)
    exp_scores = np.exp(z - np.max(z, axis=1, keepdims=True))
    p = exp_scores / np.sum(exp_scores, axis=1, keepdims=True)
    data_loss = np.sum(-np.log(p[np.arange(n), y])) / n
    reg_loss = 0.5 * 1e-3 * (np.sum(params["W1"] ** 2) + np.sum(params["W2"] ** 2))
    return data_loss + reg_loss


def backward_by_hand(params, X, y):
    """The backward pass as the course derives it."""
    n = X.shape[0]
    hidden = np.maximum(0, X.dot(params["W1"]) + params["b1"])
    z = hidden.dot(params["W2"]) + params["b2"]
    exp_scores = np.exp(z - np.max(z, axis=1, keepdims=True))
    dscores = exp_scores / np.sum(exp_scores, axis=1, keepdims=True)
    dscores[range(n), y] -= 1
    dscores /= n
    dhidden = np.dot(dscores, params["W2"].T)
    dhidden[hidden <= 0] = 0
    return {
        "W1": np.dot(X.T, dhidden) + 1e-3 * params["W1"],
        "b1": np.sum(dhidden, axis=0),
        "W2": np.dot(hidden.T, dscores) + 1e-3 * params["W2"],
        "b2": np.sum(dscores, axis=0),
    }


def test_two_layers_have_the_gradient_of_the_hand_derived_backward_pass(digits):
    X, y, *_ = digits
    value, grads = ad.value_and_grad(loss)(two_layers(), X, y)
    assert value == pytest.approx(loss(two_layers(), X, y), rel=1e-13)
    for name, wanted in backward_by_hand(two_layers(), X, y).items():
        np.testing.assert_allclose(grads[name], wanted, rtol=1e-10, atol=1e-14)
    check_some_entries(loss, two_layers(), X[:50], y[:50], np.random.default_rng(0))


def test_two_layers_learn_the_digits(digits):
    X, y, X_test, y_test = digits
    params = two_layers()
    costs = descend(loss, params, X, y, epochs=20, rate=0.1, batch=100)
    assert costs[0] > 2 and costs[-1] < 0.2
    assert np.mean(np.argmax(scores(params, X_test), axis=1) == y_test) > 0.95


# ---- convolution


def filters():
    np.random.seed(0)
    return {
        "K": 0.3 * np.random.randn(8, 1, 3, 3),
        "c": np.zeros((8, 1, 1)),
        "W": 0.1 * np.random.randn(8 * 3 * 3, 10),
        "b": np.zeros(10),
    }


def features(params, images):
    """Ours: convolution, rectifier, the largest of each two by two."""
    maps = np.maximum(0, ad.conv2d(images, params["K"]) + params["c"])
    return ad.max_pool2d(maps, 2)


def own_features(params, images):
    """The same as a student writes it, by windows and by loops."""
    windows = sliding_window_view(images[:, 0], (3, 3), axis=(1, 2))
    maps = np.einsum("nijkl,fkl->nfij", windows, params["K"][:, 0]) + params["c"]
    maps = np.maximum(0, maps)
    pooled = maps[:, :, 0::2, 0::2]
    for i in range(2):
        for j in range(2):
            pooled = np.maximum(pooled, maps[:, :, i::2, j::2])
    return pooled


def cross_entropy(params, found, y):
    z = found.reshape(len(y), -1) @ params["W"] + params["b"]
    z = z - np.max(z, axis=1, keepdims=True)
    return np.mean(np.log(np.sum(np.exp(z), axis=1)) - z[np.arange(len(y)), y])


def convolutional(params, X, y):
    return cross_entropy(params, features(params, X.reshape(-1, 1, 8, 8)), y)


def own_convolutional(params, X, y):
    return cross_entropy(params, own_features(params, X.reshape(-1, 1, 8, 8)), y)


def test_convolution_has_the_gradient_of_the_students_own(digits):
    rng = np.random.default_rng(0)
    X, y = digits[0][:100], digits[1][:100]
    X = X + 1e-3 * rng.normal(size=X.shape)  # no ties: the two part their slope differently
    ours = ad.value_and_grad(convolutional)(filters(), X, y)
    own = ad.value_and_grad(own_convolutional)(filters(), X, y)
    assert ours[0] == pytest.approx(own[0], rel=1e-12)
    assert own[0] == pytest.approx(own_convolutional(filters(), X, y), rel=1e-12)
    for name in filters():
        np.testing.assert_allclose(ours[1][name], own[1][name], rtol=1e-9, atol=1e-12)
    check_some_entries(own_convolutional, filters(), X[:20], y[:20], rng)


def test_a_convolutional_network_learns_the_digits(digits):
    X, y, X_test, y_test = digits
    params = filters()
    costs = descend(convolutional, params, X, y, epochs=10, rate=0.1, batch=100)
    assert costs[0] > 2 and costs[-1] < 0.2
    z = own_features(params, X_test.reshape(-1, 1, 8, 8)).reshape(len(X_test), -1) @ params["W"]
    assert np.mean(np.argmax(z + params["b"], axis=1) == y_test) > 0.95
